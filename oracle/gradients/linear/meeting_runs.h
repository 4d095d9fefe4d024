#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "oracle/geometry/geometry.h"

namespace gradproof::oracle {

/// Positions along W that meet through one tap: small, small + 1, ... with big, big + step, ...
/// Positions and taps are row-major indices over D, H, W.
struct MeetingRun {
  std::int64_t tap, small, big, count, step;
};

/// The small positions of an axis that meet a big one through this tap: [first, end).
struct SmallRange {
  std::int64_t first, end;
};

/// big = small * stride - padding + tap * dilation, 0 <= big < axis.big.
inline SmallRange meeting_range(const Axis& axis, std::int64_t tap) {
  const std::int64_t shift = axis.padding_begin - tap * axis.dilation;
  const auto ceiling = [&](std::int64_t value) {
    return value <= 0 ? 0 : (value - 1) / axis.stride + 1;
  };
  return {ceiling(shift), std::min(axis.small, ceiling(axis.big + shift))};
}

/// Visits every pair of positions that meets, once, by tap: runs without pairs are left out.
template <typename Use>
void for_each_meeting_run(const Geometry& geometry, Use use) {
  const auto& [d, h, w] = geometry.axes;
  std::int64_t tap = 0;
  for (std::int64_t td = 0; td < d.kernel; ++td) {
    for (std::int64_t th = 0; th < h.kernel; ++th) {
      for (std::int64_t tw = 0; tw < w.kernel; ++tw, ++tap) {
        const SmallRange ds = meeting_range(d, td), hs = meeting_range(h, th),
                         ws = meeting_range(w, tw);
        if (ws.first >= ws.end) continue;
        const auto big_of = [](const Axis& axis, std::int64_t small, std::int64_t t) {
          return small * axis.stride - axis.padding_begin + t * axis.dilation;
        };
        for (std::int64_t sd = ds.first; sd < ds.end; ++sd) {
          for (std::int64_t sh = hs.first; sh < hs.end; ++sh) {
            const std::int64_t plane = big_of(d, sd, td) * h.big + big_of(h, sh, th);
            use(MeetingRun{.tap = tap,
                           .small = (sd * h.small + sh) * w.small + ws.first,
                           .big = plane * w.big + big_of(w, ws.first, tw),
                           .count = ws.end - ws.first,
                           .step = w.stride});
          }
        }
      }
    }
  }
}

}  // namespace gradproof::oracle
