#include "oracle/gradients/binned/binned_gradient.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "oracle/gradients/binned/bin_plan.h"
#include "oracle/gradients/binned/binned_products.h"
#include "oracle/gradients/rows/contributing_runs.h"

namespace gradproof::oracle {

using corpus::OutputRole;

/// The limits are measured, and decide speed alone. Cheap conditions first: the mean needs a pass
/// over the axes.
bool is_binning_worthwhile(const Geometry& geometry, OutputRole role,
                           const MeasuredOperand& grad_output, const MeasuredOperand& other) {
  const bool by_small = role == OutputRole::GradInput && geometry.transposed;
  constexpr std::int64_t fewest_lanes = 4;
  constexpr double fewest_products = 1 << 15;
  constexpr double shortest_reduction = 32;  // folding bins costs as much as so many products
  constexpr double non_zeros_that_pay = 0.3;
  if ((by_small ? geometry.small_channels : geometry.big_channels) < fewest_lanes) return false;
  const auto elements = static_cast<double>(element_count(geometry.shape(role)));
  const auto longest = static_cast<double>(geometry.longest_reduction(role));
  if (elements * longest < fewest_products) return false;  // small cases leave here
  const auto share = [](const MeasuredOperand& operand) {
    return static_cast<double>(operand.extent.non_zeros) /
           static_cast<double>(std::max<std::size_t>(operand.numbers.size(), 1));
  };
  if (std::min(share(grad_output), share(other)) <= non_zeros_that_pay) return false;
  const double mean = geometry.mean_reduction(role);
  return mean >= shortest_reduction && elements * mean >= fewest_products;
}

/// The plan's left operand is visited element by element: gradOutput for dx, the small map for dw.
ExactTensor binned_accumulated(const Geometry& geometry, OutputRole role,
                               const MeasuredOperand& grad_output, const MeasuredOperand& other,
                               InstructionSet instructions) {
  const bool is_swapped = role == OutputRole::GradWeight && geometry.transposed;
  const MeasuredOperand& left = is_swapped ? other : grad_output;
  const MeasuredOperand& right = is_swapped ? grad_output : other;
  const BinPlan plan(left.numbers, left.extent, right.numbers, right.extent,
                     std::max<std::int64_t>(geometry.longest_reduction(role), 1));
  if (role == OutputRole::GradWeight) {
    return {binned_weight_gradient(geometry, plan, instructions, left.numbers, right.numbers), 0};
  }
  const Driver target = geometry.transposed ? Driver::Small : Driver::Big;
  return {binned_map_gradient(geometry, target, plan, instructions, left.numbers, right.numbers),
          0};
}

}  // namespace gradproof::oracle
