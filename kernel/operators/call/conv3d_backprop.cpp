#include "kernel/operators/call/conv3d_backprop.h"

#include <algorithm>
#include <cstddef>

namespace gradproof::kernel::operators {
namespace {

constexpr std::string_view canonical_order = "NCDHW";
constexpr std::size_t batch_axis = 0, channel_axis = 1, first_spatial_axis = 2;

Problem lowered(const Conv3DTensors& tensors, const Conv3D& convolution) {
  Problem problem{.batch = tensors.feature.shape[batch_axis],
                  .groups = convolution.groups,
                  .feature_channels = tensors.filter.shape[channel_axis],
                  .output_channels = tensors.filter.shape[batch_axis] / convolution.groups};
  Axis* const axes[] = {&problem.depth, &problem.height, &problem.width};
  for (std::size_t i = 0; i < 3; ++i) {
    *axes[i] = {.feature = tensors.feature.shape[first_spatial_axis + i],
                .kernel = tensors.filter.shape[first_spatial_axis + i],
                .output = tensors.out_backprop.shape[first_spatial_axis + i],
                .stride = convolution.stride[i],
                .dilation = convolution.dilation[i],
                .padding_begin = convolution.padding_begin[i],
                .padding_end = convolution.padding_end[i]};
  }
  return problem;
}

ConvolutionBackward operation(const Conv3DTensors& tensors, const Conv3D& convolution,
                              const Arithmetic& arithmetic) {
  ConvolutionBackward operation;
  operation.grad_output = tensors.out_backprop;
  operation.input = tensors.feature;
  operation.weight = tensors.filter;
  operation.problem = lowered(tensors, convolution);
  operation.arithmetic = arithmetic;
  return operation;
}

/// Cuts two axes to the shorter one's length.
void cut_to_common(std::int64_t& left, std::int64_t& right) {
  left = right = std::min(left, right);
}

}  // namespace

TensorView view_in_order(std::string_view order, numeric::Format format,
                         std::span<const std::int64_t> shape, std::span<const std::int64_t> strides,
                         std::int64_t offset) {
  TensorView view{.format = format, .offset = offset};
  for (std::size_t axis = 0; axis < order.size(); ++axis) {
    const std::size_t target = canonical_order.find(order[axis]);
    view.shape[target] = shape[axis];
    view.strides[target] = strides[axis];
  }
  return view;
}

ConvolutionBackward conv3d_backprop_input(const Conv3DTensors& tensors, const Conv3D& convolution,
                                          const Arithmetic& arithmetic) {
  ConvolutionBackward result = operation(tensors, convolution, arithmetic);
  result.grad_input = tensors.feature;
  return result;
}

ConvolutionBackward conv3d_backprop_filter(const Conv3DTensors& tensors, const Conv3D& convolution,
                                           const Arithmetic& arithmetic) {
  Conv3DTensors common = tensors;
  cut_to_common(common.feature.shape[batch_axis], common.out_backprop.shape[batch_axis]);
  cut_to_common(common.filter.shape[batch_axis], common.out_backprop.shape[channel_axis]);
  ConvolutionBackward result = operation(common, convolution, arithmetic);
  result.grad_weight = common.filter;
  return result;
}

}  // namespace gradproof::kernel::operators
