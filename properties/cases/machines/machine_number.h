#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "corpus/machine/machine.h"
#include "oracle/numbers/int128.h"

namespace gradproof::cases {

/// An exact number: (-1)^negative * magnitude * 2^exponent.
struct MachineNumber {
  oracle::Uint128 magnitude = 0;
  int exponent = 0;
  bool negative = false;

  bool is_zero() const { return magnitude == 0; }
  /// floor(log2 |x|); not of zero.
  int leading() const;
};

/// Precision that a number is rounded to.
struct MachinePrecision {
  int bits = 24;               ///< of the significand
  int lowest_exponent = -149;  ///< of the smallest positive number
  int highest_exponent = 127;  ///< the largest leading exponent; beyond it is overflow
};

/// Precision of "FLOAT", "HF32", "TF32", "BF16" or "FLOAT16" with so many bits, or nullopt.
std::optional<MachinePrecision> precision_of(std::string_view format, int bits);
/// Precision of a tensor's format, with its own bits.
std::optional<MachinePrecision> precision_of(std::string_view format);

/// The finite double, exactly.
MachineNumber number_of(double value);
/// Exactly, where the number has at most 53 bits; infinite where it is beyond doubles.
double double_of(const MachineNumber& number);

MachineNumber rounded(const MachineNumber& number, const MachinePrecision& to,
                      corpus::MachineRounding rounding);

/// Exactly; both have at most 63 bits.
MachineNumber product_of(const MachineNumber& one, const MachineNumber& other);

/// One addition of up to a million addends of at most 54 bits each: see NodeArithmetic. Without
/// extra bits the sum of two is exact before it is rounded; of more, to 100 bits below the largest.
MachineNumber node_sum(std::span<const MachineNumber> addends, const corpus::NodeArithmetic& node);

/// The accumulator has the exponents of FLOAT.
MachinePrecision accumulator_of(const corpus::NodeArithmetic& node);

}  // namespace gradproof::cases
