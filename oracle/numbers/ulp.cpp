#include "oracle/numbers/ulp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "oracle/numbers/check.h"

namespace gradproof::oracle {
namespace {

/// HIFLOAT8 alone has codes that do not ascend with their values.
std::array<std::int64_t, 256> hifloat8_ordinals() {
  std::array<std::uint32_t, 0x80> codes{};
  for (std::uint32_t code = 0; code < codes.size(); ++code) codes.at(code) = code;
  std::ranges::sort(codes, {}, [](std::uint32_t code) {
    return to_double(decode(NumberFormat::HiFloat8, code));
  });
  std::array<std::int64_t, 256> ordinals{};
  for (std::size_t place = 0; place < codes.size(); ++place) {
    ordinals.at(codes.at(place)) = static_cast<std::int64_t>(place);
  }
  return ordinals;
}

int unused_bits(NumberFormat format) {
  return format == NumberFormat::Hf32Wide ? 12 : format == NumberFormat::Hf32Narrow ? 13 : 0;
}

}  // namespace

std::int64_t ordinal(NumberFormat format, const Number& number) {
  check(!number.is_nan(), "a NaN has no place among the numbers");
  Number magnitude = number;
  magnitude.negative = false;
  const std::uint32_t code = encode(format, magnitude);
  static const auto hifloat8 = hifloat8_ordinals();
  const std::int64_t place = format == NumberFormat::HiFloat8
                                 ? hifloat8.at(code)
                                 : std::int64_t{code >> unused_bits(format)};
  return number.negative ? -place : place;
}

/// Ordinals of 32-bit codes differ by less than 2^33, which double holds.
double ulp_distance(NumberFormat format, const Number& one, const Number& other) {
  if (one.is_nan() && other.is_nan()) return 0;
  if (one.is_nan() || other.is_nan()) return std::numeric_limits<double>::infinity();
  return std::fabs(static_cast<double>(ordinal(format, one) - ordinal(format, other)));
}

}  // namespace gradproof::oracle
