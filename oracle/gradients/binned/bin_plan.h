#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "oracle/numbers/dense.h"
#include "oracle/numbers/number_format.h"
#include "oracle/operands/operands.h"

namespace gradproof::oracle {

/// Outputs whose sums are kept side by side: eight 64-bit integers fill an AVX-512 register.
inline constexpr std::int64_t bin_lanes = 8;

/// An operand of binned products: an integer, and the place that it adds to that of a sum.
struct BinWord {
  std::int32_t significand = 0;
  std::int32_t place = 0;
};

/// Plan of 64-bit bins for sums of products of any exponents. Exponents are counted in steps of
/// `quantum`; what is left of an exponent goes into the significand. Products whose steps have the
/// same sum are added in one bin, a row of the sums' array.
///
/// An operand is m 2^(unit + e) with e = q * quantum + r, 0 <= r < quantum, and becomes the integer
/// M = m 2^r and the step q. A product is M M' 2^(unit + unit' + (q + q') * quantum): bin q + q'
/// adds the integers M M', and the exact sum is that of all bins times 2^(quantum * bin).
/// This is the exponent-binned accumulator of R. M. Neal (arXiv:1505.05571, the large
/// superaccumulator), with bins of `quantum` exponents.
/// Example: FLOAT operands with all exponents, quantum 4: m has 24 bits and M 27, steps reach (277
/// - 24) / 4 = 63, so that q + q' needs 127 rows of 8 bytes for each of 8 outputs, 8 KiB: the
/// first-level cache holds them, where ExactSum's carries cost three additions a product.
class BinPlan {
 public:
  BinPlan(const Dense<Number>& left, const Extent& left_extent, const Dense<Number>& right,
          const Extent& right_extent, std::int64_t terms);

  /// quantum == 1 << log_quantum: 4, 8 or 16.
  int log_quantum() const { return log_quantum_; }
  /// Bins: row r counts 2^(exponent + quantum * r).
  std::int64_t rows() const { return rows_; }
  /// Number of products that may be added before rows are folded into digits: each is below
  /// 2^product_bits, so 2^(63 - product_bits) of them stay below 2^63. Invariant: |row| <= added *
  /// 2^product_bits < 2^63 while added <= depth.
  std::int64_t depth() const { return depth_; }
  /// Pairs of 32-bit digits, in two's complement, that hold every sum of all terms in units of
  /// 2^exponent.
  std::size_t digit_pairs() const { return digit_pairs_; }
  int exponent() const { return left_.unit + right_.unit; }

  /// Precondition: the number is zero or its exponent is at least the side's unit. A zero has place
  /// 0 and adds 0 to row 0.
  BinWord left_word(const Number& number) const { return word(left_, number); }
  BinWord right_word(const Number& number, std::int64_t lane) const {
    BinWord result = word(right_, number);
    result.place += static_cast<std::int32_t>(lane);
    return result;
  }

 private:
  /// One operand's numbers: integers of up to `bits` bits times 2^(unit + 0 ... unit + steepest).
  /// A number with a higher exponent takes the rest of it into its significand, which is then short
  /// enough: bits + steepest is the window of the whole tensor.
  struct Side {
    int unit = 0, bits = 0, steepest = 0;
  };
  static Side side_of(const Dense<Number>& numbers, const Extent& extent);
  /// The number is significand * 2^(unit + quantum * row): what is left of its exponent, steps
  /// modulo quantum, and what exceeds `steepest` are shifted into the significand.
  BinWord word(const Side& side, const Number& number) const {
    if (number.significand == 0) return {};
    const int raised = number.exponent - side.unit;
    const int steps = std::min(raised, side.steepest);
    const int shift = raised - steps + (steps & ((1 << log_quantum_) - 1));
    const auto significand = static_cast<std::int32_t>(number.significand << shift);
    const auto place = static_cast<std::int32_t>((steps >> log_quantum_) * bin_lanes);
    return {number.negative ? -significand : significand, place};
  }

  Side left_, right_;
  int log_quantum_ = 0;
  std::int64_t rows_ = 0, depth_ = 0;
  std::size_t digit_pairs_ = 0;
};

}  // namespace gradproof::oracle
