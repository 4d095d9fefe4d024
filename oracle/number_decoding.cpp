#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "oracle/check.h"
#include "oracle/format_row.h"
#include "oracle/hifloat8_code.h"
#include "oracle/number_format.h"

namespace gradproof::oracle {
namespace {

constexpr Number decode_fields(const Format& format, std::uint32_t bits) {
  bits >>= format.unused_low_bits;
  const std::uint32_t fraction_mask = (1U << format.fraction_bits) - 1;
  const std::uint32_t top_field = (1U << format.exponent_bits) - 1;
  const bool negative = (bits >> (format.exponent_bits + format.fraction_bits) & 1U) != 0;
  const std::uint32_t field = bits >> format.fraction_bits & top_field;
  const std::uint32_t fraction = bits & fraction_mask;
  if (field == top_field && format.specials == NonFiniteCodes::InfinityAndNaN) {
    return special(fraction == 0 ? Number::Kind::Infinite : Number::Kind::NaN, negative);
  }
  if (field == top_field && fraction == fraction_mask) {
    return special(Number::Kind::NaN, negative);
  }
  const std::uint32_t hidden = field == 0 ? 0 : 1U << format.fraction_bits;
  const int exponent = static_cast<int>(std::max(field, 1U)) - format.bias - format.fraction_bits;
  return normalised({.negative = negative, .significand = hidden | fraction, .exponent = exponent});
}

/// Calls use(decode, word) with the decoder of the format, which the compiler can put into a loop,
/// and an integer of the width of its elements.
template <typename Use>
void with_decoder(NumberFormat format, Use&& use) {
  switch (format) {
    case NumberFormat::Float:
      return use([](std::uint32_t bits) { return decode_fields(row(NumberFormat::Float), bits); },
                 std::uint32_t{});
    case NumberFormat::Float16:
      return use([](std::uint32_t bits) { return decode_fields(row(NumberFormat::Float16), bits); },
                 std::uint16_t{});
    case NumberFormat::BFloat16:
      return use(
          [](std::uint32_t bits) { return decode_fields(row(NumberFormat::BFloat16), bits); },
          std::uint16_t{});
    case NumberFormat::Float8E4M3FN:
      return use(
          [](std::uint32_t bits) { return decode_fields(row(NumberFormat::Float8E4M3FN), bits); },
          std::uint8_t{});
    case NumberFormat::HiFloat8:
      return use(decode_hifloat8, std::uint8_t{});
    case NumberFormat::Hf32Wide:
    case NumberFormat::Hf32Narrow:
      return use([&](std::uint32_t bits) { return decode_fields(row(format), bits); },
                 std::uint32_t{});
  }
}

}  // namespace

Number decode(NumberFormat format, std::uint32_t bits) {
  Number number;
  with_decoder(format, [&](auto&& decode_one, auto /*word*/) { number = decode_one(bits); });
  return number;
}

void decode_all(NumberFormat format, std::span<const std::byte> bytes, std::span<Number> numbers) {
  static_assert(std::endian::native == std::endian::little, "elements are stored little-endian");
  with_decoder(format, [&](auto&& decode_one, auto word) {
    check(bytes.size() == numbers.size() * sizeof word, "a tensor's bytes match its shape");
    const std::byte* from = bytes.data();
    for (Number& number : numbers) {
      std::memcpy(&word, from, sizeof word);
      from += sizeof word;
      number = decode_one(word);
    }
  });
}

}  // namespace gradproof::oracle
