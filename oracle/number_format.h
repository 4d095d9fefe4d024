#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "corpus/data_type.h"
#include "oracle/int128.h"

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
};

enum class Rounding : std::uint8_t { NearestEven, NearestAway, TowardZero };

/// What becomes of results beyond the largest finite number.
enum class Overflow : std::uint8_t {
  ToInfinity,  ///< INF/NAN mode; FLOAT8_E4M3FN, which has no infinity, gives NaN
  Saturate,    ///< +-largest finite, infinity too; NaN becomes +0
};

/// A number of some format, decoded: +-significand * 2^exponent, or infinite, or NaN.
struct Number {
  enum class Kind : std::uint8_t { Finite, Infinite, NaN };
  Kind kind = Kind::Finite;
  bool negative = false;
  std::uint32_t significand = 0;  ///< 0: a zero with a sign
  std::int32_t exponent = 0;

  bool is_zero() const { return kind == Kind::Finite && significand == 0; }
  bool is_nan() const { return kind == Kind::NaN; }
  bool is_infinite() const { return kind == Kind::Infinite; }
  bool is_finite() const { return kind == Kind::Finite; }
};

/// Same value; +0 and -0 are equal, every NaN equals every NaN.
bool same_value(const Number& one, const Number& other);

/// The leading bits of an exact number: |value| = (significand + t) * 2^exponent with 0 <= t < 1,
/// and t > 0 exactly if `more`. With `more`, the significand must have at least 64 bits.
struct Truncated {
  bool negative = false;
  Uint128 significand = 0;
  std::int64_t exponent = 0;
  bool more = false;

  bool is_zero() const { return significand == 0 && !more; }
};

Truncated truncated(const Number& finite);

std::string_view name_of(NumberFormat format);

/// The format of a tensor's elements, or nullopt for a dtype that no gradient can have.
std::optional<NumberFormat> format_of(corpus::DataType type);

/// The rounding of every conversion to this format: HIFLOAT8 ties go away from zero, all others to
/// even.
Rounding default_rounding(NumberFormat format);

/// Bits of the significand, the leading one included, of the numbers near 1.
int precision(NumberFormat format);

/// Largest finite value, and exponent of the smallest positive one.
double largest_finite(NumberFormat format);
int smallest_exponent(NumberFormat format);

/// Exponent of the unit in the last place of the numbers in [2^leading, 2^(leading+1)).
int unit_exponent(NumberFormat format, int leading);

/// The value that these bits stand for. HF32 bits are those of the 32-bit word.
Number decode(NumberFormat format, std::uint32_t bits);

/// Those of elements that lie one after the other, little-endian, each in the format's own width.
void decode_all(NumberFormat format, std::span<const std::byte> bytes, std::span<Number> numbers);

/// The same as doubles, which hold every format's numbers, infinities and NaN.
void decode_all(NumberFormat format, std::span<const std::byte> bytes, std::span<double> values);

/// The bits of a number of this format; NaN gives the canonical code.
std::uint32_t encode(NumberFormat format, const Number& number);

/// The exact value rounded once.
Number round_to(NumberFormat format, const Truncated& exact, Rounding rounding,
                Overflow overflow = Overflow::ToInfinity);

/// The number converted: rounded once where finite, else what the overflow mode makes of it.
Number convert(NumberFormat format, const Number& number, Rounding rounding,
               Overflow overflow = Overflow::ToInfinity);

/// Whether the format holds this number exactly.
bool is_representable(NumberFormat format, const Number& number);

/// As a double; exact, since every format is a subset of double.
double to_double(const Number& number);

}  // namespace gradproof::oracle
