#include "oracle/exact_sum.h"

#include <algorithm>

namespace gradproof::oracle {

ExactSum::Digits ExactSum::digits() const {
  Digits result;
  std::int64_t carry = 0;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const std::int64_t total = chunks_[i] + carry;
    result.values[i] = static_cast<std::uint32_t>(total & 0xFFFFFFFF);
    carry = total >> 32;
  }
  result.negative = carry < 0;
  if (!result.negative) return result;
  std::uint64_t borrow = 1;  // two's complement: invert and add one
  for (std::uint32_t& digit : result.values) {
    const std::uint64_t inverted = std::uint64_t{~digit} + borrow;
    digit = static_cast<std::uint32_t>(inverted);
    borrow = inverted >> 32;
  }
  return result;
}

bool ExactSum::is_zero() const {
  const Digits exact = digits();
  return std::ranges::all_of(exact.values, [](std::uint32_t digit) { return digit == 0; });
}

Truncated ExactSum::truncated() const {
  const Digits exact = digits();
  Truncated result{.negative = exact.negative};
  std::size_t top = exact.values.size();
  while (top > 0 && exact.values[top - 1] == 0) --top;
  const std::size_t bottom = top > 4 ? top - 4 : 0;
  for (std::size_t i = top; i-- > bottom;) {
    result.significand = result.significand << 32 | exact.values[i];
  }
  result.exponent = lowest_exponent + 32 * static_cast<std::int64_t>(bottom);
  result.more = std::any_of(exact.values.begin(), exact.values.begin() + bottom,
                            [](std::uint32_t digit) { return digit != 0; });
  return result;
}

Dyadic ExactSum::dyadic() const {
  const Digits exact = digits();
  mpz_class significand = 0;
  for (std::size_t i = exact.values.size(); i-- > 0;) {
    significand <<= 32;
    significand += exact.values[i];
  }
  if (exact.negative) significand = -significand;
  return {significand, lowest_exponent};
}

}  // namespace gradproof::oracle
