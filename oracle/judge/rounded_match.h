#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/numbers/number_format.h"
#include "oracle/sums/exact_tensor.h"

namespace gradproof::oracle {

/// Rounds a double to nearest even in a format whose precision is the same everywhere. The double
/// may lie beyond the format's largest number, and so may then the result.
///
/// By adding and subtracting 1.5 * 2^52 ulp, where ulp is the format's unit in the last place at
/// the double: in that binade doubles are multiples of ulp, so the addition rounds and the
/// subtraction is exact. Needs rounding to nearest even in double, which is the default mode, and
/// no reassociation by the compiler (-ffast-math).
/// The subtraction is exact by Sterbenz's lemma (Higham, Accuracy and Stability of Numerical
/// Algorithms, 2nd ed., section 2.5): the shifter s and the sum y both lie in [2^52 ulp, 2^53 ulp),
/// so y / 2 <= s <= 2 y. Ties go to even as in the format: the parities of y / ulp and of (y - s) /
/// ulp agree, because s is an even number of ulps (1.5 * 2^52).
class DoubleRounding {
 public:
  /// `is_possible(format)` must hold.
  explicit DoubleRounding(NumberFormat format);

  /// True if `rounded_through` rounds to this format so: it does not to HIFLOAT8.
  static bool is_possible(NumberFormat format);

  /// A number of the format, and how it was found.
  struct Rounded {
    double value;
    bool is_tie;  ///< the double lay halfway between two numbers of the format
  };
  Rounded operator()(double value) const;
  double largest() const { return largest_; }

 private:
  int lowest_leading_;  ///< of numbers with full precision; below, the ulp stays as it is there
  int precision_;
  double largest_;
};

/// Finds the elements of an output that are the exact value rounded, as nearly all of a right
/// kernel's are, in doubles and without a Number of either. What it does not find may be right all
/// the same: elements that are not finite, ties of exact values that doubles do not hold, HIFLOAT8.
///
/// Why an approximate sum suffices: ties of a format of at most 24 bits are doubles, and the
/// approximation is monotone with respect to doubles (ExactTensor::approximate). So it lies on the
/// same side of every tie as the exact value, or on the tie, which is then not decided here; both
/// round to the same number.
class RoundedMatch {
 public:
  static constexpr std::size_t block = 128;

  /// Refers to both. `exact` must have no special products.
  RoundedMatch(const ExactTensor& exact, const Arithmetic& arithmetic);

  /// Looks at elements first, first + 1 ...: `count` of them, at most a block.
  /// `bits`: theirs, one after the other.
  void look_at(std::size_t first, std::size_t count, std::span<const std::byte> bits);

  // Of the i-th element last looked at.
  bool holds(std::size_t i) const { return holds_[i]; }
  double computed(std::size_t i) const { return computed_[i]; }
  double exact(std::size_t i) const { return exact_[i]; }

 private:
  const ExactTensor& sums_;
  NumberFormat output_;
  std::vector<DoubleRounding> roundings_;  ///< empty: nothing can be found
  std::array<double, block> computed_{}, exact_{};
  std::array<bool, block> holds_{};
};

}  // namespace gradproof::oracle
