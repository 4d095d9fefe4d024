#pragma once

#include <cstdint>
#include <vector>

#include "oracle/gradients/binned/bin_plan.h"
#include "oracle/numbers/instruction_set.h"
#include "oracle/sums/digit_sum.h"

namespace gradproof::oracle {

/// Steps on the rows of bins, and on the digits of all lanes at once.
struct BinKernel {
  /// Folds rows into digits and clears them. Row r counts 2^(r << log_quantum); digits count powers
  /// of 2^32, each held in 64 bits, without carries left.
  void (*fold)(std::int64_t* rows, std::int64_t row_count, int log_quantum, std::int64_t* digits,
               std::int64_t digit_count);
  /// Puts every two digits together in the first half of their places, and clears the second.
  void (*pair)(std::int64_t* digits, std::int64_t pairs);
};

/// Kernel for the widest instructions up to these; all give the same bits.
BinKernel bin_kernel(InstructionSet instructions);

/// The sums of `bin_lanes` outputs that share their left operands.
/// Invariant: sum of a lane = sum over rows r of rows[r] * 2^(quantum * r) + sum over digits d of
/// digits[d] * 2^(32 d), in units of 2^exponent, modulo 2^(64 * digit_pairs). Folding moves value
/// from the first part to the second and changes no sum. Rows are exact integers, so the order of
/// `add` does not matter.
class BinSums {
 public:
  BinSums(const BinPlan& plan, InstructionSet instructions);

  /// Adds left[i] * right[i * stride + lane] to every lane, for `count` steps.
  void add(const BinWord* left, const BinWord* right, std::int64_t stride, std::int64_t count);

  /// Adds products to two sums, by one plan, that have the right operand in common.
  static void add_to_both(BinSums& one, const BinWord* left, BinSums& other,
                          const BinWord* other_left, const BinWord* right, std::int64_t stride,
                          std::int64_t count);

  /// Writes the sums of the first `lanes` lanes, `apart` elements from one another, and makes all
  /// of them zero.
  void take(DigitSums& result, std::int64_t index, std::int64_t lanes, std::int64_t apart);

 private:
  /// Empties the rows into the digits.
  void fold();

  const BinPlan& plan_;
  BinKernel kernel_;
  std::vector<std::int64_t> rows_, digits_;
  std::int64_t added_ = 0;
};

}  // namespace gradproof::oracle
