#include "properties/cases/generators/sizes.h"

#include <algorithm>

#include "properties/cases/generators/axis_limits.h"
#include "properties/cases/generators/beaten_paths/beaten_path.h"
#include "properties/cases/generators/device_paths/device_path.h"
#include "properties/cases/generators/shares.h"
#include "properties/cases/generators/thresholds/threshold.h"

namespace gradproof::cases {
namespace {

/// Ends of the tables of ranges, where a frame has them (RANGE-01 to RANGE-10).
constexpr std::int64_t table_end = 255, stride_end = 63, groups_end = 65'535;

/// The last value of a range or the one before it.
std::int64_t draw_last(std::int64_t limit, std::int64_t end, corpus::RandomSource& random) {
  return std::min(limit, end) - (random.chance(25) ? 1 : 0);
}

/// One attribute at the end of its range, the others small enough to see it.
SpatialAxis draw_extreme_axis(const AxisLimits& limits, corpus::RandomSource& random) {
  SpatialAxis axis;
  std::int64_t outputs = random.between(1, 3), padding = 0;
  axis.kernel = random.between(2, 4);
  axis.stride = random.between(1, 3);
  switch (random.between(0, 3)) {
    case 0:
      axis.kernel = draw_last(limits.kernel, table_end, random);
      break;
    case 1:
      axis.stride = draw_last(limits.stride, stride_end, random);
      outputs = random.between(2, 4);
      break;
    case 2:
      axis.dilation = draw_last(limits.dilation, table_end, random);
      break;
    default:
      padding = draw_last(limits.padding, table_end, random);
      axis.stride = random.between(16, stride_end);
      axis.kernel = axis.stride + random.between(0, 8);  // no element is stepped over
      outputs = 2 * padding / axis.stride + 1;
  }
  axis.padding_begin = axis.padding_end = padding;
  const std::int64_t reached = (outputs - 1) * axis.stride + axis.dilation * (axis.kernel - 1) + 1;
  axis.big = reached + random.between(0, axis.stride - 1) - 2 * padding;
  return axis;
}

/// True if no document ends the attributes of the axis before the fields do that hold them.
bool is_free(const AxisLimits& limits) {
  return std::min({limits.stride, limits.padding, limits.dilation}) >= unlimited;
}

/// Attributes about a power of two from 2^8 on: fields of 8, 16, 20 or 32 bits end there. Windows
/// lie far apart, or are as far apart as their taps and as the padding, so that the map has few
/// elements and each tap or position meets one: what lies between is never stored.
SpatialAxis draw_far_axis(corpus::RandomSource& random) {
  const auto about = [&](std::int64_t size) { return size + random.between(0, 2); };
  const bool is_stride_alone = random.chance(25);
  const std::int64_t highest = is_stride_alone ? 30 : 19;
  const std::int64_t size = (std::int64_t{1} << random.between(8, highest)) - 2 +
                            (random.chance(70) ? random.between(0, 3) : random.between(0, 200));
  SpatialAxis axis{.kernel = random.between(1, 3), .stride = about(size)};
  if (is_stride_alone) {
    set_lengths(axis, 1, random.between(0, 2));
    return axis;
  }
  axis.kernel = random.chance(75) ? 2 : 1;
  if (axis.kernel == 2) axis.dilation = about(size);
  axis.padding_begin = axis.padding_end = size;
  set_lengths(axis, axis.kernel == 2 ? 2 : 3, random.between(0, 2));
  return axis;
}

/// Sizes of a legal convolution with one attribute at the end of its range or just before it
/// (RANGE-01 to RANGE-10), which draws by magnitude and budget nearly never reach.
Convolution draw_extreme_convolution(const Frame& frame, corpus::RandomSource& random) {
  Convolution drawn;
  drawn.transposed = frame.transposed;
  drawn.axes.resize(to_size(frame.rank - 2));
  if (random.chance(2)) {  // rare: as expensive as hundreds of usual cases
    drawn.groups = groups_end;
    return drawn;
  }
  drawn.batch = random.between(1, 2);
  drawn.groups = random.one_of<std::int64_t>({1, 1, 2});
  drawn.small_channels_per_group = random.between(1, 2);
  drawn.big_channels_per_group = random.between(1, 2);
  const std::int64_t last = frame.rank - 3;
  const auto axis = to_size(random.between(frame.rank == 5 ? 1 : 0, last));
  const AxisLimits limits = axis_limits(frame, axis);
  constexpr unsigned far_share = 40;
  const bool is_far = frame.domain == Domain::Cann && is_free(limits) && random.chance(far_share);
  drawn.axes[axis] = is_far ? draw_far_axis(random) : draw_extreme_axis(limits, random);
  return drawn;
}

}  // namespace

Convolution draw_convolution(const Frame& frame, std::int64_t max_macs,
                             corpus::RandomSource& random) {
  const bool is_ascend950 = frame.product == corpus::Product::Ascend950;
  std::int64_t share = random.between(0, 99);
  const auto is_within = [&](unsigned percent) { return (share -= percent) < 0; };
  if (is_within(is_ascend950 ? shares::beaten_path_on_ascend950 : shares::beaten_path)) {
    if (const auto path = draw_beaten_path(frame, max_macs, random)) return *path;
  } else if (is_within(shares::threshold)) {
    return draw_threshold_convolution(frame, max_macs, random);
  } else if (is_within(shares::extreme)) {
    Convolution extreme = draw_extreme_convolution(frame, random);
    if (mac_count(extreme) <= max_macs) return extreme;
  } else if (is_within(is_ascend950 ? shares::device_path_on_ascend950 : shares::device_path)) {
    return draw_device_path(frame, max_macs, random);
  }
  return draw_usual_convolution(frame, max_macs, random);
}

}  // namespace gradproof::cases
