#include <array>
#include <utility>
#include <vector>

#include "corpus/operators/operator_row.h"
#include "corpus/operators/parameters.h"

namespace gradproof::corpus {
namespace {

// aclnnConvTbcBackward: a 1D convolution whose maps lie [L, N, C] and whose weight lies
// [kernel, C of input, C of gradOutput].

using Axes = std::array<std::size_t, 3>;
using Lengths = std::vector<std::int64_t>;

/// Axes of N, C and L in a map, and of output channels, input channels and kernel in the weight.
constexpr Axes map_axes{1, 2, 0}, weight_axes{2, 1, 0};

template <typename SomeCase>
auto placed_tensors(SomeCase& test_case) {
  return std::array{
      std::pair{&test_case.grad_output, map_axes}, std::pair{&test_case.input, map_axes},
      std::pair{&test_case.weight, weight_axes}, std::pair{&test_case.grad_input, map_axes},
      std::pair{&test_case.grad_weight, weight_axes}};
}

Lengths picked(const Lengths& values, const Axes& axes) {
  if (values.size() != axes.size()) return values;
  return {values[axes[0]], values[axes[1]], values[axes[2]]};
}

Lengths put_back(const Lengths& values, const Axes& axes) {
  Lengths result = values;
  if (values.size() != axes.size()) return result;
  for (std::size_t i = 0; i < axes.size(); ++i) result[axes[i]] = values[i];
  return result;
}

template <Lengths (*ordered)(const Lengths&, const Axes&)>
void reorder_elements(DataRecipe& data) {
  for (const InputRole role : input_roles) {
    const Axes& axes = role == InputRole::Weight ? weight_axes : map_axes;
    for (auto& element : data.listed[static_cast<std::size_t>(role)]) {
      element.at = ordered(element.at, axes);
    }
  }
}

std::optional<Lengths> bias_sizes_of(const Case& test_case) {
  if (!test_case.bias) return std::nullopt;
  return test_case.bias->shape;
}

Case as_convolution(const Case& test_case) {
  Case result = test_case;
  result.api = Api::ConvolutionBackward;
  result.bias.reset();
  for (const auto& [tensor, axes] : placed_tensors(result)) {
    if (!*tensor) continue;
    (*tensor)->shape = picked((*tensor)->shape, axes);
    if ((*tensor)->strides) (*tensor)->strides = picked(*(*tensor)->strides, axes);
    (*tensor)->format = Format::Ncl;
  }
  result.bias_sizes = bias_sizes_of(test_case);
  result.stride = result.dilation = Lengths{1};
  result.output_padding = Lengths{0};
  result.output_mask = std::vector<bool>(3, true);
  if (result.data) reorder_elements<picked>(*result.data);
  return result;
}

Case raised(const Case& test_case, const Case& convolution) {
  Case result = test_case;
  const auto sources = placed_tensors(convolution);
  const auto places = placed_tensors(result);
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto& tensor = *places[i].first;
    const auto& source = *sources[i].first;
    if (!tensor || !source) continue;
    tensor->shape = put_back(source->shape, places[i].second);
    tensor->strides = source->strides;
    if (tensor->strides) tensor->strides = put_back(*tensor->strides, places[i].second);
    tensor->offset = source->offset;
    tensor->storage_shape = source->storage_shape;
  }
  if (result.bias && convolution.bias_sizes) result.bias->shape = *convolution.bias_sizes;
  if (result.grad_bias && convolution.grad_bias) result.grad_bias = convolution.grad_bias;
  result.padding = convolution.padding;
  result.data = convolution.data;
  if (result.data) reorder_elements<put_back>(*result.data);
  return result;
}

std::optional<Axes> axes_of(const Case& test_case, const TensorCase& tensor) {
  for (const auto& [described, axes] : placed_tensors(test_case)) {
    if (*described && &**described == &tensor && tensor.shape.size() == axes.size()) return axes;
  }
  return std::nullopt;
}

void read_conv_tbc(JsonObject& object, Case& test_case) {
  if (!object.reads_null("bias")) test_case.bias = read_tensor(object.object("bias"));
  test_case.padding = Lengths{object.integer("pad")};
  read_cube_math_type(object, test_case.cube_math_type);
}

void write_conv_tbc(nlohmann::ordered_json& json, const Case& test_case) {
  json["bias"] = tensor_json(test_case.bias);
  json["pad"] = test_case.padding && !test_case.padding->empty() ? test_case.padding->front() : 0;
  json["cubeMathType"] = test_case.cube_math_type;
}

}  // namespace

const OperatorRow conv_tbc_backward_row{
    .api = Api::ConvTbcBackward,
    .name = "aclnnConvTbcBackward",
    .kind = CallKind::Aclnn,
    .operands = {true, true, true},
    .outputs = {Computed::Always, Computed::Always, Computed::Always},
    .read = read_conv_tbc,
    .write = write_conv_tbc,
    .lowered = as_convolution,
    .raised = raised,
    .axes = axes_of};

}  // namespace gradproof::corpus
