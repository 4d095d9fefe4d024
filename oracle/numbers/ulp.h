#pragma once

#include <cstdint>

#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {

/// Position of a number among the format's numbers and infinities, ascending and without gaps: 0
/// for both zeros, 1 for the smallest positive number, negated for negative numbers. Not for NaN.
/// For all formats but HIFLOAT8 it is the code without its sign and unused bits, since those codes
/// ascend with the values.
/// Why codes ascend: for a fixed sign a larger exponent field means a larger number, whatever the
/// fraction, and the fraction orders numbers of one field; IEEE 754 chose the encoding so. Range:
/// below 2^31 in magnitude, of DOUBLE below 2^63.
std::int64_t ordinal(NumberFormat format, const Number& number);

/// Number of steps from one number of the format to another, the last one counted: 0 for equal
/// ones, zeros of either sign and two NaNs included; infinite between a NaN and a number. For
/// neighbours 1, across binades too: a distance in codes, not a multiple of one unit in the last
/// place.
double ulp_distance(NumberFormat format, const Number& one, const Number& other);

}  // namespace gradproof::oracle
