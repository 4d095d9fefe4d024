#include "properties/advice/tolerance/measured_output.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "oracle/geometry/geometry.h"
#include "oracle/gradients/fast_gradients.h"
#include "oracle/judge/judge_stages.h"
#include "oracle/judge/operand_store.h"
#include "oracle/operands/operands.h"

namespace gradproof::advice {
namespace {

using corpus::InputRole;
using corpus::OutputRole;
using oracle::Dense;
using oracle::Geometry;
using oracle::Number;

double largest_magnitude(const Dense<Number>& numbers) {
  double largest = 0;
  for (const Number& number : numbers.elements()) {
    if (number.is_finite()) largest = std::max(largest, std::fabs(oracle::to_double(number)));
  }
  return largest;
}

InputRole factor_of(OutputRole role) {
  return role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input;
}

oracle::ExactTensor exact_sums(const Geometry& geometry, OutputRole role,
                               const oracle::Arithmetic& way, oracle::OperandStore& operands) {
  const auto& grad_output = operands.of(InputRole::GradOutput, way);
  if (role == OutputRole::GradBias) return oracle::FastGradient(geometry, grad_output).sums();
  return oracle::FastGradient(geometry, role, grad_output, operands.of(factor_of(role), way))
      .sums();
}

void add_elements(MeasuredOutput& output, const oracle::ExactTensor& sums,
                  const Dense<Number>& computed) {
  for (std::size_t i = 0; i < computed.size(); ++i) {
    output.computed.push_back(computed[i]);
    output.exact.push_back(sums.approximate(i));
    output.expected.push_back(oracle::rounded_through(output.arithmetic, sums.truncated(i)));
  }
}

/// Adds the zeros of an empty problem: the documents say that gradWeight and gradBias are zeros.
void add_zeros(MeasuredOutput& output, const Dense<Number>& computed) {
  output.computed = computed.elements();
  output.exact.assign(computed.size(), 0);
  output.expected.assign(computed.size(), Number{});
}

std::optional<MeasuredOutput> measured(const corpus::Case& test_case, const Geometry& geometry,
                                       oracle::OperandStore& operands, OutputRole role,
                                       const corpus::OutputObservation& observed) {
  const auto ways = oracle::arithmetics(test_case, role, {});
  const oracle::Shape shape = geometry.shape(role);
  const auto elements = to_size(oracle::element_count(shape));
  const std::size_t size = corpus::size_bytes(corpus::tensor(test_case, role)->dtype);
  if (ways.empty() || elements == 0 || observed.bits.size() != elements * size) return std::nullopt;
  MeasuredOutput output;
  output.role = role;
  const oracle::Arithmetic& way = output.arithmetic = ways.front();
  output.products = static_cast<std::uint64_t>(geometry.longest_reduction(role));
  output.largest_grad_output = largest_magnitude(operands.of(InputRole::GradOutput, way));
  output.largest_other =
      role == OutputRole::GradBias ? 1 : largest_magnitude(operands.of(factor_of(role), way));
  const auto computed = oracle::decoded(output.arithmetic.output, observed.bits, shape);
  if (oracle::is_empty_problem(test_case)) {
    add_zeros(output, computed);
  } else {
    add_elements(output, exact_sums(geometry, role, way, operands), computed);
  }
  return output;
}

}  // namespace

std::vector<MeasuredOutput> measured_outputs(const corpus::Case& test_case,
                                             const corpus::Observation& seen) {
  std::vector<MeasuredOutput> outputs;
  const auto geometry = oracle::geometry_of(test_case);
  if (!geometry || !test_case.data) return outputs;
  oracle::OperandStore operands(test_case, *geometry);
  for (const OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(test_case, role)) continue;
    // The documents leave it untouched; other tools, which would expect zeros, are not asked.
    if (role == OutputRole::GradInput && oracle::is_empty_problem(test_case)) continue;
    auto output = measured(test_case, *geometry, operands, role, seen.outputs[role]);
    if (output) outputs.push_back(std::move(*output));
  }
  return outputs;
}

}  // namespace gradproof::advice
