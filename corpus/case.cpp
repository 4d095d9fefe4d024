#include "corpus/case.h"

namespace gradproof::corpus {
namespace {

constexpr PerInput<std::string_view> input_names{"gradOutput", "input", "weight"};
constexpr PerOutput<std::string_view> output_names{"gradInput", "gradWeight", "gradBias"};

using Member = std::optional<TensorCase> Case::*;
constexpr PerInput<Member> inputs{&Case::grad_output, &Case::input, &Case::weight};
constexpr PerOutput<Member> outputs{&Case::grad_input, &Case::grad_weight, &Case::grad_bias};

}  // namespace

std::string_view name_of(InputRole role) { return input_names[role]; }
std::string_view name_of(OutputRole role) { return output_names[role]; }

const std::optional<TensorCase>& tensor(const Case& test_case, InputRole role) {
  return test_case.*inputs[role];
}
const std::optional<TensorCase>& tensor(const Case& test_case, OutputRole role) {
  return test_case.*outputs[role];
}
std::optional<TensorCase>& tensor(Case& test_case, InputRole role) {
  return test_case.*inputs[role];
}
std::optional<TensorCase>& tensor(Case& test_case, OutputRole role) {
  return test_case.*outputs[role];
}

std::optional<Product> product_of(const Case& test_case) { return product_named(test_case.soc); }

}  // namespace gradproof::corpus
