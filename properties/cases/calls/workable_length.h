#pragma once

#include <cstdint>

namespace gradproof::cases {

/// Lengths from here on are left to the rules about them: nothing is derived from them, so nothing
/// overflows.
inline constexpr std::int64_t workable_length_end = std::int64_t{1} << 31;

constexpr bool is_workable(std::int64_t length) {
  return length >= 0 && length < workable_length_end;
}

/// True for a padding that lengths can be computed with. Below 0 it cuts a map off.
constexpr bool is_workable_padding(std::int64_t padding) {
  return padding > -workable_length_end && is_workable(padding < 0 ? -padding : padding);
}

/// Axis: cases::SpatialAxis or oracle::SpatialAxis.
template <typename Axis>
constexpr bool is_workable_axis(const Axis& axis) {
  return is_workable(axis.big) && is_workable(axis.kernel) && is_workable(axis.stride) &&
         is_workable(axis.dilation) && axis.stride >= 1 && axis.dilation >= 1 &&
         is_workable_padding(axis.padding_begin) && is_workable_padding(axis.padding_end);
}

/// Returns a length that stays as wrong as it was: a convolution demanded `old` before and demands
/// `next` now.
constexpr std::int64_t shifted(std::int64_t length, std::int64_t old, std::int64_t next) {
  const std::int64_t result = length + (next - old);
  return is_workable(length) && result >= 0 ? result : length;
}

}  // namespace gradproof::cases
