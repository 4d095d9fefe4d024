#include "properties/advice/explain/typical_error.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/random_sum.h"
#include "oracle/geometry/geometry.h"
#include "oracle/geometry/sum_lengths.h"

namespace gradproof::advice {
namespace {

using corpus::OutputRole;

/// True if operands and sums are rounded as the model has it: to nearest.
bool is_modelled(const oracle::Arithmetic& way, const oracle::JudgeSettings& settings) {
  const bool is_hf32 = way.operands == oracle::NumberFormat::Hf32Wide ||
                       way.operands == oracle::NumberFormat::Hf32Narrow;
  return settings.adder == oracle::Adder::Ieee &&
         !(is_hf32 && settings.hf32_rounding == oracle::Hf32Rounding::Unknown);
}

bool is_modelled(const corpus::GradientMachine& machine) {
  using corpus::TreeFamily;
  const auto& node = machine.node;
  return machine.tree.family != TreeFamily::Blocks && machine.tree.family != TreeFamily::Explicit &&
         node.rounding == corpus::MachineRounding::NearestEven && node.accumulator_bits == 24 &&
         !node.extra_bits;
}

oracle::RandomOperand operand(const corpus::Case& test_case, corpus::InputRole role,
                              const DataLaw& data) {
  return {data.values, oracle::format_of(corpus::tensor(test_case, role)->dtype)
                           .value_or(oracle::NumberFormat::Float)};
}

oracle::AddendLaw products(const corpus::Case& test_case, OutputRole role, const DataLaw& data,
                           const oracle::Arithmetic& way) {
  const auto grad_output = operand(test_case, corpus::InputRole::GradOutput, data);
  if (role == OutputRole::GradBias) return oracle::addend_law(grad_output, {}, way);
  const auto other =
      role == OutputRole::GradInput ? corpus::InputRole::Weight : corpus::InputRole::Input;
  return oracle::addend_law(grad_output, operand(test_case, other, data), way);
}

}  // namespace

std::optional<TypicalError> typical_error(const corpus::Case& test_case,
                                          const GradientComputation& gradient,
                                          const oracle::JudgeSettings& settings,
                                          const DataLaw& data,
                                          const corpus::GradientMachine* machine) {
  const auto ways = oracle::arithmetics(test_case, gradient.role, settings);
  const auto geometry = oracle::geometry_of(test_case);
  if (ways.empty() || !geometry || !is_modelled(ways.front(), settings)) return std::nullopt;
  if (machine != nullptr && !is_modelled(*machine)) return std::nullopt;
  if (!gradient.in_tiles.empty()) return std::nullopt;  // such a kernel's errors are other ones
  auto lengths = oracle::sum_lengths(*geometry, gradient.role);
  if (lengths.empty()) return std::nullopt;
  oracle::RandomSum sum(products(test_case, gradient.role, data, ways.front()), std::move(lengths),
                        machine == nullptr ? corpus::SummationTree{} : machine->tree);
  const auto worst = gradient.tolerance(data.largest);
  const double relative = gradient.output_rounding;
  const double before = sum.quantile(typical_rate) * (1 + relative) + gradient.smallest_step;
  TypicalError typical{.relative = relative, .absolute = std::min(before, worst.absolute)};
  typical.error =
      relative > 0 ? sum.rounded_quantile(typical_rate, ways.front().roundings) : typical.absolute;
  return typical;
}

std::string typical_words(const std::optional<TypicalError>& typical) {
  if (!typical) return "what is typical is not known of this arithmetic";
  return fmt::format("a right library exceeds {:.2g} {}", typical->error, typical_rate_words);
}

nlohmann::ordered_json json_of(const std::optional<TypicalError>& typical) {
  if (!typical) return nullptr;
  return {{"error", typical->error},
          {"rate", typical_rate},
          {"rtol", typical->relative},
          {"atol", typical->absolute}};
}

}  // namespace gradproof::advice
