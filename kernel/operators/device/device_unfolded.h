#pragma once

#include "kernel/operators/call/problem.h"
#include "kernel/operators/device/device_tiling.h"

namespace gradproof::kernel::operators::device_path {

/// The image to column of dx: of gradOutput, with as many rows as a plane of gradInput has
/// positions. Ordinary: spread by the stride, padded by (kernel - 1) * dilation - padding, the
/// windows one apart, the taps backwards. Transposed: the forward convolution.
Unfolded unfolded_grad_output(const Problem& problem);

/// The image to column of dw: of the feature map, as the convolution itself reads it.
Unfolded unfolded_feature_map(const Problem& problem);

/// Amounts that gradient tiles are cut from.
Amounts grad_input_amounts(const Problem& problem, std::int64_t c0);
Amounts grad_weight_amounts(const Problem& problem, std::int64_t c0);

}  // namespace gradproof::kernel::operators::device_path
