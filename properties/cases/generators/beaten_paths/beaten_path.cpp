#include "properties/cases/generators/beaten_paths/beaten_path.h"

#include <algorithm>

#include "properties/cases/generators/axis_limits.h"
#include "properties/cases/generators/shares.h"

namespace gradproof::cases {
namespace {

bool is_within(const AxisLimits& limits, const LayerWindow& window) {
  return window.kernel <= limits.kernel && window.stride <= limits.stride &&
         window.padding <= limits.padding && window.end() <= limits.padding &&
         window.dilation <= limits.dilation;
}

bool is_possible(const NetworkLayer& row, const Frame& frame, std::int64_t max_macs) {
  if (row.transposed != frame.transposed || taps_of(row) > max_macs) return false;
  for (std::size_t axis = 0; axis < row.axes; ++axis) {
    if (!is_within(axis_limits(frame, axis), row.windows.at(axis))) return false;
  }
  return true;
}

const NetworkLayer* draw_row(const Frame& frame, std::int64_t max_macs,
                             corpus::RandomSource& random) {
  const auto rows = network_layers(to_size(frame.rank - 2));
  std::int64_t total = 0;
  for (const auto& row : rows) total += is_possible(row, frame, max_macs) ? row.weight : 0;
  if (total == 0) return nullptr;
  std::int64_t drawn = random.between(0, total - 1);
  for (const auto& row : rows) {
    if (!is_possible(row, frame, max_macs)) continue;
    drawn -= row.weight;
    if (drawn < 0) return &row;
  }
  return nullptr;
}

/// Multiply-accumulates of a path: mostly few, so that thousands run a second. Kernels of many taps
/// get more, so that their channels are not the fewest.
std::int64_t draw_path_macs(std::int64_t taps, std::int64_t max_macs,
                            corpus::RandomSource& random) {
  const std::int64_t kind = random.between(0, 999), usual_taps = 9;
  std::int64_t least = 150, most = 4'000;
  if (kind < 8) {
    least = 50'000, most = 1'000'000;
  } else if (kind < 80) {
    least = 4'000, most = 30'000;
  } else {
    most *= std::clamp<std::int64_t>(taps / usual_taps, 1, 4);
  }
  return random.log_between(std::min(least, max_macs), std::min(most, max_macs));
}

/// Changes to an axis.
enum class Change : std::uint8_t {
  Kernel,
  Stride,
  Dilation,
  PaddingEnd,
  Padding,
  NoPadding,
  Unread
};

std::int64_t moved(std::int64_t value, std::int64_t by, std::int64_t least) {
  return std::max(least, value + by);
}

/// Changes an attribute by one, up or down; the positions stay as many where a map remains.
void change_axis(SpatialAxis& axis, Change what, std::int64_t by) {
  const std::int64_t outputs = small_length(axis);
  std::int64_t unread = unread_length(axis);
  switch (what) {
    case Change::Kernel:
      axis.kernel = moved(axis.kernel, by, 1);
      break;
    case Change::Stride:
      axis.stride = moved(axis.stride, by, 1);
      break;
    case Change::Dilation:
      axis.dilation = moved(axis.dilation, axis.dilation > 1 ? by : 1, 1);
      break;
    case Change::PaddingEnd:
      axis.padding_end = moved(axis.padding_end, by, 0);
      break;
    case Change::Padding:
      axis.padding_begin = moved(axis.padding_begin, by, 0);
      axis.padding_end = moved(axis.padding_end, by, 0);
      break;
    case Change::NoPadding:
      axis.padding_begin = axis.padding_end = 0;
      break;
    case Change::Unread:
      unread += by;
  }
  set_lengths(axis, outputs, unread);
}

}  // namespace

void change_one_attribute(Convolution& drawn, bool sides_may_differ, corpus::RandomSource& random) {
  const std::int64_t by = random.chance(50) ? 1 : -1;
  if (random.chance(12)) {  // channels that no class has
    const bool is_big = random.chance(50);
    auto& channels = is_big ? drawn.big_channels_per_group : drawn.small_channels_per_group;
    channels = moved(channels, by, 1);
    return;
  }
  auto what = random.one_of({Change::Kernel, Change::Stride, Change::Dilation, Change::PaddingEnd,
                             Change::Padding, Change::NoPadding, Change::Unread});
  if (what == Change::PaddingEnd && !sides_may_differ) what = Change::Padding;
  if (random.chance(30)) {
    for (SpatialAxis& axis : drawn.axes) change_axis(axis, what, by);
    return;
  }
  const std::int64_t last = static_cast<std::int64_t>(drawn.axes.size()) - 1;
  change_axis(drawn.axes[to_size(random.between(0, last))], what, by);
}

std::optional<Convolution> draw_beaten_path(const Frame& frame, std::int64_t max_macs,
                                            corpus::RandomSource& random) {
  const NetworkLayer* row = draw_row(frame, max_macs, random);
  if (row == nullptr) return std::nullopt;
  Convolution drawn = draw_layer(*row, draw_path_macs(taps_of(*row), max_macs, random), random);
  if (random.chance(shares::path_neighbour)) {
    Convolution changed = drawn;
    change_one_attribute(changed, frame.rank == 4, random);
    if (keeps_limits(frame, changed) && mac_count(changed) <= max_macs) drawn = std::move(changed);
  }
  if (mac_count(drawn) > max_macs) return std::nullopt;
  return drawn;
}

}  // namespace gradproof::cases
