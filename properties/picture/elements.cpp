#include "properties/picture/elements.h"

#include <cstdint>
#include <optional>
#include <span>

#include "oracle/arithmetic/machine_scope.h"
#include "oracle/facts/axis_order.h"
#include "oracle/geometry/workload.h"
#include "oracle/gradients/fast_gradients.h"
#include "oracle/judge/operand_store.h"
#include "properties/session/phases.h"

namespace gradproof::properties {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;
using oracle::Decision;

/// Beyond these a picture would take longer than the finding: a second or so of exact sums.
constexpr std::uint64_t most_products = 50'000'000, most_elements = 1'000'000;

bool is_too_large(const Case& problem, const oracle::Geometry& geometry) {
  std::int64_t elements = 0;
  for (const InputRole role : corpus::input_roles) {
    elements += oracle::element_count(geometry.shape(role));
  }
  return oracle::mac_count(problem).value_or(most_products + 1) > most_products ||
         static_cast<std::uint64_t>(elements) > most_elements;
}

std::vector<std::byte> logical_bits(const Case& problem, OutputRole role,
                                    std::vector<std::byte> bits) {
  const auto& output = *corpus::tensor(problem, role);
  const auto order = oracle::own_order(problem, output);
  if (!order) return bits;
  return oracle::in_logical_order(bits, corpus::size_bytes(output.dtype), output.shape, *order);
}

std::vector<Decision> decided(oracle::ElementJudge& judge,
                              const oracle::Dense<oracle::Number>& computed) {
  std::vector<Decision> decisions;
  decisions.reserve(computed.size());
  for (std::size_t i = 0; i < computed.size(); ++i) {
    decisions.push_back(judge.decide(i, computed[i], judge.expected(i)));
  }
  return decisions;
}

void look_at(const Case& problem, OutputRole role, const oracle::Geometry& geometry,
             const oracle::Arithmetic& way, std::span<const std::byte> bits,
             const CheckSettings& settings, const std::function<void(const Elements&)>& look) {
  oracle::OperandStore store(problem, geometry);
  oracle::Arithmetic in_memory = way;
  in_memory.operands = oracle::NumberFormat::Float;  // which holds every other
  const bool is_bias = role == OutputRole::GradBias;
  const InputRole other_role = is_bias                         ? InputRole::GradOutput
                               : role == OutputRole::GradInput ? InputRole::Weight
                                                               : InputRole::Input;
  const auto grad_output = store.measured(InputRole::GradOutput, way);
  const auto other = store.measured(other_role, way);
  const oracle::FastGradient exact = is_bias
                                         ? oracle::FastGradient(geometry, grad_output)
                                         : oracle::FastGradient(geometry, role, grad_output, other);
  std::optional<oracle::OrderedBounds> ordered;
  if (const auto* machine = oracle::machine_for(settings.judge, problem, role)) {
    ordered.emplace(*machine, way, geometry, role, grad_output.numbers, other.numbers);
  }
  const oracle::ComparisonBasis basis{.exact = exact,
                                      .arithmetic = way,
                                      .adder = oracle::adder_for(settings.judge, problem, role),
                                      .is_bias = is_bias,
                                      .specials_are_demanded = settings.judge.judges_specials,
                                      .indices = nullptr,
                                      .ordered = ordered ? &*ordered : nullptr};
  oracle::ElementJudge judge(basis);
  const auto computed = oracle::decoded(way.output, bits, geometry.shape(role));
  const auto decisions = decided(judge, computed);
  look({problem, role, geometry, way, store.of(InputRole::GradOutput, in_memory),
        store.of(other_role, in_memory), grad_output.numbers, other.numbers, computed, decisions,
        judge});
}

}  // namespace

std::string look_at_elements(Target& target, const Case& problem, OutputRole role,
                             const CheckSettings& settings,
                             const std::function<void(const Elements&)>& look) {
  const auto geometry = oracle::geometry_of(problem);
  const auto& output = corpus::tensor(problem, role);
  if (!geometry || !problem.data || !output || !corpus::is_requested(problem, role)) {
    return "the call has no such output with data";
  }
  if (is_too_large(problem, *geometry)) {
    return "the call is too large: more than 50 million products or a million operands";
  }
  const auto ways = oracle::arithmetics(problem, role, settings.judge);
  const auto seen = target.run_case(problem, settings.run);
  if (ways.empty() || seen.failure || !has_computed(seen)) return "the call computed nothing";
  const auto& bits = seen.outputs.at(static_cast<std::size_t>(role)).bits;
  const auto elements = static_cast<std::size_t>(oracle::element_count(geometry->shape(role)));
  if (elements == 0 || bits.size() != elements * corpus::size_bytes(output->dtype)) {
    return "the call computed nothing";
  }
  look_at(problem, role, *geometry, ways.front(), logical_bits(problem, role, bits), settings,
          look);
  return {};
}

}  // namespace gradproof::properties
