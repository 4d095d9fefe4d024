#include "oracle/accumulation.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "oracle/check.h"
#include "oracle/lanes.h"
#include "oracle/operands.h"
#include "oracle/product_accumulation.h"

namespace gradproof::oracle {

using corpus::OutputRole;

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

template <typename Lane>
ExactTensor accumulated_in(const Geometry& geometry, const ProductPlan& plan,
                           const Dense<Number>& driver, const Extent& driver_extent,
                           const Dense<Number>& source, const Extent& source_extent) {
  Accumulation<Lane> accumulate(geometry, plan);
  return {accumulate(driver, driver_extent.unit, source, source_extent.unit),
          driver_extent.unit + source_extent.unit};
}

}  // namespace

ExactTensor accumulated(const Geometry& geometry, OutputRole role, const Dense<Number>& grad_output,
                        const Dense<Number>& other) {
  const Extent grad_output_extent = extent_of(grad_output);
  const Extent other_extent = extent_of(other);
  const ProductPlan plan =
      plan_of(geometry, role, grad_output_extent.non_zeros, other_extent.non_zeros);
  const bool forward = plan.driver_is_grad_output;
  const auto& driver = forward ? grad_output : other;
  const auto& source = forward ? other : grad_output;
  const Extent& driver_extent = forward ? grad_output_extent : other_extent;
  const Extent& source_extent = forward ? other_extent : grad_output_extent;
  const std::int64_t terms = geometry.longest_reduction(role);
  check(terms < std::int64_t{1} << 30, "a reduction has fewer than 2^30 products");
  const int left = driver_extent.window_bits();
  const int right = source_extent.window_bits();
  const auto in = [&]<typename Lane>(Lane) {
    return accumulated_in<Lane>(geometry, plan, driver, driver_extent, source, source_extent);
  };
  if (holds<DoubleLane>(left, right, terms)) return in(DoubleLane{});
  if (holds<Int128Lane>(left, right, terms)) return in(Int128Lane{});
  return in(WideLane{});
}

}  // namespace gradproof::oracle
