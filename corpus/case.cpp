#include "corpus/case.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace gradproof::corpus {
namespace {

struct ApiRow {
  Api api;
  std::string_view name;
};

constexpr ApiRow apis[] = {
    {Api::ConvolutionBackward, "aclnnConvolutionBackward"},
    {Api::Conv3DBackpropInputV2, "Conv3DBackpropInputV2"},
    {Api::Conv3DBackpropFilterV2, "Conv3DBackpropFilterV2"},
    {Api::Conv3DBpInputTiling, "Conv3DBpInputTiling"},
    {Api::Conv3dBpFilterTiling, "Conv3dBpFilterTiling"},
};

constexpr std::array input_names{"gradOutput", "input", "weight"};
constexpr std::array output_names{"gradInput", "gradWeight", "gradBias"};

template <typename SomeCase>
auto& input_of(SomeCase& problem, InputRole role) {
  switch (role) {
    case InputRole::GradOutput:
      return problem.grad_output;
    case InputRole::Input:
      return problem.input;
    case InputRole::Weight:
      break;
  }
  return problem.weight;
}

template <typename SomeCase>
auto& output_of(SomeCase& problem, OutputRole role) {
  switch (role) {
    case OutputRole::GradInput:
      return problem.grad_input;
    case OutputRole::GradWeight:
      return problem.grad_weight;
    case OutputRole::GradBias:
      break;
  }
  return problem.grad_bias;
}

}  // namespace

std::string_view name_of(Api api) {
  const auto* row = std::ranges::find(apis, api, &ApiRow::api);
  return row == std::end(apis) ? std::string_view{} : row->name;
}

std::optional<Api> api_named(std::string_view name) {
  const auto* row = std::ranges::find(apis, name, &ApiRow::name);
  if (row == std::end(apis)) return std::nullopt;
  return row->api;
}

std::string_view name_of(InputRole role) { return input_names.at(static_cast<std::size_t>(role)); }
std::string_view name_of(OutputRole role) {
  return output_names.at(static_cast<std::size_t>(role));
}

const std::optional<TensorCase>& tensor(const Case& problem, InputRole role) {
  return input_of(problem, role);
}
const std::optional<TensorCase>& tensor(const Case& problem, OutputRole role) {
  return output_of(problem, role);
}
std::optional<TensorCase>& tensor(Case& problem, InputRole role) { return input_of(problem, role); }
std::optional<TensorCase>& tensor(Case& problem, OutputRole role) {
  return output_of(problem, role);
}

bool is_operand(const Case& problem, InputRole role) {
  switch (problem.api) {
    case Api::ConvolutionBackward:
      break;
    case Api::Conv3DBackpropInputV2:
    case Api::Conv3DBpInputTiling:
      return role != InputRole::Input;
    case Api::Conv3DBackpropFilterV2:
    case Api::Conv3dBpFilterTiling:
      return role != InputRole::Weight;
  }
  return true;
}

bool is_requested(const Case& problem, OutputRole role) {
  switch (problem.api) {
    case Api::ConvolutionBackward:
      break;
    case Api::Conv3DBackpropInputV2:
      return role == OutputRole::GradInput;
    case Api::Conv3DBackpropFilterV2:
      return role == OutputRole::GradWeight;
    case Api::Conv3DBpInputTiling:
      return role == OutputRole::GradInput && problem.grad_input.has_value();
    case Api::Conv3dBpFilterTiling:
      return role == OutputRole::GradWeight && problem.grad_weight.has_value();
  }
  const auto index = static_cast<std::size_t>(role);
  return problem.output_mask && index < problem.output_mask->size() &&
         (*problem.output_mask)[index];
}

std::optional<Product> product_of(const Case& problem) { return product_named(problem.soc); }

}  // namespace gradproof::corpus
