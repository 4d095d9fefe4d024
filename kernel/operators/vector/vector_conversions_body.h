#pragma once

#include <cstdint>

#include "kernel/operators/vector/vector_conversions.h"

// The conversions over vectors of any number of lanes. Included by one file for each instruction
// set, which is compiled for it: as in vector_kernels_body.h everything is local to that file, and
// nothing is called that others share. That is why the formats are spelled out a second time here;
// a test holds them against numeric/, bit for bit.
namespace gradproof::kernel::operators {
namespace {

/// What a vector of the set's length holds. `Types` names four vectors of as many lanes.
template <typename Types>
struct Lanes : Types {
  using Floats = typename Types::Floats;  ///< float
  using Words = typename Types::Words;    ///< std::uint32_t
  /// std::int32_t, for comparisons of magnitudes, whose first bit is 0: processors compare signed
  /// numbers faster.
  using Signed = typename Types::Signed;
  using Shorts = typename Types::Shorts;  ///< std::uint16_t
  static constexpr std::int64_t lanes = sizeof(Floats) / sizeof(float);

  static constexpr std::uint32_t sign = 0x80000000;
  static constexpr std::int32_t infinity = 0x7F800000;

  [[gnu::always_inline]] static Words bits(Floats values) { return (Words)values; }
  [[gnu::always_inline]] static Floats floats(Words bits) { return (Floats)bits; }
  [[gnu::always_inline]] static Signed compared(Words magnitudes) { return (Signed)magnitudes; }
  [[gnu::always_inline]] static Words chosen(Signed condition, Words yes, Words no) {
    return ((Words)condition & yes) | (~(Words)condition & no);
  }

  [[gnu::always_inline]] static Words half_from(Floats values) {
    const Words all = bits(values), magnitude = all & ~sign;
    // One ulp of numbers in [0.5, 1) is the spacing of subnormals: the addition rounds.
    const Words subnormal = bits(floats(magnitude) + 0.5F) - 0x3F000000U;
    const Words normal = (magnitude - 0x38000000U + 0xFFFU + (magnitude >> 13 & 1U)) >> 13;
    Words half = chosen(compared(magnitude) < 0x38800000, subnormal, normal);
    half = chosen(compared(magnitude) >= 0x477FF000, Words{} + 0x7C00U, half);
    half |= all >> 16 & 0x8000U;
    return chosen(compared(magnitude) > infinity, Words{} + 0x7E00U, half);
  }

  [[gnu::always_inline]] static Floats from_half(Words half) {
    const Words magnitude = half & 0x7FFFU;
    const Words scaled = bits(floats(magnitude << 13) * 0x1p112F);
    const Words special = chosen(compared(magnitude) >= 0x7C00, Words{} + 0x7F800000U, Words{});
    return floats(scaled | special | (half & 0x8000U) << 16);
  }

  [[gnu::always_inline]] static Words bfloat16_from(Floats values) {
    const Words all = bits(values);
    const Words rounded = (all + 0x7FFFU + (all >> 16 & 1U)) >> 16;
    return chosen(compared(all & ~sign) > infinity, Words{} + 0x7FC0U, rounded);
  }

  [[gnu::always_inline]] static Floats from_bfloat16(Words upper) { return floats(upper << 16); }

  [[gnu::always_inline]] static Floats cut(Floats values, std::uint32_t dropped, std::uint32_t half,
                                           std::uint32_t to_even) {
    const Words all = bits(values);
    const Words rounded = (all + half + (all >> dropped & to_even)) & ~((1U << dropped) - 1U);
    return floats(chosen(compared(all & ~sign) > infinity, all, rounded));
  }
};

/// Calls `body` with the vectors of whole elements, then with the rest in one that zeros fill up:
/// body(from, to) reads and writes `lanes` elements.
template <typename From, typename To, std::int64_t lanes, typename Body>
[[gnu::always_inline]] inline void for_each_vector(const std::byte* from, std::byte* to,
                                                   std::int64_t count, const Body& body) {
  constexpr std::int64_t read = sizeof(From), written = sizeof(To);
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) body(from + i * read, to + i * written);
  if (i == count) return;
  std::byte last_from[lanes * read] = {}, last_to[lanes * written];
  __builtin_memcpy(last_from, from + i * read, static_cast<std::size_t>((count - i) * read));
  body(last_from, last_to);
  __builtin_memcpy(to + i * written, last_to, static_cast<std::size_t>((count - i) * written));
}

template <typename L, auto decode>
void widen(const std::byte* from, float* to, std::int64_t count) {
  for_each_vector<std::uint16_t, float, L::lanes>(
      from, reinterpret_cast<std::byte*>(to), count,
      [](const std::byte* source, std::byte* target) __attribute__((always_inline)) {
        typename L::Shorts elements;
        __builtin_memcpy(&elements, source, sizeof elements);
        const typename L::Floats values =
            decode(__builtin_convertvector(elements, typename L::Words));
        __builtin_memcpy(target, &values, sizeof values);
      });
}

template <typename L, auto encode>
void narrow(const float* from, std::byte* to, std::int64_t count) {
  for_each_vector<float, std::uint16_t, L::lanes>(
      reinterpret_cast<const std::byte*>(from), to, count,
      [](const std::byte* source, std::byte* target) __attribute__((always_inline)) {
        typename L::Floats values;
        __builtin_memcpy(&values, source, sizeof values);
        const auto elements = __builtin_convertvector(encode(values), typename L::Shorts);
        __builtin_memcpy(target, &elements, sizeof elements);
      });
}

template <typename L>
void cut_all(const float* from, float* to, std::int64_t count, const BitCut& how) {
  const auto dropped = static_cast<std::uint32_t>(how.dropped_bits);
  const std::uint32_t to_even = how.to_even ? 1 : 0, half = (1U << (dropped - 1)) - to_even;
  for_each_vector<float, float, L::lanes>(
      reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to),
      count, [=](const std::byte* source, std::byte* target) __attribute__((always_inline)) {
        typename L::Floats values;
        __builtin_memcpy(&values, source, sizeof values);
        values = L::cut(values, dropped, half, to_even);
        __builtin_memcpy(target, &values, sizeof values);
      });
}

template <typename Types>
constexpr VectorConversions conversions() {
  using L = Lanes<Types>;
  VectorConversions all;
  all.widen_half = widen<L, L::from_half>;
  all.widen_bfloat16 = widen<L, L::from_bfloat16>;
  all.narrow_half = narrow<L, L::half_from>;
  all.narrow_bfloat16 = narrow<L, L::bfloat16_from>;
  all.cut = cut_all<L>;
  return all;
}

}  // namespace
}  // namespace gradproof::kernel::operators
