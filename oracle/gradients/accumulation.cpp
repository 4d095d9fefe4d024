#include "oracle/gradients/accumulation.h"

#include <utility>

#include "oracle/gradients/binned/binned_gradient.h"
#include "oracle/gradients/rows/plane_accumulation.h"
#include "oracle/gradients/rows/product_accumulation.h"
#include "oracle/numbers/check.h"
#include "oracle/numbers/instruction_set.h"
#include "oracle/operands/operands.h"
#include "oracle/sums/accumulators.h"

namespace gradproof::oracle {

using corpus::OutputRole;

// A driver element of the small map is multiplied at every tap; one of the big map only at taps
// whose position is a multiple of the stride away, which is 1 / stride of them along each axis.
// Cost of a driver: its non-zeros times the products of each. For dx the plan has no choice: weight
// is the source, and the map that is not the target drives.
ProductPlan plan_of(const Geometry& geometry, OutputRole role, std::size_t grad_output_non_zeros,
                    std::size_t other_non_zeros) {
  const bool grad_output_is_small = !geometry.transposed;
  const Driver grad_output = grad_output_is_small ? Driver::Small : Driver::Big;
  if (role == OutputRole::GradInput) return {.driver = grad_output};
  const auto cost = [&](Driver driver, std::size_t non_zeros) {
    const bool is_small = driver == Driver::Small;
    std::int64_t strides = 1;
    for (const Axis& axis : geometry.axes) strides *= is_small ? 1 : axis.stride;
    const std::int64_t partner = is_small ? geometry.big_channels : geometry.small_channels;
    return static_cast<double>(non_zeros) * static_cast<double>(partner * geometry.taps()) /
           static_cast<double>(strides);
  };
  const Driver input = grad_output_is_small ? Driver::Big : Driver::Small;
  const bool by_input = cost(input, other_non_zeros) < cost(grad_output, grad_output_non_zeros);
  return {.driver = by_input ? input : grad_output,
          .target_is_weight = true,
          .driver_is_grad_output = !by_input};
}

namespace {

template <typename Accumulator>
ExactTensor accumulated_in(const Geometry& geometry, const ProductPlan& plan,
                           const Dense<Number>& driver, const Extent& driver_extent,
                           const Dense<Number>& source, const Extent& source_extent) {
  Accumulation<Accumulator> accumulate(geometry, plan);
  const int unit = driver_extent.unit + source_extent.unit;
  auto sums = accumulate(driver, driver_extent.unit, source, source_extent.unit);
  return {in_units(std::move(sums), unit), unit};
}

/// Gradient by a sum for each element, in the cheapest accumulator that holds the sums: doubles,
/// then 128-bit integers, then wide sums, then GMP's integers. The unit of a product is the sum of
/// the units: (m 2^u)(m' 2^u') = m m' 2^(u + u').
ExactTensor by_element(const Geometry& geometry, OutputRole role,
                       const MeasuredOperand& grad_output, const MeasuredOperand& other) {
  const ProductPlan plan =
      plan_of(geometry, role, grad_output.extent.non_zeros, other.extent.non_zeros);
  const auto& [driver, driver_extent] = plan.driver_is_grad_output ? grad_output : other;
  const auto& [source, source_extent] = plan.driver_is_grad_output ? other : grad_output;
  const int left = driver_extent.window_bits();
  const int right = source_extent.window_bits();
  const std::int64_t terms = geometry.longest_reduction(role);
  if (holds<DoubleAccumulator>(left, right, terms)) {
    return accumulated_in<DoubleAccumulator>(geometry, plan, driver, driver_extent, source,
                                             source_extent);
  }
  if (holds<Int128Accumulator>(left, right, terms)) {
    return accumulated_in<Int128Accumulator>(geometry, plan, driver, driver_extent, source,
                                             source_extent);
  }
  if (are_floats(driver.elements()) && are_floats(source.elements())) {
    return accumulated_in<WideAccumulator>(geometry, plan, driver, driver_extent, source,
                                           source_extent);
  }
  return accumulated_in<WholeAccumulator>(geometry, plan, driver, driver_extent, source,
                                          source_extent);
}

template <typename Accumulator>
ExactTensor by_planes_in(const Geometry& geometry, OutputRole role,
                         const MeasuredOperand& grad_output, const MeasuredOperand& other) {
  return {PlaneAccumulation<Accumulator>(geometry, role)(grad_output, other),
          grad_output.extent.unit + other.extent.unit};
}

/// True if runs of positions are the faster way: few channels meet, and few of the products are
/// zero. The limits are measured, and decide speed alone.
bool are_planes_worthwhile(const Geometry& geometry, OutputRole role,
                           const MeasuredOperand& grad_output, const MeasuredOperand& other) {
  constexpr std::int64_t few_pairs = 16, few_channels = 2, shortest_line = 4;
  constexpr double fewest_products = 1 << 12, non_zeros_that_pay = 0.3;
  const bool is_weight = role == OutputRole::GradWeight;
  const std::int64_t pairs = geometry.small_channels * geometry.big_channels;
  const bool meet_few =
      pairs <= few_pairs || (!is_weight && geometry.small_channels <= few_channels);
  if (!meet_few || geometry.axes[2].small < shortest_line) return false;
  const double products = static_cast<double>(geometry.batch * geometry.small_positions()) *
                          static_cast<double>(geometry.groups * pairs * geometry.taps());
  if (products < fewest_products) return false;
  const auto pays = [](const MeasuredOperand& operand) {
    return static_cast<double>(operand.extent.non_zeros) >
           non_zeros_that_pay * static_cast<double>(operand.numbers.size());
  };
  return pays(grad_output) && (!is_weight || pays(other));
}

/// The limit of ExactSum, which all ways share so that which of them runs decides nothing.
void check_length(const Geometry& geometry, OutputRole role) {
  check(geometry.longest_reduction(role) < std::int64_t{1} << 30,
        "a reduction has fewer than 2^30 products");
}

}  // namespace

/// Exponent bins for dense operands whose bits span too much for 63-bit integers, runs of positions
/// where few channels meet, blocked matrix products for other dense operands, and element by
/// element what is small or sparse. All give the same values: which is taken is a matter of speed.
ExactTensor accumulated(const Geometry& geometry, OutputRole role,
                        const MeasuredOperand& grad_output, const MeasuredOperand& other) {
  check_length(geometry, role);
  const InstructionSet instructions = widest_instruction_set();
  if (is_binning_worthwhile(geometry, role, grad_output, other) &&
      spans_too_much(geometry, role, grad_output, other) &&
      are_floats(grad_output.numbers.elements()) && are_floats(other.numbers.elements())) {
    return binned_accumulated(geometry, role, grad_output, other, instructions);
  }
  if (are_planes_worthwhile(geometry, role, grad_output, other)) {
    auto sums = accumulated_by_planes(geometry, role, grad_output, other);
    if (sums) return std::move(*sums);
  }
  if (is_dense_worthwhile(geometry, role, grad_output, other, instructions)) {
    auto sums = dense_accumulated(geometry, role, grad_output, other, instructions);
    if (sums) return std::move(*sums);
  }
  return by_element(geometry, role, grad_output, other);
}

std::optional<ExactTensor> accumulated_by_planes(const Geometry& geometry, OutputRole role,
                                                 const MeasuredOperand& grad_output,
                                                 const MeasuredOperand& other) {
  const int left = grad_output.extent.window_bits();
  const int right = other.extent.window_bits();
  const std::int64_t terms = geometry.longest_reduction(role);
  if (holds<DoubleAccumulator>(left, right, terms)) {
    return by_planes_in<DoubleAccumulator>(geometry, role, grad_output, other);
  }
  if (!holds<Int128Accumulator>(left, right, terms)) return std::nullopt;
  return by_planes_in<Int128Accumulator>(geometry, role, grad_output, other);
}

ExactTensor accumulated_by_element(const Geometry& geometry, OutputRole role,
                                   const MeasuredOperand& grad_output,
                                   const MeasuredOperand& other) {
  check_length(geometry, role);
  return by_element(geometry, role, grad_output, other);
}

}  // namespace gradproof::oracle
