#include "oracle/judge/output_comparison.h"

#include <fmt/core.h>

#include <optional>
#include <vector>

#include "oracle/arithmetic/algorithm_scope.h"
#include "oracle/arithmetic/machine_scope.h"
#include "oracle/arithmetic/precision_standard.h"
#include "oracle/facts/axis_order.h"
#include "oracle/geometry/workload.h"
#include "oracle/gradients/biased_gradient.h"
#include "oracle/gradients/fast_gradients.h"
#include "oracle/gradients/sampled_gradient.h"
#include "oracle/judge/element_plan.h"
#include "oracle/judge/tile_bounds.h"
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
        order_(own_order(basis.test_case, *tensor(basis.test_case, role))),
        reordered_(order_ ? in_logical_order(observed) : OutputObservation{}),
        observed_(order_ ? reordered_ : observed),
        measured_grad_output_(basis.operands.measured(InputRole::GradOutput, way)),
        // gradBias has no other operand; gradOutput stands in, unread.
        measured_other_(role == OutputRole::GradBias ? measured_grad_output_
                        : role == OutputRole::GradInput
                            ? basis.operands.measured(InputRole::Weight, way)
                            : basis.operands.measured(InputRole::Input, way)),
        bias_(basis.operands.bias(way)) {
    if (!bias_.empty()) return;  // models of tiles and of orders know of products alone
    if (const auto form =
            tiles_admitted(basis.settings, basis.test_case, basis.geometry, role, way)) {
      const Adder adder = adder_for(basis.settings, basis.test_case, role);
      tiles_.emplace(*form, way_, adder, basis_.geometry, role_, measured_grad_output_,
                     measured_other_);
    }
    const auto* machine = machine_for(basis.settings, basis.test_case, role);
    if (machine == nullptr || way_.operand_slack != 0) return;
    ordered_.emplace(*machine, way_, basis_.geometry, role_, grad_output_, other_);
  }

  Comparison whole() const {
    const FastGradient exact =
        is_bias() ? FastGradient(basis_.geometry, measured_grad_output_)
                  : FastGradient(basis_.geometry, role_, measured_grad_output_, measured_other_);
    return compared(exact, nullptr);
  }

  Comparison sampled() const {
    const ElementPlan plan =
        sampled_elements(basis_.geometry, role_, basis_.settings.sampled_products, seed());
    Comparison comparison = of(plan.indices);
    comparison.coverage = plan.words;
    return comparison;
  }

  /// These elements alone.
  Comparison of(const std::vector<std::uint64_t>& indices) const {
    const SampledGradient exact(basis_.geometry, role_, grad_output_, other_, indices);
    return compared(exact, &indices);
  }

 private:
  bool is_bias() const { return role_ == OutputRole::GradBias; }
  std::uint64_t seed() const { return basis_.test_case.data ? basis_.test_case.data->seed : 0; }
  const std::vector<std::int64_t>& shape() const { return tensor(basis_.test_case, role_)->shape; }

  Comparison compared(const ExactGradient& exact, const std::vector<std::uint64_t>* indices) const {
    if (bias_.empty()) return compare(comparison_basis(exact, indices), observed_, shape());
    const Shape whole = basis_.geometry.shape(role_);
    const BiasedGradient biased(exact, bias_, whole[2] * whole[3] * whole[4], indices,
                                way_.bias_is_late);
    ComparisonBasis own = comparison_basis(biased, indices);
    if (!way_.bias_is_late) return compare(own, observed_, shape());
    own.late_bias = &biased;
    own.each_element_alone = true;
    return compare(own, observed_, shape());
  }

  ComparisonBasis comparison_basis(const ExactGradient& exact,
                                   const std::vector<std::uint64_t>* indices) const {
    return {.exact = exact,
            .arithmetic = way_,
            .adder = adder_for(basis_.settings, basis_.test_case, role_),
            .is_bias = is_bias(),
            .specials_are_demanded = basis_.settings.judges_specials,
            .indices = indices,
            .order = order_,
            .each_element_alone = basis_.settings.each_element_alone,
            .ordered = ordered_ ? &*ordered_ : nullptr,
            .tiles = tiles_ ? &*tiles_ : nullptr};
  }

  /// The bits before and after the run, along N C D H W.
  OutputObservation in_logical_order(const OutputObservation& observed) const {
    const auto& described = *tensor(basis_.test_case, role_);
    const std::size_t size = size_bytes(described.dtype);
    OutputObservation result;
    result.bits = oracle::in_logical_order(observed.bits, size, described.shape, *order_);
    if (observed.before.size() != observed.bits.size()) return result;
    result.before = oracle::in_logical_order(observed.before, size, described.shape, *order_);
    return result;
  }

  const CaseBasis& basis_;
  OutputRole role_;
  const Arithmetic& way_;
  std::optional<AxisOrder> order_;  ///< of the output's axes, if not N C D H W
  OutputObservation reordered_;     ///< empty without an order
  const OutputObservation& observed_;
  MeasuredOperand measured_grad_output_, measured_other_;
  const Dense<Number>& grad_output_ = measured_grad_output_.numbers;
  const Dense<Number>& other_ = measured_other_.numbers;
  std::vector<Number> bias_;                      ///< of a forward call; empty: none
  mutable std::optional<OrderedBounds> ordered_;  ///< remembers the last one
  mutable std::optional<TileBounds> tiles_;       ///< likewise
};

/// Of an output whose elements are all exact, and whose sums do not round.
Comparison all_exact(const CaseBasis& basis, OutputRole role, const Arithmetic& way,
                     std::uint64_t zeros) {
  Comparison result;
  corpus::OutputEvidence& evidence = result.evidence;
  evidence.compared = evidence.sums_are_exact = true;
  evidence.elements = static_cast<std::uint64_t>(element_count(basis.geometry.shape(role)));
  evidence.compared_elements = evidence.ulp_histogram.front() = evidence.elements;
  evidence.compute_format = name_of(way.operands);
  evidence.reduction_length = static_cast<std::uint64_t>(basis.geometry.longest_sum(role));
  ErrorMetrics metrics(way);
  metrics.add_exact(evidence.elements);
  metrics.write_to(evidence);
  result.exact_zeros = zeros;
  if (role != OutputRole::GradBias) {
    result.coverage =
        "all elements by a linear identity modulo 2^61 - 1, a wrong one unnoticed with probability "
        "below 2^-59";
  }
  return result;
}

}  // namespace

Comparison compare_output(const CaseBasis& basis, OutputRole role, const Arithmetic& way,
                          const OutputObservation& observed) {
  const auto decision = basis.linear != nullptr ? basis.linear->decide(role, way) : std::nullopt;
  if (decision && decision->suspects.empty()) return all_exact(basis, role, way, decision->zeros);
  const OutputComparison comparison(basis, role, way, observed);
  if (decision) {
    Comparison suspected = comparison.of(decision->suspects);
    if (suspected.evidence.breaches > 0) return suspected;
  }
  // A bias gradient costs no products, so it is always compared whole.
  const bool is_affordable =
      role == OutputRole::GradBias || mac_count(basis.test_case) <= basis.settings.largest_macs;
  return is_affordable ? comparison.whole() : comparison.sampled();
}

}  // namespace gradproof::oracle
