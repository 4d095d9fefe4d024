// Compiled once for each of Highway's targets, as vector_kernels.cpp is: nothing is called that
// other code shares. That is why the formats are spelled out a second time here; a test holds them
// against numeric/, bit for bit.
#include "kernel/operators/vector/vector_conversions.h"

#include "kernel/operators/vector/highway_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/operators/vector/vector_conversions.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::kernel::operators {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
constexpr hn::ScalableTag<float> floats;
constexpr hn::RebindToUnsigned<decltype(floats)> words;
constexpr hn::RebindToSigned<decltype(floats)> integers;
constexpr hn::Rebind<std::uint16_t, decltype(floats)> halves;
using Floats = hn::Vec<decltype(floats)>;
using Words = hn::Vec<decltype(words)>;

constexpr std::int64_t lanes = HWY_LANES(float);
constexpr std::uint32_t magnitude_bits = 0x7FFFFFFF;
constexpr std::int32_t infinity = 0x7F800000;

HWY_INLINE Words bits(Floats values) { return hn::BitCast(words, values); }
HWY_INLINE Floats floats_of(Words bits) { return hn::BitCast(floats, bits); }
HWY_INLINE Words all(std::uint32_t word) { return hn::Set(words, word); }

/// `yes` where the magnitude is above the limit. As signed numbers, which processors compare
/// faster.
HWY_INLINE Words above(Words magnitudes, std::int32_t limit, Words yes, Words no) {
  const auto is_above = hn::Gt(hn::BitCast(integers, magnitudes), hn::Set(integers, limit));
  return hn::IfThenElse(hn::RebindMask(words, is_above), yes, no);
}

HWY_INLINE Words half_from(Floats values) {
  const Words magnitude = hn::And(bits(values), all(magnitude_bits));
  // One ulp of numbers in [0.5, 1) is the spacing of subnormals: the addition rounds.
  const Words subnormal =
      hn::Sub(bits(hn::Add(floats_of(magnitude), hn::Set(floats, 0.5F))), all(0x3F000000));
  const Words odd = hn::And(hn::ShiftRight<13>(magnitude), all(1));
  const Words normal =
      hn::ShiftRight<13>(hn::Add(hn::Add(magnitude, all(0xFFFU - 0x38000000U)), odd));
  Words half = above(magnitude, 0x387FFFFF, normal, subnormal);
  half = above(magnitude, 0x477FEFFF, all(0x7C00), half);
  half = hn::Or(half, hn::And(hn::ShiftRight<16>(bits(values)), all(0x8000)));
  return above(magnitude, infinity, all(0x7E00), half);
}

HWY_INLINE Floats from_half(Words half) {
  const Words magnitude = hn::And(half, all(0x7FFF));
  const Words scaled =
      bits(hn::Mul(floats_of(hn::ShiftLeft<13>(magnitude)), hn::Set(floats, 0x1p112F)));
  const Words special = above(magnitude, 0x7BFF, all(0x7F800000), all(0));
  const Words sign = hn::ShiftLeft<16>(hn::And(half, all(0x8000)));
  return floats_of(hn::Or(hn::Or(scaled, special), sign));
}

HWY_INLINE Words bfloat16_from(Floats values) {
  const Words exact = bits(values);
  const Words odd = hn::And(hn::ShiftRight<16>(exact), all(1));
  const Words rounded = hn::ShiftRight<16>(hn::Add(hn::Add(exact, all(0x7FFF)), odd));
  return above(hn::And(exact, all(magnitude_bits)), infinity, all(0x7FC0), rounded);
}

HWY_INLINE Floats from_bfloat16(Words upper) { return floats_of(hn::ShiftLeft<16>(upper)); }

/// Loads a vector from any address.
template <typename D>
HWY_INLINE hn::Vec<D> loaded(D tag, const std::byte* from) {
#if HWY_TARGET == HWY_SCALAR
  hn::TFromD<D> element;
  __builtin_memcpy(&element, from, sizeof element);
  return hn::Set(tag, element);
#else
  return hn::LoadU(tag, reinterpret_cast<const hn::TFromD<D>*>(from));
#endif
}

template <typename D>
HWY_INLINE void store(hn::Vec<D> elements, [[maybe_unused]] D tag, std::byte* to) {
#if HWY_TARGET == HWY_SCALAR
  const hn::TFromD<D> element = hn::GetLane(elements);
  __builtin_memcpy(to, &element, sizeof element);
#else
  hn::StoreU(elements, tag, reinterpret_cast<hn::TFromD<D>*>(to));
#endif
}

/// Calls `body` with vectors of elements, the last of which may reach back over what was converted
/// before, as it may once more; fewer elements than lanes in one that zeros fill up. body(from, to)
/// reads and writes `lanes` elements.
template <std::int64_t read, std::int64_t written, typename Body>
HWY_INLINE void for_each_vector(const std::byte* from, std::byte* to, std::int64_t count,
                                const Body& body) {
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) body(from + i * read, to + i * written);
  if (i >= count) return;
  if (i > 0) {
    body(from + (count - lanes) * read, to + (count - lanes) * written);
    return;
  }
  std::byte last_from[lanes * read] = {}, last_to[lanes * written];
  __builtin_memcpy(last_from, from + i * read, static_cast<std::size_t>((count - i) * read));
  body(last_from, last_to);
  __builtin_memcpy(to + i * written, last_to, static_cast<std::size_t>((count - i) * written));
}

template <auto decode>
void widen(const std::byte* from, float* to, std::int64_t count) {
  for_each_vector<sizeof(std::uint16_t), sizeof(float)>(
      from, reinterpret_cast<std::byte*>(to), count,
      [](const std::byte* source, std::byte* target) HWY_ATTR {
        store(decode(hn::PromoteTo(words, loaded(halves, source))), floats, target);
      });
}

template <auto encode>
void narrow(const float* from, std::byte* to, std::int64_t count) {
  for_each_vector<sizeof(float), sizeof(std::uint16_t)>(
      reinterpret_cast<const std::byte*>(from), to, count,
      [](const std::byte* source, std::byte* target) HWY_ATTR {
        const Words encoded = encode(loaded(floats, source));
        store(hn::DemoteTo(halves, hn::BitCast(integers, encoded)), halves, target);
      });
}

void cut(const float* from, float* to, std::int64_t count, const BitCut& how) {
  const std::uint32_t to_even = how.to_even ? 1 : 0;
  const std::uint32_t half = (1U << (how.dropped_bits - 1)) - to_even;
  const std::uint32_t kept = ~((1U << how.dropped_bits) - 1U);
  for_each_vector<sizeof(float), sizeof(float)>(
      reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to), count,
      [=](const std::byte* source, std::byte* target) HWY_ATTR {
        const Words exact = bits(loaded(floats, source));
        const Words odd = hn::And(hn::ShiftRightSame(exact, how.dropped_bits), all(to_even));
        const Words rounded = hn::And(hn::Add(hn::Add(exact, all(half)), odd), all(kept));
        const Words magnitude = hn::And(exact, all(magnitude_bits));
        store(floats_of(above(magnitude, infinity, exact, rounded)), floats, target);
      });
}

std::uint32_t magnitude_of(const float& value) {
  std::uint32_t exact = 0;
  __builtin_memcpy(&exact, &value, sizeof exact);
  return exact & magnitude_bits;
}

/// Magnitudes as bits: they order as the numbers do. 0 less 1 wraps around and exceeds them all, so
/// the minimum ignores zeros.
Magnitudes magnitudes_of(const float* values, std::int64_t count) {
  std::uint32_t largest = 0, smallest_less_one = infinity - 1;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t magnitude = magnitude_of(values[i]);
    largest = largest > magnitude ? largest : magnitude;
    smallest_less_one = smallest_less_one < magnitude - 1 ? smallest_less_one : magnitude - 1;
  }
  largest = largest < infinity ? largest : infinity;
  const std::uint32_t smallest = smallest_less_one + 1;
  Magnitudes found;
  __builtin_memcpy(&found.largest, &largest, sizeof largest);
  __builtin_memcpy(&found.smallest_nonzero, &smallest, sizeof smallest);
  return found;
}

/// Returns the magnitudes' bits minus one: 0 wraps to the largest, above infinity and NaN.
HWY_INLINE Words less_one(const float* values) {
  const Words magnitude = hn::And(bits(hn::LoadU(floats, values)), all(magnitude_bits));
  return hn::Sub(magnitude, all(1));
}

bool has_special_element(const float* values, std::int64_t count) {
  std::uint32_t largest = 0;
  if (count < lanes) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint32_t magnitude = magnitude_of(values[i]) - 1;
      largest = largest > magnitude ? largest : magnitude;
    }
    return largest >= infinity - 1;
  }
  Words most = less_one(values + count - lanes);
  for (std::int64_t i = 0; i + lanes <= count; i += lanes) {
    most = hn::Max(most, less_one(values + i));
  }
  return !hn::AllTrue(words, hn::Lt(most, all(infinity - 1)));
}

constexpr VectorConversions conversions{.widen_half = widen<from_half>,
                                        .widen_bfloat16 = widen<from_bfloat16>,
                                        .narrow_half = narrow<half_from>,
                                        .narrow_bfloat16 = narrow<bfloat16_from>,
                                        .cut = cut,
                                        .magnitudes = magnitudes_of,
                                        .has_special = has_special_element};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace gradproof::kernel::operators
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace gradproof::kernel::operators {

const VectorConversions& conversions_of(const VectorKernels& kernels) {
  return *GRADPROOF_OF_TARGET(kernels.instructions, conversions);
}

}  // namespace gradproof::kernel::operators

#endif
