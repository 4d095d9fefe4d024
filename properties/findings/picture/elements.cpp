#include "properties/findings/picture/elements.h"

#include <fmt/core.h>

#include "oracle/facts/axis_order.h"
#include "oracle/geometry/workload.h"
#include "properties/findings/picture/output_judge.h"
#include "properties/targets/session/phases.h"

namespace gradproof::findings {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;
using oracle::Decision;

constexpr const char* computed_nothing = "the call computed nothing";

bool is_too_large(const Case& test_case, const oracle::Geometry& geometry,
                  const LookLimits& limits) {
  std::int64_t elements = 0;
  for (const InputRole role : corpus::input_roles) {
    elements += oracle::element_count(geometry.shape(role));
  }
  return oracle::mac_count(test_case).value_or(limits.products + 1) > limits.products ||
         static_cast<std::uint64_t>(elements) > limits.operands;
}

/// Describes why an output is not looked at; empty: it can be looked at as far as the call goes.
std::string why_not_looked_at(const Case& test_case, OutputRole role, bool has_operands,
                              const LookLimits& limits) {
  const auto geometry = oracle::geometry_of(test_case);
  const bool has_data = test_case.data || has_operands;
  const bool has_output = corpus::tensor(test_case, role) && corpus::is_requested(test_case, role);
  if (!geometry || !has_data || !has_output) return "the call has no such output with data";
  const bool has_bias = corpus::is_forward(test_case.api) && test_case.input;
  if (has_bias) return "the call adds a bias, of which the picture has no place";
  if (!is_too_large(test_case, *geometry, limits)) return {};
  constexpr std::uint64_t million = 1'000'000;
  return fmt::format("the call is too large: more than {} million products or {} million operands",
                     limits.products / million, limits.operands / million);
}

std::vector<std::byte> logical_bits(const Case& test_case, OutputRole role,
                                    std::span<const std::byte> bits) {
  const auto& output = *corpus::tensor(test_case, role);
  const auto order = oracle::own_order(test_case, output);
  if (!order) return {bits.begin(), bits.end()};
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

void look_at(const Case& test_case, OutputRole role, const oracle::Geometry& geometry,
             const oracle::Arithmetic& way, const SeenOutput& seen,
             const oracle::JudgeSettings& settings,
             const std::function<void(const Elements&)>& look) {
  oracle::OperandStore store(test_case, geometry, seen.operands);
  oracle::Arithmetic in_memory = way;
  in_memory.operands = oracle::NumberFormat::Float;  // which holds every other
  OutputJudge judge(test_case, role, geometry, way, settings, store);
  const auto computed =
      oracle::decoded(way.output, logical_bits(test_case, role, seen.bits), geometry.shape(role));
  const auto decisions = decided(judge.elements(), computed);
  look({test_case, role, geometry, way, store.of(InputRole::GradOutput, in_memory),
        store.of(other_operand(role), in_memory), judge.grad_output(), judge.other(), computed,
        decisions, judge.elements()});
}

}  // namespace

std::string look_at_output(const Case& test_case, OutputRole role, const SeenOutput& seen,
                           const oracle::JudgeSettings& settings, const LookLimits& limits,
                           const std::function<void(const Elements&)>& look) {
  auto why_not = why_not_looked_at(test_case, role, seen.operands != nullptr, limits);
  if (!why_not.empty()) return why_not;
  const auto geometry = oracle::geometry_of(test_case);
  const auto ways = oracle::arithmetics(test_case, role, settings);
  const auto elements = to_size(oracle::element_count(geometry->shape(role)));
  const std::size_t size = corpus::size_bytes(corpus::tensor(test_case, role)->dtype);
  if (ways.empty() || elements == 0 || seen.bits.size() != elements * size) {
    return computed_nothing;
  }
  look_at(test_case, role, *geometry, ways.front(), seen, settings, look);
  return {};
}

std::string look_at_elements(targets::Target& target, const Case& test_case, OutputRole role,
                             const cases::CheckSettings& settings,
                             const std::function<void(const Elements&)>& look) {
  auto why_not = why_not_looked_at(test_case, role, false, {});
  if (!why_not.empty()) return why_not;
  const auto seen = target.run_case(test_case, settings.run);
  if (seen.failure || !targets::has_computed(seen)) return computed_nothing;
  const auto& bits = seen.outputs[role].bits;
  return look_at_output(test_case, role, {nullptr, bits}, settings.judge, {}, look);
}

}  // namespace gradproof::findings
