#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/numbers/int128.h"
#include "oracle/sums/digit_sum.h"

namespace gradproof::oracle {

/// An integer of 192 bits in two's complement, the lowest word first. A product of two 63-bit
/// integers has 126 bits and a reduction fewer than 2^30 of them: their sums need 157 bits with the
/// sign.
/// Three digits of `width` bits as in number_schemes.h give sums of up to 6 * width +
/// bit_width(terms) bits, more than the 127 of Int128.
struct WideSum {
  std::array<std::uint64_t, 3> words{};
};

/// low + high * 2^shift, which must fit 192 bits; 0 < shift < 128.
///
/// Modulo 2^192, with high * 2^shift as the two words of `raised` and the rest above them: the
/// upper word is that rest, plus the sign extension of `low`, plus the carry of the lower words.
/// An unsigned sum is below one of its terms exactly where it wrapped around.
/// Why no carry is lost: all steps are congruent modulo 2^192, and a number that fits 192 bits in
/// two's complement is the only one of its residue that does. `high >> (128 - shift)` is an
/// arithmetic shift, which floors, as two's complement needs; `low >> 127` is 0 or -1, the word
/// that extends the sign of `low`.
inline WideSum wide_sum(Int128 low, Int128 high, int shift) {
  const Uint128 raised = static_cast<Uint128>(high) << shift;
  const Uint128 lower = static_cast<Uint128>(low) + raised;
  const auto carry = static_cast<std::uint64_t>(lower < raised);
  const auto sign = static_cast<std::uint64_t>(low >> 127);
  const auto upper = static_cast<std::uint64_t>(high >> (128 - shift));
  return {{static_cast<std::uint64_t>(lower), static_cast<std::uint64_t>(lower >> 64U),
           upper + sign + carry}};
}

/// The same sums as digits, in units of 2^exponent.
inline DigitSums digits_of(const std::vector<WideSum>& sums, int exponent) {
  DigitSums result(sums.size(), std::tuple_size_v<decltype(WideSum::words)>, exponent);
  for (std::size_t i = 0; i < sums.size(); ++i) result.write(i, sums[i].words.data(), 1);
  return result;
}

}  // namespace gradproof::oracle
