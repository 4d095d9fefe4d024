#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "kernel/operators/call/operation.h"

namespace gradproof::kernel::operators {

/// A tensor whose shape and strides list its axes in some order of N C D H W: "NDHWC", "DHWCN".
TensorView view_in_order(std::string_view order, numeric::Format format,
                         std::span<const std::int64_t> shape, std::span<const std::int64_t> strides,
                         std::int64_t offset);

/// Parameters of a 3D convolution, apart from its tensors; by D, H, W.
struct Conv3D {
  std::array<std::int64_t, 3> stride{1, 1, 1}, dilation{1, 1, 1};
  std::array<std::int64_t, 3> padding_begin{}, padding_end{};
  std::int64_t groups = 1;
};

/// The three tensors of a 3D convolution's gradients, two of them operands and one the result.
struct Conv3DTensors {
  TensorView feature, filter, out_backprop;
};

/// Conv3DBackpropInputV2: the result is `feature`. The tensors must have passed the operator's
/// rules.
ConvolutionBackward conv3d_backprop_input(const Conv3DTensors& tensors, const Conv3D& convolution,
                                          const Arithmetic& arithmetic);

/// Conv3DBackpropFilterV2: the result is `filter`. Samples that only one of `feature` and
/// `out_backprop` has, and output channels that only one of `filter` and `out_backprop` has, take
/// no part: the result's view may then cover but the first of the filter's output channels.
ConvolutionBackward conv3d_backprop_filter(const Conv3DTensors& tensors, const Conv3D& convolution,
                                           const Arithmetic& arithmetic);

}  // namespace gradproof::kernel::operators
