#include "corpus/case.h"

#include <cstddef>

namespace gradproof::corpus {
namespace {

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

std::optional<Product> product_of(const Case& problem) { return product_named(problem.soc); }

}  // namespace gradproof::corpus
