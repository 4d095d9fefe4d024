#pragma once

#include <cstdint>

#include "oracle/numbers/int128.h"

namespace gradproof::oracle {

/// The formats that take part in a convolution's gradients. HFLOAT32 is no tensor type: operands
/// are rounded to it inside the cube unit and stay in 32-bit words.
enum class NumberFormat : std::uint8_t {
  Float,
  Float16,
  BFloat16,
  Hf32Wide,    ///< 11 fraction bits (Ascend910B, Ascend910_93)
  Hf32Narrow,  ///< 10 fraction bits (Ascend950)
  Float8E4M3FN,
  HiFloat8,
  Double,  ///< of functions of tensors alone: no product of CANN's computes in it
};

enum class Rounding : std::uint8_t { NearestEven, NearestAway, TowardZero };

/// Replacement of results beyond the largest finite number.
enum class Overflow : std::uint8_t {
  ToInfinity,  ///< INF/NAN mode; FLOAT8_E4M3FN, which has no infinity, gives NaN
  Saturate,    ///< +-largest finite, infinity too; NaN becomes +0
};

/// A number of some format, decoded: +-significand * 2^exponent, or infinite, or NaN.
/// Not unique unless normalised (format_row.h): 2 * 2^0 is 1 * 2^1. Every decoded and every rounded
/// number is normalised.
struct Number {
  enum class Kind : std::uint8_t { Finite, Infinite, NaN };
  Kind kind = Kind::Finite;
  bool negative = false;
  std::int32_t exponent = 0;
  std::uint64_t significand = 0;  ///< 0: a zero with a sign

  bool is_zero() const { return kind == Kind::Finite && significand == 0; }
  bool is_nan() const { return kind == Kind::NaN; }
  bool is_infinite() const { return kind == Kind::Infinite; }
  bool is_finite() const { return kind == Kind::Finite; }
};

/// The leading bits of an exact number: |value| = (significand + t) * 2^exponent with 0 <= t < 1,
/// and t > 0 exactly if `more`. With `more`, the significand must have at least 64 bits.
///
/// `more` is the sticky bit of IEEE arithmetic. Rounding to p bits needs the bits kept, the next
/// bit and whether anything is left below it, so that 64 bits and a sticky bit round correctly to
/// every p <= 62, in every direction (compare S. Boldo and G. Melquiond, Emulation of FMA and
/// correctly rounded sums: proved algorithms using rounding to odd, IEEE Trans. Comput. 57, 2008).
/// Why 64 bits suffice for p <= 62: rounding reads p kept bits, the half bit and the sticky rest,
/// which is the union of the bits below and `more`; with 64 bits at least one bit lies below the
/// half bit, so `more` never decides what is kept or half.
struct Truncated {
  bool negative = false;
  std::int64_t exponent = 0;
  Uint128 significand = 0;
  bool more = false;

  bool is_zero() const { return significand == 0 && !more; }
};

}  // namespace gradproof::oracle
