#pragma once

#include <span>
#include <vector>

#include "oracle/arithmetic/arithmetic_model.h"

namespace gradproof::oracle {

/// A value that an addend of a sum may have. Mean squares are those of errors that are uniform
/// around 0, in the addend's unit.
struct RandomAddend {
  double value = 0;
  int last_bit = 0;  ///< exponent of the lowest bit that it has when it is added
  double by_grad_output = 0, by_other = 0;  ///< of converting one operand and the other
  double rounding = 0;                      ///< of rounding the product to FLOAT
};

/// Law of the addends of one sum: products, or of gradBias elements of gradOutput.
struct AddendLaw {
  std::vector<RandomAddend> addends;  ///< equally likely, sorted by value
  double mean = 0, mean_square = 0;   ///< of the exact addends

  double variance() const { return mean_square - mean * mean; }
};

/// An operand's values, equally likely, and the format in which they lie in memory.
struct RandomOperand {
  std::vector<double> values;
  NumberFormat format = NumberFormat::Float;
};

/// The law of products of two independent operands, converted as `arithmetic` says and rounded to
/// FLOAT where that does not hold them; of gradBias `other` has no values.
/// Errors of conversion are those against the operands in memory. Elements of gradBias are taken to
/// have all bits of FLOAT, so that sums of a shorter format are better than said.
AddendLaw addend_law(const RandomOperand& grad_output, const RandomOperand& other,
                     const Arithmetic& arithmetic);

/// The law of the very products of one element, in any order: operands converted already.
AddendLaw addend_law(std::span<const double> products, const Arithmetic& arithmetic, bool is_bias);

/// Mean square of the error of rounding a number with bits down to 2^last_bit to a multiple of
/// 2^unit. With l = unit - last_bit bits lost the error takes 2^l values evenly, ties to even both
/// ways: (1 + 2^(1 - 2 l)) / 12 units squared, of a uniform error 1 / 12; 0 where nothing is lost.
double mean_square_of_rounding(int unit, int last_bit);

}  // namespace gradproof::oracle
