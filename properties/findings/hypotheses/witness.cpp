#include "properties/findings/hypotheses/witness.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "oracle/facts/axis_order.h"
#include "oracle/gradients/fast_gradients.h"
#include "oracle/operands/operands.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/targets/session/phases.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::Case;
using corpus::InputRole;

std::optional<Numbers> operand(const Case& test_case, InputRole role,
                               const oracle::Geometry& geometry,
                               const oracle::GivenOperands* given) {
  if (!oracle::format_of(corpus::tensor(test_case, role)->dtype)) return std::nullopt;
  return oracle::operand_in_memory(test_case, role, geometry, given);
}

/// Notes facts of the call alone: its number of axes, and its padding behind the last element.
void note_axes(Witness& witness) {
  const auto sizes = cases::convolution_of(witness.test_case);
  if (!sizes) return;
  witness.axes = sizes->axes.size();
  const std::size_t lacking = witness.padding_end.size() - witness.axes;
  for (std::size_t i = 0; i < witness.axes; ++i) {
    witness.padding_end.at(lacking + i) = sizes->axes[i].padding_end;
  }
}

/// Elements of an output above which some are looked at: hundreds of hypotheses are held against
/// it.
constexpr std::size_t most_looked_at_whole = std::size_t{1} << 16U;

/// Distance of each element from the exact one, infinite where it is none.
std::vector<double> errors_of(const Witness& witness) {
  const oracle::Arithmetic& right = witness.arithmetics.front();
  const auto as_multiplied = [&](const Numbers& numbers) {
    return oracle::converted(numbers, right.operands, right.operand_rounding, right.overflow);
  };
  const Numbers grad_output = as_multiplied(witness.grad_output);
  const Numbers other = witness.has_other() ? as_multiplied(witness.other) : Numbers{};
  const auto exact = witness.has_other()
                         ? oracle::FastGradient(witness.geometry, witness.role, grad_output, other)
                         : oracle::FastGradient(witness.geometry, grad_output);
  const auto sums = exact.sums();
  const Numbers computed =
      oracle::decoded(right.output, witness.observed.bits, witness.geometry.shape(witness.role));
  std::vector<double> errors(computed.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < computed.size(); ++i) {
    if (!computed[i].is_finite()) continue;
    errors[i] = std::fabs(oracle::to_double(computed[i]) - sums.approximate(i));
  }
  return errors;
}

void choose_elements(Witness& witness) {
  const auto elements = to_size(oracle::element_count(witness.geometry.shape(witness.role)));
  if (elements <= most_looked_at_whole) return;
  constexpr std::size_t furthest = 96, all_over = 97;
  const std::vector<double> errors = errors_of(witness);
  std::vector<std::uint64_t>& chosen = witness.looked_at;
  chosen.resize(elements);
  std::iota(chosen.begin(), chosen.end(), std::uint64_t{0});
  std::ranges::nth_element(chosen, chosen.begin() + furthest, std::greater{},
                           [&](std::uint64_t i) { return errors[i]; });
  chosen.resize(furthest);
  for (std::size_t i = 0; i < all_over; ++i) chosen.push_back(i * (elements - 1) / (all_over - 1));
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
}

/// Orders the elements of an output, whose tensor may have other axes, as N C D H W.
void order_observed(Witness& witness, const corpus::TensorCase& output) {
  const auto order = oracle::own_order(witness.test_case, output);
  if (!order) return;
  const std::size_t size = corpus::size_bytes(output.dtype);
  for (auto* bytes : {&witness.observed.bits, &witness.observed.before}) {
    if (!bytes->empty()) *bytes = oracle::in_logical_order(*bytes, size, output.shape, *order);
  }
}

}  // namespace

std::optional<Witness> unseen(const Case& test_case, corpus::OutputRole role,
                              const oracle::JudgeSettings& settings,
                              const oracle::GivenOperands* given) {
  // Hypotheses are about products; a bias would have to be one of their terms.
  if (corpus::is_forward(test_case.api) && test_case.input) return std::nullopt;
  const auto geometry = oracle::geometry_of(test_case);
  const bool has_data = test_case.data || given != nullptr;
  if (!geometry || !has_data || !corpus::is_requested(test_case, role)) return std::nullopt;
  const auto& output = corpus::tensor(test_case, role);
  if (!output || corpus::element_count(output->shape).value_or(0) == 0) return std::nullopt;
  Witness witness;
  witness.test_case = test_case;
  witness.role = role;
  witness.geometry = *geometry;
  witness.arithmetics = oracle::arithmetics(test_case, role, settings);
  witness.adder = settings.adder;
  if (witness.arithmetics.empty()) return std::nullopt;
  auto grad_output = operand(test_case, InputRole::GradOutput, *geometry, given);
  auto other =
      operand(test_case, witness.has_other() ? witness.other_role() : InputRole::GradOutput,
              *geometry, given);
  if (!grad_output || !other) return std::nullopt;
  witness.grad_output = std::move(*grad_output);
  witness.other = std::move(*other);
  witness.tiles = oracle::tiles_admitted(settings, test_case, witness.geometry, role,
                                         witness.arithmetics.front());
  note_axes(witness);
  return witness;
}

std::optional<Witness> observe(targets::Target& target, const Case& test_case,
                               corpus::OutputRole role, const cases::CheckSettings& settings) {
  auto witness = unseen(test_case, role, settings.judge);
  if (!witness) return std::nullopt;
  auto seen = target.run_case(test_case, settings.run);
  if (seen.failure || !targets::has_computed(seen)) return std::nullopt;
  witness->observed = std::move(seen.outputs[role]);
  const auto& output = *corpus::tensor(test_case, role);
  const auto elements = to_size(oracle::element_count(witness->geometry.shape(role)));
  if (witness->observed.bits.size() != elements * corpus::size_bytes(output.dtype)) {
    return std::nullopt;
  }
  order_observed(*witness, output);
  choose_elements(*witness);
  return witness;
}

}  // namespace gradproof::findings::diagnosis
