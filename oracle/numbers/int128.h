#pragma once

#include <cstdint>

namespace gradproof::oracle {

using Int128 = __int128;
using Uint128 = unsigned __int128;

/// Number of bits up to the highest one set; 0 for 0.
constexpr int bit_width(Uint128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  if (high != 0) return 128 - __builtin_clzll(high);
  return low != 0 ? 64 - __builtin_clzll(low) : 0;
}

/// |value|; the most negative one included.
/// Negated as unsigned: -2^127 has no negative in Int128, but 2^127 is an unsigned number.
constexpr Uint128 magnitude_of(Int128 value) {
  return value < 0 ? -static_cast<Uint128>(value) : static_cast<Uint128>(value);
}

}  // namespace gradproof::oracle
