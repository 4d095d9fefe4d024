#include "corpus/case.h"

namespace gradproof::corpus {
namespace {

constexpr PerInput<std::string_view> input_names{"gradOutput", "input", "weight"};
constexpr PerOutput<std::string_view> output_names{"gradInput", "gradWeight", "gradBias"};

template <typename SomeCase>
auto& input_of(SomeCase& test_case, InputRole role) {
  switch (role) {
    case InputRole::GradOutput:
      return test_case.grad_output;
    case InputRole::Input:
      return test_case.input;
    case InputRole::Weight:
      break;
  }
  return test_case.weight;
}

template <typename SomeCase>
auto& output_of(SomeCase& test_case, OutputRole role) {
  switch (role) {
    case OutputRole::GradInput:
      return test_case.grad_input;
    case OutputRole::GradWeight:
      return test_case.grad_weight;
    case OutputRole::GradBias:
      break;
  }
  return test_case.grad_bias;
}

}  // namespace

std::string_view name_of(InputRole role) { return input_names[role]; }
std::string_view name_of(OutputRole role) { return output_names[role]; }

const std::optional<TensorCase>& tensor(const Case& test_case, InputRole role) {
  return input_of(test_case, role);
}
const std::optional<TensorCase>& tensor(const Case& test_case, OutputRole role) {
  return output_of(test_case, role);
}
std::optional<TensorCase>& tensor(Case& test_case, InputRole role) {
  return input_of(test_case, role);
}
std::optional<TensorCase>& tensor(Case& test_case, OutputRole role) {
  return output_of(test_case, role);
}

std::optional<Product> product_of(const Case& test_case) { return product_named(test_case.soc); }

}  // namespace gradproof::corpus
