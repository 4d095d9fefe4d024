#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "oracle/numbers/check.h"
#include "oracle/numbers/format_row.h"
#include "oracle/numbers/hifloat8_code.h"
#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {
namespace {

/// Sign, exponent field e and fraction f of IEEE-like formats: (2^t + f) 2^(e - bias - t) for
/// e > 0 with t fraction bits, else the subnormal f 2^(1 - bias - t).
template <typename Word>
constexpr Number decode_fields(const Format& format, Word bits) {
  bits >>= format.unused_low_bits;
  const Word fraction_mask = (Word{1} << format.fraction_bits) - 1;
  const Word top_field = (Word{1} << format.exponent_bits) - 1;
  const bool negative = (bits >> (format.exponent_bits + format.fraction_bits) & 1U) != 0;
  const Word field = bits >> format.fraction_bits & top_field;
  const Word fraction = bits & fraction_mask;
  if (field == top_field && format.specials == NonFiniteCodes::InfinityAndNaN) {
    return special(fraction == 0 ? Number::Kind::Infinite : Number::Kind::NaN, negative);
  }
  if (field == top_field && fraction == fraction_mask) {
    return special(Number::Kind::NaN, negative);
  }
  const Word hidden = field == 0 ? Word{0} : Word{1} << format.fraction_bits;
  const int exponent =
      static_cast<int>(std::max(field, Word{1})) - format.bias - format.fraction_bits;
  return normalised({.negative = negative, .exponent = exponent, .significand = hidden | fraction});
}

/// The integer that holds an element.
template <int bytes>
using Word = std::conditional_t<
    bytes == 1, std::uint8_t,
    std::conditional_t<bytes == 2, std::uint16_t,
                       std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>>>;

/// Decodes by the row `place` of the table. Its members are constants here, which the compiler can
/// put into a loop.
template <std::size_t place>
constexpr Number decode_by_row(std::uint64_t bits) {
  if constexpr (formats[place].specials == NonFiniteCodes::HiFloat8) {
    return decode_hifloat8(static_cast<std::uint32_t>(bits));
  } else if constexpr (formats[place].word_bytes <= 4) {
    return decode_fields(formats[place], static_cast<std::uint32_t>(bits));
  } else {
    return decode_fields(formats[place], bits);
  }
}

/// Calls use(decode, word) with the decoder of the format and an integer of the width of its
/// elements.
template <typename Use, std::size_t... places>
void with_decoder(NumberFormat format, Use&& use, std::index_sequence<places...> /*rows*/) {
  const auto use_if = [&]<std::size_t place>() {
    const bool is_it = static_cast<std::size_t>(format) == place;
    if (is_it) use(decode_by_row<place>, Word<formats[place].word_bytes>{});
    return is_it;
  };
  (use_if.template operator()<places>() || ...);
}

template <typename Use>
void with_decoder(NumberFormat format, Use&& use) {
  with_decoder(format, use, std::make_index_sequence<formats.size()>{});
}

}  // namespace

Number decode(NumberFormat format, std::uint64_t bits) {
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

namespace {

/// Decodes FLOAT16 by the bits: a subnormal is counted in units of the smallest one.
double double_of_half(std::uint16_t bits) {
  const std::uint64_t field = bits >> 10U & 0x1fU;
  const std::uint64_t fraction = bits & 0x3ffU;
  const std::uint64_t double_field = field == 0x1f ? 0x7ff : field + 1023 - 15;
  const double normal = std::bit_cast<double>(double_field << 52U | fraction << 42U);
  const double magnitude = field == 0 ? static_cast<double>(fraction) * 0x1p-24 : normal;
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

template <typename Word, typename ToDouble>
void convert_all(std::span<const std::byte> bytes, std::span<double> values, ToDouble to_double) {
  check(bytes.size() == values.size() * sizeof(Word), "a tensor's bytes match its shape");
  const std::byte* from = bytes.data();
  for (double& value : values) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    from += sizeof word;
    value = to_double(word);
  }
}

}  // namespace

void decode_all(NumberFormat format, std::span<const std::byte> bytes, std::span<double> values) {
  switch (format) {
    case NumberFormat::Float:
      return convert_all<float>(bytes, values, [](float value) { return double{value}; });
    case NumberFormat::Double:
      return convert_all<double>(bytes, values, [](double value) { return value; });
    case NumberFormat::Float16:
      return convert_all<std::uint16_t>(bytes, values, double_of_half);
    case NumberFormat::BFloat16:
      return convert_all<std::uint16_t>(bytes, values, [](std::uint32_t bits) {
        return double{std::bit_cast<float>(bits << 16U)};
      });
    default:
      return with_decoder(format, [&](auto decode_one, auto word) {
        convert_all<decltype(word)>(
            bytes, values, [&](std::uint64_t bits) { return to_double(decode_one(bits)); });
      });
  }
}

}  // namespace gradproof::oracle
