#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "corpus/json/json_members.h"
#include "corpus/operators/operator_row.h"
#include "corpus/operators/parameters.h"

namespace gradproof::corpus {
namespace {

// y = conv(x, w) + b is dx of aclnnConvolutionBackward in the other direction: x for gradOutput,
// the same w, and an input of y's shape.

using Lengths = std::vector<std::int64_t>;

template <typename Json, typename SomeCase>
void depthwise_members(Json&& json, SomeCase& test_case) {
  json.nullable("kernelSize", test_case.kernel_size);
  json.nullable("stride", test_case.stride);
  json.nullable("padding", test_case.padding);
  json.nullable("dilation", test_case.dilation);
}

void read_forward_convolution(JsonObject& object, Case& test_case) {
  convolution_members(MemberReader(object), test_case);
  test_case.cube_math_type = read_cube_math_type(object);
}

void write_forward_convolution(nlohmann::ordered_json& json, const Case& test_case) {
  convolution_members(MemberWriter(json), test_case);
  json["cubeMathType"] = test_case.cube_math_type;
}

void read_depthwise(JsonObject& object, Case& test_case) {
  depthwise_members(MemberReader(object), test_case);
  test_case.cube_math_type = read_cube_math_type(object);
}

void write_depthwise(nlohmann::ordered_json& json, const Case& test_case) {
  depthwise_members(MemberWriter(json), test_case);
  json["cubeMathType"] = test_case.cube_math_type;
}

void read_forward_tbc(JsonObject& object, Case& test_case) {
  test_case.padding = Lengths{object.integer("pad")};
  test_case.cube_math_type = read_cube_math_type(object);
}

void write_forward_tbc(nlohmann::ordered_json& json, const Case& test_case) {
  json["pad"] = test_case.padding && !test_case.padding->empty() ? test_case.padding->front() : 0;
  json["cubeMathType"] = test_case.cube_math_type;
}

bool is_line(const Case& test_case) {
  return test_case.grad_output && test_case.grad_output->shape.size() == 3;
}

/// The call with y's shape for the input. Of the two paddings of a line, which a gradient has not,
/// the first stays: the other one decides nothing but y's length.
Case as_gradient(const Case& test_case) {
  Case result = test_case;
  result.api = Api::ConvolutionBackward;
  result.input = result.grad_input;
  result.kernel_size.reset();
  result.transposed = !test_case.transposed;
  result.output_mask = std::vector<bool>{true, false, false};
  const bool has_ends = is_line(test_case) && result.padding && result.padding->size() == 2;
  if (has_ends) result.padding->pop_back();
  const std::size_t axes = result.stride ? result.stride->size() : 0;
  result.output_padding = Lengths(axes, 0);
  return result;
}

Case depthwise_as_gradient(const Case& test_case) {
  Case result = as_gradient(test_case);
  const auto& map = test_case.grad_output;
  const std::int64_t channels = map && map->shape.size() > 1 ? map->shape[1] : 1;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  result.groups = static_cast<std::int32_t>(std::min(channels, most));
  return result;
}

/// aclnnConvTbcBackward has its tensors in the same order.
Case tbc_as_gradient(const Case& test_case) {
  Case other = test_case;
  other.input = other.grad_input;
  Case result = conv_tbc_backward_row.lowered(other);
  result.transposed = true;
  result.output_mask = std::vector<bool>{true, false, false};
  return result;
}

/// The output paddings that lead to y's lengths.
void fit_output_padding(Case& test_case) {
  const auto& from = test_case.grad_output->shape;
  const auto& to = test_case.grad_input->shape;
  const auto& kernel = test_case.weight->shape;
  auto& values = *test_case.output_padding;
  const Lengths& padding = *test_case.padding;
  const bool per_end = padding.size() == 2 * values.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int64_t both = per_end ? padding[2 * i] + padding[2 * i + 1] : 2 * padding[i];
    values[i] = to[i + 2] - ((from[i + 2] - 1) * (*test_case.stride)[i] - both +
                             (*test_case.dilation)[i] * (kernel[i + 2] - 1) + 1);
  }
}

/// True if every array has a value, or padding two, for each spatial axis.
bool has_all_lengths(const Case& test_case) {
  if (!test_case.grad_output || !test_case.grad_input || !test_case.weight) return false;
  const std::size_t rank = test_case.grad_output->shape.size();
  const auto has = [&](const std::optional<Lengths>& values) {
    return values && values->size() + 2 == rank;
  };
  const bool is_wide = test_case.padding && test_case.padding->size() + 4 == 2 * rank;
  return test_case.weight->shape.size() == rank && test_case.grad_input->shape.size() == rank &&
         has(test_case.stride) && has(test_case.dilation) && has(test_case.output_padding) &&
         (has(test_case.padding) || is_wide);
}

/// The bias has the output's channels, on `axis`; its listed elements beyond are dropped.
void fit_bias(const Case& old, Case& test_case, std::size_t axis) {
  if (test_case.data && old.data) {
    test_case.data->listed[InputRole::Input] = old.data->listed[InputRole::Input];
  }
  test_case.input = old.input;
  const auto& output = test_case.grad_input;
  const bool fits = test_case.input && test_case.input->shape.size() == 1 && output &&
                    old.grad_input && output->shape.size() > axis &&
                    old.grad_input->shape.size() > axis;
  if (!fits) return;
  std::int64_t& length = test_case.input->shape.front();
  length += output->shape[axis] - old.grad_input->shape[axis];
  if (!test_case.data) return;
  std::erase_if(test_case.data->listed[InputRole::Input],
                [&](const ListedElement& element) { return element.at.front() >= length; });
}

Case raised_map(const Case& test_case, const Case& gradient) {
  Case result = test_case;
  result.grad_output = gradient.grad_output;
  result.weight = gradient.weight;
  result.grad_input = gradient.grad_input;
  result.stride = gradient.stride;
  result.dilation = gradient.dilation;
  const bool has_ends = is_line(test_case) && test_case.padding && test_case.padding->size() == 2;
  if (!has_ends) {
    result.padding = gradient.padding;
  } else if (gradient.padding) {
    result.padding->front() = gradient.padding->front();
  }
  result.data = gradient.data;
  fit_bias(test_case, result, 1);
  return result;
}

Case raised_convolution(const Case& test_case, const Case& gradient) {
  Case result = raised_map(test_case, gradient);
  result.groups = gradient.groups;
  if (result.transposed && result.stride && result.output_padding) {
    result.output_padding->resize(result.stride->size());
    if (has_all_lengths(result)) fit_output_padding(result);
  }
  return result;
}

Case raised_depthwise(const Case& test_case, const Case& gradient) {
  Case result = raised_map(test_case, gradient);
  const bool has_plane = result.weight && result.weight->shape.size() == 4 && result.kernel_size;
  if (has_plane) result.kernel_size = Lengths{result.weight->shape[2], result.weight->shape[3]};
  return result;
}

Case raised_tbc(const Case& test_case, const Case& gradient) {
  Case result = conv_tbc_backward_row.raised(test_case, gradient);
  fit_bias(test_case, result, 2);
  return result;
}

std::optional<std::array<std::size_t, 3>> tbc_axes(const Case& test_case,
                                                   const TensorCase& tensor) {
  return conv_tbc_backward_row.axes(test_case, tensor);
}

constexpr OperatorRow forward_row(Api api, std::string_view name) {
  return {.api = api,
          .name = name,
          .kind = CallKind::Aclnn,
          .operands = {true, true, true},
          .outputs = {Computed::Always, Computed::Never, Computed::Never},
          .input_names = {"input", "bias", "weight"},
          .output_names = {"output", "", ""},
          .is_forward = true,
          .only_when_asked = true,
          .documents_views = true};
}

constexpr OperatorRow forward_convolution_row() {
  OperatorRow row = forward_row(Api::Convolution, "aclnnConvolution");
  row.read = read_forward_convolution;
  row.write = write_forward_convolution;
  row.lowered = as_gradient;
  row.raised = raised_convolution;
  return row;
}

constexpr OperatorRow forward_tbc_row() {
  OperatorRow row = forward_row(Api::ConvTbc, "aclnnConvTbc");
  row.read = read_forward_tbc;
  row.write = write_forward_tbc;
  row.lowered = tbc_as_gradient;
  row.raised = raised_tbc;
  row.axes = tbc_axes;
  return row;
}

constexpr OperatorRow depthwise_row() {
  OperatorRow row = forward_row(Api::ConvDepthwise2d, "aclnnConvDepthwise2d");
  row.read = read_depthwise;
  row.write = write_depthwise;
  row.lowered = depthwise_as_gradient;
  row.raised = raised_depthwise;
  return row;
}

}  // namespace

const std::array<OperatorRow, 3> forward_rows{forward_convolution_row(), forward_tbc_row(),
                                              depthwise_row()};

}  // namespace gradproof::corpus
