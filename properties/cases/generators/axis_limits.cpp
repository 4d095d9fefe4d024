#include "properties/cases/generators/axis_limits.h"

namespace gradproof::cases {
AxisLimits axis_limits(const Frame& frame, std::size_t axis) {
  const bool depth = frame.rank == 5 && axis == 0;
  const bool volume = frame.rank == 5;
  AxisLimits limits{unlimited, unlimited, unlimited, unlimited};
  if (frame.domain != Domain::Cann) return limits;
  if (is_second_generation(frame.product) && !frame.transposed) {  // RANGE-01, -03, -05, -06, -08
    limits.dilation = 255;
    if (!depth) limits.kernel = limits.padding = 255;
    if (volume && !depth) limits.stride = 63;
  }
  if (frame.product == corpus::Product::Ascend950 && frame.transposed) {  // RANGE-02, -04, -07, -09
    if (depth) return {unlimited, 1'000'000, 1'000'000, 1'000'000};
    limits = {255, 63, 255, 255};
  }
  return limits;
}

bool keeps_limits(const Frame& frame, const Convolution& sizes) {
  for (std::size_t i = 0; i < sizes.axes.size(); ++i) {
    const SpatialAxis& axis = sizes.axes[i];
    const AxisLimits limits = axis_limits(frame, i);
    const bool is_kept = axis.kernel <= limits.kernel && axis.stride <= limits.stride &&
                         axis.dilation <= limits.dilation && axis.padding_begin <= limits.padding &&
                         axis.padding_end <= limits.padding;
    if (!is_kept) return false;
  }
  return true;
}

}  // namespace gradproof::cases
