#include "oracle/judge/sum_scope.h"

#include <cmath>

#include "oracle/numbers/int128.h"

namespace gradproof::oracle {
namespace {

/// Whether a non-zero element may be below 2^exponent in magnitude.
bool is_below(const Extent& extent, int exponent) {
  return extent.non_zeros > 0 && extent.lowest_leading < exponent;
}

}  // namespace

SumScope scope_of(const ExactGradient& exact) {
  return {.grad_output = exact.extent_of_grad_output(),
          .other = exact.extent_of_other(),
          .longest_reduction = exact.longest_reduction()};
}

bool has_subnormal_operands(const SumScope& scope, const Arithmetic& arithmetic) {
  const int smallest_normal = smallest_normal_exponent(arithmetic.operands);
  return is_below(scope.grad_output, smallest_normal) || is_below(scope.other, smallest_normal);
}

/// For FLOAT: at the upper end 2^24 * 2^103 = 2^127 is finite. At the lower one, sums of multiples
/// of 2^-149 are exact where nothing is flushed; a device that may flush gets multiples of 2^-124,
/// all of them normal, and no subnormal operands.
bool grid_fits(const SumScope& scope, const Arithmetic& arithmetic, Adder adder) {
  if (arithmetic.operand_slack != 0) return false;
  const int unit = scope.product_unit();
  const NumberFormat sums = arithmetic.sums;
  if (unit > std::ilogb(largest_finite(sums)) - precision(sums)) return false;
  if (adder == Adder::Ieee) return unit >= smallest_exponent(sums);
  return unit >= smallest_normal_exponent(sums) + 2 && !has_subnormal_operands(scope, arithmetic);
}

bool every_sum_is_exact(const SumScope& scope, const Arithmetic& arithmetic, Adder adder) {
  const int bits = scope.grad_output.window_bits() + scope.other.window_bits();
  const auto terms = static_cast<Uint128>(scope.longest_reduction);
  return grid_fits(scope, arithmetic, adder) &&
         bits + bit_width(terms) <= precision(arithmetic.sums);
}

}  // namespace gradproof::oracle
