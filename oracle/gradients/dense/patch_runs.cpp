#include "oracle/gradients/dense/patch_runs.h"

#include <algorithm>

namespace gradproof::oracle {

PatchRuns::PatchRuns(const Geometry& geometry)
    : geometry_(geometry),
      taps_(geometry.taps()),
      plane_(geometry.axes[0].big * geometry.axes[1].big * geometry.axes[2].big),
      image_(geometry.groups * geometry.big_channels * plane_) {}

void PatchRuns::collect(const PositionBlock& block, std::int64_t first, std::int64_t count) {
  first_row_ = first;
  runs_.clear();
  ends_.clear();
  for (std::int64_t row = first; row < first + std::min(count, taps_); ++row) {
    add_tap(block, row % taps_);
    ends_.push_back(runs_.size());
  }
}

std::span<const PatchRun> PatchRuns::of_row(std::int64_t row) const {
  const auto index = to_size((row - first_row_) % taps_);
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return {runs_.data() + begin, ends_[index] - begin};
}

/// Line by line: a block may begin and end inside a line of the small map.
void PatchRuns::add_tap(const PositionBlock& block, std::int64_t tap) {
  const auto& [depth, height, width] = geometry_.axes;
  const std::int64_t tap_d = tap / (height.kernel * width.kernel);
  const std::int64_t tap_h = tap / width.kernel % height.kernel;
  for (std::int64_t at = 0; at < block.count;) {
    const std::int64_t position = block.first + at;
    const std::int64_t begin = position % width.small;
    const std::int64_t end = std::min(width.small, begin + block.count - at);
    const std::int64_t line = position / width.small;
    const std::int64_t image = line / (depth.small * height.small);
    const auto big_d = depth.big_at(line / height.small % depth.small, tap_d);
    const auto big_h = height.big_at(line % height.small, tap_h);
    if (big_d && big_h) {
      const std::int64_t offset = image * image_ + (*big_d * height.big + *big_h) * width.big;
      add_line(tap % width.kernel, offset, at, begin, end);
    }
    at += end - begin;
  }
}

// With before = padding_begin - tap * dilation, small position i meets big position
// i * stride - before; that is in [0, big) for
// ceil(before / stride) <= i <= floor((big - 1 + before) / stride).
void PatchRuns::add_line(std::int64_t tap, std::int64_t offset, std::int64_t at, std::int64_t begin,
                         std::int64_t end) {
  const Axis& axis = geometry_.axes[2];
  const std::int64_t before = axis.padding_begin - tap * axis.dilation;
  const std::int64_t lowest = before <= 0 ? 0 : (before + axis.stride - 1) / axis.stride;
  const std::int64_t room = axis.big - 1 + before;
  if (room < 0) return;
  const std::int64_t first = std::max(begin, lowest);
  const std::int64_t last = std::min(end, room / axis.stride + 1);
  if (first >= last) return;
  const PatchRun run{.position = at + first - begin,
                     .offset = offset + first * axis.stride - before,
                     .length = last - first,
                     .step = axis.stride};
  const std::size_t others = ends_.empty() ? 0 : ends_.back();
  if (runs_.size() > others && axis.stride == 1) {
    PatchRun& previous = runs_.back();
    const bool continues = previous.position + previous.length == run.position &&
                           previous.offset + previous.length == run.offset;
    if (continues) {
      previous.length += run.length;
      return;
    }
  }
  runs_.push_back(run);
}

}  // namespace gradproof::oracle
