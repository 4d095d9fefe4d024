#pragma once

// A call for each choice of classes.

#include "properties/cases/classes/legal_combinations.h"

namespace gradproof::cases {

using corpus::Case;
using corpus::DataType;
using Lengths = std::vector<std::int64_t>;

/// The axes and channels of a call. Kernels of all axes, or of every second one and of the others.
struct Geometry {
  int kernel = 3, other_kernel = 3, stride = 2;
  enum class Padding : std::uint8_t { Half, Whole, More } padding = Padding::Half;
  int multiple_of_input = 1, multiple_of_output = 1;  ///< of channels
};

/// One choice for every dimension, made without the generators and without the table under test.
struct Choice {
  int type, rank, groups, mask;
  bool transposed, strided, dilated, viewed;
  int padding;
  std::int8_t cube;
  std::string_view product;
  Geometry geometry = {};
};

inline corpus::TensorCase tensor(const Lengths& shape, DataType type, bool viewed) {
  constexpr corpus::Format formats[] = {corpus::Format::Ncl, corpus::Format::Nchw,
                                        corpus::Format::Ncdhw};
  corpus::TensorCase made;
  made.shape = shape;
  made.dtype = type;
  made.format = formats[shape.size() - 3];
  if (!viewed) return made;
  made.offset = 3;
  made.storage_shape = Lengths{3 + corpus::element_count(shape).value()};
  return made;
}

/// What is padded in front of an axis and behind it.
inline std::array<std::int64_t, 2> paddings_of(const Choice& choice, std::int64_t reach) {
  if (choice.padding == 0) return {0, 0};
  if (choice.padding == 2) return {1, 0};
  const auto kind = choice.geometry.padding;
  const std::int64_t both = kind == Geometry::Padding::Half    ? reach / 2
                            : kind == Geometry::Padding::Whole ? reach
                                                               : reach + 1;
  return {both, both};
}

/// The outputs that the mask requests.
inline void add_outputs(Case& made, const Choice& choice) {
  const DataType type = made.weight->dtype;
  if ((choice.mask & 4) != 0) made.grad_input = tensor(made.input->shape, made.input->dtype, false);
  if ((choice.mask & 2) != 0) {
    const bool narrow = corpus::is_8_bit_float(type);
    made.grad_weight = tensor(made.weight->shape, narrow ? DataType::Float : type, false);
  }
  if ((choice.mask & 1) != 0) {
    made.grad_bias.emplace();
    made.grad_bias->shape = {made.grad_output->shape[1]};
    made.grad_bias->dtype = type;
    made.bias_sizes = made.grad_bias->shape;
  }
}

/// Of (begin, end) of each axis the begins alone.
inline Lengths one_value_an_axis(const Lengths& pairs) {
  Lengths begins;
  for (std::size_t i = 0; i < pairs.size(); i += 2) begins.push_back(pairs[i]);
  return begins;
}

/// Nineteen positions, so that no padding takes all of a map, of a kernel on every axis, four
/// samples, groups of one or two channels or their multiples.
inline Case case_of(const Choice& choice) {
  constexpr DataType types[] = {DataType::Float, DataType::Float16, DataType::BFloat16,
                                DataType::HiFloat8, DataType::Float8E4M3FN};
  const DataType type = choice.type == 5 ? DataType::Float : types[choice.type];
  const DataType type_of_input = choice.type == 5 ? DataType::Float16 : type;
  const auto axes = to_size(choice.rank - 2);
  const Geometry& geometry = choice.geometry;
  const bool depthwise = choice.groups == 1;
  const std::int64_t groups = choice.groups == 0 ? 1
                              : depthwise        ? 2 * geometry.multiple_of_input
                                                 : 2;
  const std::int64_t channels = depthwise ? 1 : 2 * geometry.multiple_of_input;
  const std::int64_t filters =
      depthwise ? geometry.multiple_of_output : 2 * geometry.multiple_of_output;
  const std::int64_t stride = choice.strided ? geometry.stride : 1;
  const std::int64_t dilation = choice.dilated ? 2 : 1;
  Lengths big{4, groups * channels}, small{4, groups * filters}, kernel{groups * filters, channels};
  Lengths padding;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    kernel.push_back(axis % 2 == 0 ? geometry.kernel : geometry.other_kernel);
    const std::int64_t reach = dilation * (kernel.back() - 1);
    const auto [begin, end] = paddings_of(choice, reach);
    small.push_back(19);
    big.push_back(18 * stride + reach + 1 - begin - end);
    padding.insert(padding.end(), {begin, end});
  }
  Case made;
  made.soc = choice.product;
  made.transposed = choice.transposed;
  made.groups = static_cast<std::int32_t>(groups);
  made.cube_math_type = choice.cube;
  made.grad_output = tensor(choice.transposed ? big : small, type, choice.viewed);
  made.input = tensor(choice.transposed ? small : big, type_of_input, choice.viewed);
  made.weight = tensor(kernel, type, choice.viewed);
  made.stride = Lengths(axes, stride);
  made.dilation = Lengths(axes, dilation);
  made.output_padding = Lengths(axes, 0);
  made.padding = choice.padding == 2 ? padding : one_value_an_axis(padding);
  made.output_mask =
      std::vector<bool>{(choice.mask & 4) != 0, (choice.mask & 2) != 0, (choice.mask & 1) != 0};
  add_outputs(made, choice);
  return made;
}

}  // namespace gradproof::cases
