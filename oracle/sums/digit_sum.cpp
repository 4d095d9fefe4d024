#include "oracle/sums/digit_sum.h"

#include <algorithm>
#include <array>

#include "oracle/numbers/check.h"

namespace gradproof::oracle {
namespace {

using Digits = std::array<std::uint32_t, DigitSum::most_digits>;

/// |sum| in the first digits, zeros behind them: -x = ~x + 1 modulo 2^(32 n), digit by digit with
/// the carry. The magnitude of the most negative number of n digits, 2^(32 n - 1), still fits n
/// digits without a sign.
Digits magnitude_digits(std::span<const std::uint32_t> digits, bool negative) {
  check(digits.size() <= DigitSum::most_digits, "a sum has as many digits as there are");
  Digits result{};
  std::ranges::copy(digits, result.begin());
  if (!negative) return result;
  std::uint64_t borrow = 1;  // two's complement: invert and add one
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::uint64_t inverted = std::uint64_t{~digits[i]} + borrow;
    result[i] = static_cast<std::uint32_t>(inverted);
    borrow = inverted >> 32U;
  }
  return result;
}

}  // namespace

bool DigitSum::is_zero() const {
  return std::ranges::all_of(digits_, [](std::uint32_t digit) { return digit == 0; });
}

// The magnitude is cut, not the two's complement: cutting that rounds towards minus infinity.
Truncated DigitSum::truncated() const {
  const Digits values = magnitude_digits(digits_, is_negative());
  Truncated result{.negative = is_negative()};
  std::size_t top = digits_.size();
  while (top > 0 && values[top - 1] == 0) --top;
  // At most four digits, so the significand has at most 128 bits and the shift loses none.
  const std::size_t bottom = top > 4 ? top - 4 : 0;
  for (std::size_t i = top; i-- > bottom;) {
    result.significand = result.significand << 32U | values[i];
  }
  result.exponent = exponent_ + 32 * static_cast<std::int64_t>(bottom);
  result.more = std::any_of(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(bottom),
                            [](std::uint32_t digit) { return digit != 0; });
  return result;
}

Dyadic DigitSum::dyadic() const {
  const Digits values = magnitude_digits(digits_, is_negative());
  // Horner's scheme in base 2^32, from the highest digit down.
  mpz_class significand = 0;
  for (std::size_t i = digits_.size(); i-- > 0;) {
    significand <<= 32;
    significand += values[i];
  }
  if (is_negative()) significand = -significand;
  return {significand, exponent_};
}

}  // namespace gradproof::oracle
