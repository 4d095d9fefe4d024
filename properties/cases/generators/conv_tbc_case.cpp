#include <algorithm>

#include "corpus/operators/operator_row.h"
#include "properties/cases/generators/operator_case.h"
#include "properties/cases/generators/sizes.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Product;
using corpus::TensorCase;

bool takes_in_tbc(const OperatorFrame& frame) {
  const bool is_listed = frame.product != Product::Ascend310P;
  if (!is_listed || !corpus::is_wide_float(frame.dtype)) return false;
  return frame.dtype != DataType::BFloat16 || !is_first_generation(frame.product);
}

/// Draws a convolution with the operator's limits: one group, one step, equal paddings.
Convolution draw_line(const OperatorFrame& frame, std::int64_t max_macs,
                      corpus::RandomSource& random) {
  Convolution sizes = draw_convolution({.product = frame.product, .rank = 3, .transposed = false},
                                       max_macs, random);
  SpatialAxis& axis = sizes.axes.front();
  const std::int64_t positions = small_length(axis);
  sizes.groups = 1;
  axis.stride = axis.dilation = 1;
  axis.padding_end = axis.padding_begin;
  const std::int64_t covered = positions + axis.kernel - 1;
  axis.padding_begin = axis.padding_end = std::min(axis.padding_begin, (covered - 1) / 2);
  axis.big = covered - 2 * axis.padding_begin;
  return sizes;
}

std::int8_t draw_mode(const OperatorFrame& frame, corpus::RandomSource& random) {
  const bool is_old_float = is_first_generation(frame.product) && frame.dtype == DataType::Float;
  if (is_old_float) return random.one_of<std::int8_t>({1, 2});
  if (frame.dtype == DataType::BFloat16) return random.one_of<std::int8_t>({0, 1, 3});
  return random.one_of<std::int8_t>({0, 1, 2, 3});
}

TensorCase tensor_like(std::vector<std::int64_t> shape, const OperatorFrame& frame,
                       corpus::RandomSource& random) {
  TensorCase tensor;
  tensor.dtype = frame.dtype;
  tensor.format = shape.size() == 3 && random.chance(60) ? Format::Ncl : Format::Nd;
  tensor.shape = std::move(shape);
  return tensor;
}

/// Makes a case with tensors as aclnnConvolutionBackward has them, which the row's `raised` puts in
/// their places.
Case with_tensors(const OperatorFrame& frame, const Convolution& sizes,
                  corpus::RandomSource& random) {
  Case made;
  made.api = frame.api;
  made.soc = corpus::name_of(frame.product);
  made.grad_output = tensor_like(sizes.grad_output_shape(), frame, random);
  made.input = tensor_like(sizes.input_shape(), frame, random);
  made.weight = tensor_like(sizes.weight_shape(), frame, random);
  made.bias = tensor_like({sizes.bias_length()}, frame, random);
  made.grad_input = tensor_like(made.input->shape, frame, random);
  made.grad_weight = tensor_like(made.weight->shape, frame, random);
  made.grad_bias = tensor_like(made.bias->shape, frame, random);
  made.padding = std::vector{sizes.axes.front().padding_begin};
  return corpus::row_of(frame.api).raised(made, made);
}

Case draw_conv_tbc(const OperatorFrame& frame, std::int64_t max_macs, const OperatorWishes&,
                   corpus::RandomSource& random) {
  Case test_case = with_tensors(frame, draw_line(frame, max_macs, random), random);
  test_case.cube_math_type = draw_mode(frame, random);
  test_case.deterministic = random.chance(10);
  return test_case;
}

constexpr int line_alone[] = {3};

}  // namespace

const OperatorGenerator conv_tbc_generator{.ranks = line_alone,
                                           .products = supported_products,
                                           .takes = takes_in_tbc,
                                           .draw = draw_conv_tbc,
                                           .breakers = conv_tbc_breakers};

}  // namespace gradproof::cases
