#include "oracle/gradients/rows/contributing_runs.h"

#include <numeric>

namespace gradproof::oracle {

/// Joins runs along W alone: neighbours along D or H are no neighbours in memory.
ContributingRows::ContributingRows(const Geometry& geometry, Driver driver)
    : channels_(driver == Driver::Small ? geometry.big_channels : geometry.small_channels) {
  for (std::size_t i = 0; i < geometry.axes.size(); ++i) {
    const Axis& axis = geometry.axes[i];
    positions_[i] = driver == Driver::Small ? axis.small : axis.big;
    lengths_[i] = driver == Driver::Small ? axis.big : axis.small;
    kernel_[i] = axis.kernel;
    runs_[i] = driver == Driver::Small ? runs_by_small(axis) : runs_by_big(axis);
  }
  join(runs_.back());
}

/// met = position * stride - padding_begin + tap * dilation, the relation of Axis, by addition;
/// positions outside of [0, big) are padding.
ContributingRows::AxisRuns ContributingRows::runs_by_small(const Axis& axis) {
  AxisRuns result;
  result.runs.reserve(static_cast<std::size_t>(axis.small * axis.kernel));
  result.ends.reserve(static_cast<std::size_t>(axis.small));
  for (std::int64_t position = 0; position < axis.small; ++position) {
    std::int64_t met = position * axis.stride - axis.padding_begin;
    for (std::int64_t tap = 0; tap < axis.kernel; ++tap, met += axis.dilation) {
      if (met >= 0 && met < axis.big) result.runs.push_back({tap, met, 1});
    }
    result.ends.push_back(result.runs.size());
  }
  return result;
}

/// Runs by positions of the big map, enumerated from the small positions, which takes no division:
/// small * stride + tap * dilation is constant for one big position, so small positions ascend
/// while taps descend, which is the order in which taps lie here.
ContributingRows::AxisRuns ContributingRows::runs_by_big(const Axis& axis) {
  const auto for_each_pair = [&](auto&& visit) {
    for (std::int64_t position = 0; position < axis.small; ++position) {
      std::int64_t met = position * axis.stride - axis.padding_begin;
      for (std::int64_t tap = 0; tap < axis.kernel; ++tap, met += axis.dilation) {
        if (met >= 0 && met < axis.big) visit(static_cast<std::size_t>(met), tap, position);
      }
    }
  };
  AxisRuns result;
  result.ends.resize(static_cast<std::size_t>(axis.big) + 1);
  for_each_pair([&](std::size_t met, auto, auto) { ++result.ends[met + 1]; });
  std::partial_sum(result.ends.begin(), result.ends.end(), result.ends.begin());
  result.runs.resize(result.ends.back());
  // A counting sort by position: ends[i] is first where the runs of position i begin, and moves on
  // with each of them to where they end.
  for_each_pair([&](std::size_t met, std::int64_t tap, std::int64_t position) {
    result.runs[result.ends[met]++] = {axis.kernel - 1 - tap, position, 1};
  });
  result.ends.pop_back();
  return result;
}

/// Joins runs in place: `kept` runs are final, `next` is read; kept <= next, as runs only merge.
void ContributingRows::join(AxisRuns& axis) {
  std::size_t kept = 0;
  std::size_t next = 0;
  for (std::size_t& end : axis.ends) {
    const std::size_t begin = kept;
    for (; next < end; ++next) {
      const Run run = axis.runs[next];
      const bool continues =
          kept > begin && axis.runs[kept - 1].tap + axis.runs[kept - 1].count == run.tap &&
          axis.runs[kept - 1].position + axis.runs[kept - 1].count == run.position;
      if (continues) {
        ++axis.runs[kept - 1].count;
      } else {
        axis.runs[kept++] = run;
      }
    }
    end = kept;
  }
}

const std::vector<Row>& ContributingRows::at(std::int64_t d, std::int64_t h, std::int64_t w) {
  rows_.clear();
  for (const Run& depth : runs_[0].at(d)) {
    for (const Run& height : runs_[1].at(h)) {
      const std::int64_t map_line = (depth.position * lengths_[1] + height.position) * lengths_[2];
      const std::int64_t tap_line = (depth.tap * kernel_[1] + height.tap) * kernel_[2];
      for (const Run& width : runs_[2].at(w)) {
        rows_.push_back({(map_line + width.position) * channels_,
                         (tap_line + width.tap) * channels_, width.count * channels_});
      }
    }
  }
  return rows_;
}

}  // namespace gradproof::oracle
