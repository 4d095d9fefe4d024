#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "corpus/data_type.h"
#include "oracle/numbers/number.h"

namespace gradproof::oracle {

/// True if both have the same value; +0 and -0 are equal, every NaN equals every NaN.
bool same_value(const Number& one, const Number& other);

/// The number with all its bits, nothing cut off.
Truncated truncated(const Number& finite);

std::string_view name_of(NumberFormat format);

/// The format of a tensor's elements, or nullopt for a dtype that no gradient can have.
std::optional<NumberFormat> format_of(corpus::DataType type);

/// The rounding of every conversion to this format: HIFLOAT8 ties go away from zero, all others to
/// even.
Rounding default_rounding(NumberFormat format);

/// Bits of the significand, the leading one included, of the numbers near 1.
int precision(NumberFormat format);

/// Largest finite value, exponent of the smallest positive one, and of the smallest normal one.
double largest_finite(NumberFormat format);
int smallest_exponent(NumberFormat format);
int smallest_normal_exponent(NumberFormat format);

/// Exponent of the unit in the last place of the numbers in [2^leading, 2^(leading+1)).
int unit_exponent(NumberFormat format, int leading);

/// The value that these bits stand for. HF32 bits are those of the 32-bit word.
Number decode(NumberFormat format, std::uint64_t bits);

/// Decodes elements that lie one after the other, little-endian, each in the format's own width.
void decode_all(NumberFormat format, std::span<const std::byte> bytes, std::span<Number> numbers);

/// Decodes elements as doubles, which hold every format's numbers, infinities and NaN.
void decode_all(NumberFormat format, std::span<const std::byte> bytes, std::span<double> values);

/// The bits of a number of this format; NaN gives the canonical code.
std::uint64_t encode(NumberFormat format, const Number& number);

/// The exact value rounded once, subnormals included: to the nearest multiple of the unit of its
/// binade. Overflow is decided after rounding, as IEEE 754 does (as if the exponent were
/// unbounded).
Number round_to(NumberFormat format, const Truncated& exact, Rounding rounding,
                Overflow overflow = Overflow::ToInfinity);

/// The number converted: rounded once where finite, else what the overflow mode makes of it.
Number convert(NumberFormat format, const Number& number, Rounding rounding,
               Overflow overflow = Overflow::ToInfinity);

/// True if the format holds this number exactly.
bool is_representable(NumberFormat format, const Number& number);

/// Converts a number to a double; exact, since every format is a subset of double.
double to_double(const Number& number);

}  // namespace gradproof::oracle
