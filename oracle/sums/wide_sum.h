#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/numbers/int128.h"
#include "oracle/sums/digit_sum.h"

namespace gradproof::oracle {

/// An integer of 192 bits in two's complement, the lowest word first: sums of products of two
/// 63-bit integers, and more than can be added.
struct WideSum {
  std::array<std::uint64_t, 3> words{};
};

/// low + high * 2^shift, which must fit; 0 < shift < 128.
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
