#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "oracle/sums/digit_sum.h"

namespace gradproof::oracle {

/// An integer of 192 bits in two's complement, the lowest word first. A product of two 63-bit
/// integers has 126 bits and a reduction fewer than 2^30 of them: their sums need 157 bits with the
/// sign.
struct WideSum {
  std::array<std::uint64_t, 3> words{};
};

/// Sums as digits, in units of 2^exponent.
inline DigitSums digits_of(std::span<const WideSum> sums, int exponent) {
  DigitSums result(sums.size(), std::tuple_size_v<decltype(WideSum::words)>, exponent);
  for (std::size_t i = 0; i < sums.size(); ++i) result.write(i, sums[i].words.data(), 1);
  return result;
}

}  // namespace gradproof::oracle
