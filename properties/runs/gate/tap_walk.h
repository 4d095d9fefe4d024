#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "corpus/data_type.h"
#include "properties/cases/calls/convolution.h"

namespace gradproof::runs {

/// Places of the two maps that each tap of the kernel multiplies.
class TapWalk {
 public:
  explicit TapWalk(const cases::Convolution& convolution) {
    const std::size_t first = 3 - convolution.axes.size();
    for (std::size_t i = 0; i < convolution.axes.size(); ++i) {
      const auto& axis = axes_.at(first + i) = convolution.axes[i];
      big_.at(first + i) = axis.big;
      small_.at(first + i) = cases::small_length(axis);
      taps_.at(first + i) = axis.kernel;
    }
  }
  std::int64_t big() const { return volume(big_); }
  std::int64_t small() const { return volume(small_); }
  std::int64_t taps() const { return volume(taps_); }

  /// Calls visit(place in the smaller map, in the larger one) for all that `tap` multiplies.
  template <typename Visit>
  void for_each_pair(std::int64_t tap, Visit visit) const {
    const std::array<std::int64_t, 3> at{tap / (taps_[1] * taps_[2]), tap / taps_[2] % taps_[1],
                                         tap % taps_[2]};
    const auto big = [&](std::size_t axis, std::int64_t small) {
      const auto& it = axes_.at(axis);
      return small * it.stride - it.padding_begin + at.at(axis) * it.dilation;
    };
    for (std::int64_t d = 0; d < small_[0]; ++d) {
      const std::int64_t depth = big(0, d);
      if (depth < 0 || depth >= big_[0]) continue;
      for (std::int64_t h = 0; h < small_[1]; ++h) {
        const std::int64_t height = big(1, h);
        if (height < 0 || height >= big_[1]) continue;
        for (std::int64_t w = 0; w < small_[2]; ++w) {
          const std::int64_t width = big(2, w);
          if (width < 0 || width >= big_[2]) continue;
          visit(to_size((d * small_[1] + h) * small_[2] + w),
                to_size((depth * big_[1] + height) * big_[2] + width));
        }
      }
    }
  }

 private:
  std::array<cases::SpatialAxis, 3> axes_;
  using Place = std::array<std::int64_t, 3>;
  static std::int64_t volume(const Place& lengths) { return lengths[0] * lengths[1] * lengths[2]; }

  Place big_{1, 1, 1}, small_{1, 1, 1}, taps_{1, 1, 1};
};

}  // namespace gradproof::runs
