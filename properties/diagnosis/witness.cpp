#include "properties/diagnosis/witness.h"

#include <utility>

#include "corpus/element_values.h"
#include "oracle/operands/operands.h"
#include "properties/session/phases.h"
#include "properties/target/target.h"

namespace gradproof::properties::diagnosis {
namespace {

using corpus::Case;
using corpus::InputRole;

std::optional<Numbers> operand(const Case& problem, InputRole role,
                               const oracle::Geometry& geometry) {
  const auto format = oracle::format_of(corpus::tensor(problem, role)->dtype);
  if (!format) return std::nullopt;
  return oracle::decoded(*format, corpus::element_values(problem, role), geometry.shape(role));
}

}  // namespace

std::optional<Witness> observe(Target& target, const Case& problem, corpus::OutputRole role,
                               const CheckSettings& settings) {
  const auto geometry = oracle::geometry_of(problem);
  if (!geometry || !problem.data || !corpus::is_requested(problem, role)) return std::nullopt;
  const auto& output = corpus::tensor(problem, role);
  if (!output || corpus::element_count(output->shape).value_or(0) == 0) return std::nullopt;
  Witness witness;
  witness.problem = problem;
  witness.role = role;
  witness.geometry = *geometry;
  witness.arithmetics = oracle::arithmetics(problem, role, settings.judge);
  witness.adder = settings.judge.adder;
  if (witness.arithmetics.empty()) return std::nullopt;
  auto grad_output = operand(problem, InputRole::GradOutput, *geometry);
  auto other = operand(problem, witness.has_other() ? witness.other_role() : InputRole::GradOutput,
                       *geometry);
  if (!grad_output || !other) return std::nullopt;
  witness.grad_output = std::move(*grad_output);
  witness.other = std::move(*other);
  auto seen = target.run_case(problem, settings.run);
  if (seen.failure || !has_computed(seen)) return std::nullopt;
  witness.observed = std::move(seen.outputs.at(static_cast<std::size_t>(role)));
  const auto elements = static_cast<std::size_t>(oracle::element_count(geometry->shape(role)));
  if (witness.observed.bits.size() != elements * corpus::size_bytes(output->dtype)) {
    return std::nullopt;
  }
  return witness;
}

}  // namespace gradproof::properties::diagnosis
