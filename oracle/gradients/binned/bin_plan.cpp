#include "oracle/gradients/binned/bin_plan.h"

#include <bit>

#include "oracle/numbers/check.h"
#include "oracle/numbers/int128.h"
#include "oracle/sums/digit_sum.h"

namespace gradproof::oracle {

// The widest significand decides `bits`; the remaining bits of the window are left to exponents.
BinPlan::Side BinPlan::side_of(const Dense<Number>& numbers, const Extent& extent) {
  std::uint64_t any = 0;
  for (const Number& number : numbers.elements()) any |= number.significand;
  const int bits = std::max(static_cast<int>(std::bit_width(any)), 1);
  return {extent.unit, bits, std::max(extent.window_bits() - bits, 0)};
}

/// Words must fit 31 bits and a sign, products 63 bits less room for `fewest_products` additions.
/// Digits must hold the weight of the highest row times the sum of all terms, and a sign.
BinPlan::BinPlan(const Dense<Number>& left, const Extent& left_extent, const Dense<Number>& right,
                 const Extent& right_extent, std::int64_t terms)
    : left_(side_of(left, left_extent)), right_(side_of(right, right_extent)) {
  constexpr std::int64_t fewest_products = 256;
  // A product of significands shifted by up to quantum - 1 each stays below 2^product_bits.
  const auto product_bits = [&] {
    return left_.bits + right_.bits + 2 * ((1 << log_quantum_) - 1);
  };
  const auto fits = [&] {
    const int word_bits = std::max(left_.bits, right_.bits) + (1 << log_quantum_) - 1;
    return word_bits <= 31 && product_bits() <= 63 &&
           (1LL << (63 - product_bits())) >= fewest_products;
  };
  // The largest quantum (16, 8 or 4) that fits has the fewest rows to fold. With 4, FLOAT's words
  // have 24 + 3 bits and products 54, which leaves room for 512 of them.
  for (log_quantum_ = 4; log_quantum_ > 2 && !fits();) --log_quantum_;
  check(fits(), "the significands of all formats are narrow enough for bins");
  depth_ = std::int64_t{1} << std::min(63 - product_bits(), 30);
  rows_ = (left_.steepest >> log_quantum_) + (right_.steepest >> log_quantum_) + 1;
  // The sum of all terms is below 2^(highest + product_bits + bit_width(terms)) units; one bit more
  // for the sign, and digits up to those that a fold of the highest row writes.
  const int highest = static_cast<int>((rows_ - 1) << log_quantum_);
  const int bits = highest + product_bits() + bit_width(static_cast<Uint128>(terms)) + 1;
  const int digits = std::max(bits / 32 + 1, highest / 32 + 2);
  digit_pairs_ = static_cast<std::size_t>(digits + 1) / 2;
  check(2 * digit_pairs_ <= DigitSum::most_digits, "sums of any products have digits enough");
}

}  // namespace gradproof::oracle
