#include "oracle/judge/output_comparison.h"

#include <fmt/core.h>

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "oracle/arithmetic/machine_scope.h"
#include "oracle/facts/axis_order.h"
#include "oracle/geometry/workload.h"
#include "oracle/gradients/fast_gradients.h"
#include "oracle/gradients/projection.h"
#include "oracle/gradients/sampled_gradient.h"
#include "oracle/judge/element_judge.h"
#include "oracle/judge/element_plan.h"
#include "oracle/operands/operands.h"

namespace gradproof::oracle {
namespace {

using corpus::InputRole;
using corpus::OutputObservation;
using corpus::OutputRole;

/// One output under one arithmetic.
class OutputComparison {
 public:
  OutputComparison(const CaseBasis& basis, OutputRole role, const Arithmetic& way,
                   const OutputObservation& observed)
      : basis_(basis),
        role_(role),
        way_(way),
        order_(own_order(basis.problem, *tensor(basis.problem, role))),
        reordered_(order_ ? in_logical_order(observed) : OutputObservation{}),
        observed_(order_ ? reordered_ : observed),
        measured_grad_output_(basis.operands.measured(InputRole::GradOutput, way)),
        // gradBias has no other operand; gradOutput stands in, unread.
        measured_other_(role == OutputRole::GradBias ? measured_grad_output_
                        : role == OutputRole::GradInput
                            ? basis.operands.measured(InputRole::Weight, way)
                            : basis.operands.measured(InputRole::Input, way)) {
    const auto* machine = machine_for(basis.settings, basis.problem, role);
    if (machine == nullptr || way_.operand_slack != 0) return;
    ordered_.emplace(*machine, way_, basis_.geometry, role_, grad_output_, other_);
  }

  Comparison whole() const {
    const FastGradient exact =
        is_bias() ? FastGradient(basis_.geometry, measured_grad_output_)
                  : FastGradient(basis_.geometry, role_, measured_grad_output_, measured_other_);
    return compare(comparison_basis(exact, nullptr), observed_, shape());
  }

  /// A selection of elements and, where it applies, the projection of all of them.
  Comparison sampled() const {
    const ElementPlan plan =
        sampled_elements(basis_.geometry, role_, basis_.settings.sampled_products, seed());
    Comparison comparison = compared(plan.indices);
    comparison.coverage = plan.words;
    if (comparison.evidence.breaches > 0 || !is_projectable()) return comparison;
    const ProjectionResult projection =
        project(basis_.geometry, role_, grad_output_, other_, computed(), seed());
    if (!projection.suspects.empty()) return compared(projection.suspects);
    comparison.coverage += fmt::format(
        "; all elements by {}, a wrong one unnoticed with probability 2^-61", projection.words);
    return comparison;
  }

 private:
  bool is_bias() const { return role_ == OutputRole::GradBias; }
  std::uint64_t seed() const { return basis_.problem.data ? basis_.problem.data->seed : 0; }
  const std::vector<std::int64_t>& shape() const { return tensor(basis_.problem, role_)->shape; }

  ComparisonBasis comparison_basis(const ExactGradient& exact,
                                   const std::vector<std::uint64_t>* indices) const {
    return {.exact = exact,
            .arithmetic = way_,
            .adder = adder_for(basis_.settings, basis_.problem, role_),
            .is_bias = is_bias(),
            .specials_are_demanded = basis_.settings.judges_specials,
            .indices = indices,
            .order = order_,
            .each_element_alone = basis_.settings.each_element_alone,
            .ordered = ordered_ ? &*ordered_ : nullptr};
  }

  /// The bits before and after the run, along N C D H W.
  OutputObservation in_logical_order(const OutputObservation& observed) const {
    const auto& described = *tensor(basis_.problem, role_);
    const std::size_t size = size_bytes(described.dtype);
    OutputObservation result;
    result.bits = oracle::in_logical_order(observed.bits, size, described.shape, *order_);
    if (observed.before.size() != observed.bits.size()) return result;
    result.before = oracle::in_logical_order(observed.before, size, described.shape, *order_);
    return result;
  }

  Comparison compared(const std::vector<std::uint64_t>& indices) const {
    const SampledGradient exact(basis_.geometry, role_, grad_output_, other_, indices);
    return compare(comparison_basis(exact, &indices), observed_, shape());
  }

  Dense<Number> computed() const {
    return decoded(way_.output, observed_.bits, basis_.geometry.shape(role_));
  }

  /// Projections are linear: no result may be rounded, and no operand special.
  /// Freivalds' check (gradients/projection.h) compares integers modulo p, so every result must be
  /// an exact sum: no rounding afterwards, and every partial sum on the grid.
  bool is_projectable() const {
    const SampledGradient none(basis_.geometry, role_, grad_output_, other_, {});
    const bool is_finite =
        none.extent_of_grad_output().non_finite + none.extent_of_other().non_finite == 0;
    return way_.roundings.empty() && is_finite &&
           every_sum_is_exact(comparison_basis(none, nullptr)) &&
           projection_cost(basis_.geometry) <= static_cast<double>(projection_budget);
  }

  static constexpr std::uint64_t projection_budget = 10'000'000'000;

  const CaseBasis& basis_;
  OutputRole role_;
  const Arithmetic& way_;
  std::optional<AxisOrder> order_;  ///< of the output's axes, if not N C D H W
  OutputObservation reordered_;     ///< empty without an order
  const OutputObservation& observed_;
  MeasuredOperand measured_grad_output_, measured_other_;
  const Dense<Number>& grad_output_ = measured_grad_output_.numbers;
  const Dense<Number>& other_ = measured_other_.numbers;
  mutable std::optional<OrderedBounds> ordered_;  ///< remembers the last one
};

}  // namespace

Comparison compare_output(const CaseBasis& basis, OutputRole role, const Arithmetic& way,
                          const OutputObservation& observed) {
  const OutputComparison comparison(basis, role, way, observed);
  // A bias gradient costs no products, so it is always compared whole.
  const bool is_affordable =
      role == OutputRole::GradBias || mac_count(basis.problem) <= basis.settings.largest_macs;
  return is_affordable ? comparison.whole() : comparison.sampled();
}

}  // namespace gradproof::oracle
