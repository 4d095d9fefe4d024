#include "properties/targets/target/derived_shapes.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace gradproof::targets {
namespace {

using corpus::Case;
using corpus::Format;
using corpus::OutputRole;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

/// Beyond these the products below could leave 64 bits.
constexpr std::int64_t largest = std::int64_t{1} << 31;

bool has_channels_last(Format format) { return format == Format::Nhwc || format == Format::Ndhwc; }

std::int64_t at(const std::optional<Lengths>& values, std::size_t i, std::int64_t lowest) {
  if (!values || i >= values->size()) return lowest;
  return std::clamp((*values)[i], lowest, largest);
}

struct AxisPadding {
  std::int64_t both_ends = 0;
};

AxisPadding padding_of(const Case& test_case, std::size_t i, std::size_t axes) {
  const auto& padding = test_case.padding;
  const bool one_per_side = axes < 3 && padding && padding->size() == 2 * axes;
  const auto pad = [&](std::size_t place) {
    return padding && place < padding->size() ? std::clamp((*padding)[place], -largest, largest)
                                              : std::int64_t{0};
  };
  if (one_per_side) return {pad(2 * i) + pad(2 * i + 1)};
  return {2 * pad(i)};
}

std::int64_t derived_length(const Case& test_case, std::size_t i, const Lengths& input,
                            const Lengths& weight) {
  const std::int64_t stride = at(test_case.stride, i, 1);
  const std::int64_t reach = at(test_case.dilation, i, 1) * (weight[i + 2] - 1);
  const std::int64_t padding = padding_of(test_case, i, input.size() - 2).both_ends;
  const std::int64_t length = input[i + 2];
  if (test_case.transposed) {
    const std::int64_t extra = at(test_case.output_padding, i, 0);
    return std::max<std::int64_t>((length - 1) * stride - padding + reach + extra + 1, 1);
  }
  const std::int64_t room = length + padding - reach - 1;
  return room < 0 ? 1 : room / stride + 1;
}

bool is_in_range(const Lengths& shape) {
  return std::ranges::all_of(shape, [](auto length) { return length >= 0 && length < largest; });
}

}  // namespace

Lengths channels_second(const Lengths& shape, Format format) {
  if (!has_channels_last(format) || shape.size() < 3) return shape;
  Lengths result{shape.front(), shape.back()};
  result.insert(result.end(), shape.begin() + 1, shape.end() - 1);
  return result;
}

tl::expected<Lengths, std::string> derived_grad_output(const Case& test_case) {
  if (!test_case.input || !test_case.weight)
    return tl::unexpected(std::string("input or weight is null"));
  const Lengths& input = test_case.input->shape;
  const Lengths& weight = test_case.weight->shape;
  if (input.size() != weight.size() || input.size() < 3 || input.size() > 5) {
    return tl::unexpected(fmt::format("input has {} axes and weight {}; both must have 3, 4 or 5",
                                      input.size(), weight.size()));
  }
  if (!is_in_range(input) || !is_in_range(weight))
    return tl::unexpected(std::string("a size is too large"));
  const std::int64_t groups = std::max(test_case.groups, 1);
  Lengths shape{input[0], test_case.transposed ? weight[1] * groups : weight[0]};
  for (std::size_t i = 0; i + 2 < input.size(); ++i) {
    shape.push_back(derived_length(test_case, i, input, weight));
  }
  return shape;
}

Case with_maps_of_a_gradient(Case test_case) {
  if (!corpus::is_forward(test_case.api)) return test_case;
  test_case.input = std::exchange(test_case.grad_output, test_case.grad_input);
  return test_case;
}

TensorCase contiguous(Lengths shape, corpus::DataType dtype, Format format) {
  TensorCase tensor;
  tensor.shape = std::move(shape);
  tensor.dtype = dtype;
  tensor.format = format;
  return tensor;
}

TensorCase fitting_output(const Case& test_case, OutputRole role) {
  if (role == OutputRole::GradBias) {
    const auto& grad_output = *test_case.grad_output;
    const std::int64_t channels = grad_output.shape.size() > 1 ? grad_output.shape[1] : 1;
    return contiguous({channels}, grad_output.dtype);
  }
  const bool is_input = role == OutputRole::GradInput;
  const TensorCase& like = is_input ? *test_case.input : *test_case.weight;
  TensorCase result = contiguous(like.shape, like.dtype, like.format);
  if (!is_input && corpus::is_8_bit_float(like.dtype)) result.dtype = corpus::DataType::Float;
  return result;
}

void make_outputs_fit(Case& test_case) {
  for (const OutputRole role : corpus::output_roles) {
    if (auto& output = corpus::tensor(test_case, role)) output = fitting_output(test_case, role);
  }
  if (test_case.bias_sizes) {
    test_case.bias_sizes = fitting_output(test_case, OutputRole::GradBias).shape;
  }
}

}  // namespace gradproof::targets
