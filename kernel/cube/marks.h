#pragma once

#include <bit>
#include <cstdint>

namespace gradproof::kernel::cube {

// The local buffers hold every element as a FLOAT, decoded: all formats that the cube multiplies
// fit in one exactly. Two NaNs with payloads that no conversion produces have a meaning of their
// own.

/// Bits of a local buffer before anything is loaded into it. It spreads as any NaN does, so a
/// result computed from it shows.
inline constexpr std::uint32_t poison_bits = 0x7FFADBAD;
inline constexpr float poison = std::bit_cast<float>(poison_bits);

/// No element at all: padding, or a hole between spread elements. The cube adds no product for it,
/// so that an infinity or NaN on the other side does not leak through padding. Where all operands
/// are finite an ordinary 0 does the same.
inline constexpr std::uint32_t absent_bits = 0x7FFAB5E7;
inline constexpr float absent = std::bit_cast<float>(absent_bits);

constexpr bool is_poison(float value) { return std::bit_cast<std::uint32_t>(value) == poison_bits; }
constexpr bool is_absent(float value) { return std::bit_cast<std::uint32_t>(value) == absent_bits; }

}  // namespace gradproof::kernel::cube
