#include "properties/advice/tensors/pair.h"

#include <fmt/core.h>

#include <string_view>
#include <utility>
#include <vector>

#include "corpus/to_size.h"
#include "properties/cases/laws/exact_data.h"
#include "properties/cases/laws/inner_product.h"

namespace gradproof::advice {
namespace {

using corpus::InputRole;
using corpus::OutputRole;
using Values = std::vector<double>;

Values operand(const GivenTensors& tensors, InputRole role) {
  return cases::values_of(tensors.operands[role], corpus::tensor(tensors.test_case, role)->dtype);
}
Values result(const GivenTensors& tensors, OutputRole role) {
  return cases::values_of(tensors.results[role], corpus::tensor(tensors.test_case, role)->dtype);
}

/// The output as it is without a bias. Of exact sums nothing is rounded here.
Values without_bias(const GivenTensors& forward) {
  Values output = result(forward, OutputRole::GradInput);
  if (!forward.test_case.input) return output;
  const Values bias = operand(forward, InputRole::Input);
  const auto& shape = forward.test_case.grad_input->shape;
  const std::size_t plane = output.size() / (to_size(shape[0]) * bias.size());
  for (std::size_t i = 0; i < output.size(); ++i) output[i] -= bias[i / plane % bias.size()];
  return output;
}

std::string words_of(const std::optional<cases::InnerProduct>& product) {
  return product ? fmt::format("{}", product->value()) : "beyond any sum";
}

}  // namespace

std::optional<LayerPair> pair_of(const GivenTensors& gradients, const GivenTensors& forward,
                                 const oracle::JudgeSettings& judge) {
  const auto given = gradients.operand_bytes(), given_forward = forward.operand_bytes();
  const auto known = cases::exactness_of(gradients.test_case, judge, &given);
  if (!cases::exactness_of(forward.test_case, judge, &given_forward)[OutputRole::GradInput].exact) {
    return std::nullopt;
  }
  const auto product =
      cases::inner_product(without_bias(forward), operand(gradients, InputRole::GradOutput));
  const std::string of_output = forward.test_case.input ? "output without its bias" : "output";
  std::string names = of_output + " and gradOutput";
  bool is_any = false;
  for (const auto& [role, of] : {std::pair(OutputRole::GradInput, InputRole::Input),
                                 {OutputRole::GradWeight, InputRole::Weight}}) {
    if (!corpus::is_requested(gradients.test_case, role) || !known[role].exact) continue;
    is_any = true;
    const auto other = cases::inner_product(result(gradients, role), operand(gradients, of));
    const std::string own = fmt::format("{} and {}", corpus::name_of(role), corpus::name_of(of));
    if (!product || other != product) {
      return LayerPair{
          true,
          fmt::format("output and {} contradict each other: the inner product of {} "
                      "and gradOutput is {}, that of {} {}",
                      corpus::name_of(role), of_output, words_of(product), own, words_of(other))};
    }
    names += ", " + own;
  }
  if (!is_any) return std::nullopt;
  return LayerPair{false, fmt::format("the inner products of {} are {}", names, words_of(product))};
}

}  // namespace gradproof::advice
