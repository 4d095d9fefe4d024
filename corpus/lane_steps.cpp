// Every step is one plain loop over some hundred elements without a branch, which the compiler
// turns into vectors: Highway has no multiplication of 64 bits, which hashing consists of. The
// loops are compiled once for each of Highway's targets, by this file including itself, and call
// nothing of the standard library, so that no instruction of a target can end up in code that
// others share.
#include "corpus/lane_steps.h"

#include "corpus/element_encoder.h"
#include "corpus/element_hash.h"

// Left out: what brings little over the others.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
// Instructions that no loop here needs, so that no processor need have them.
#define HWY_DISABLE_PCLMUL_AES
#define HWY_DISABLE_F16C

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "corpus/lane_steps.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace gradproof::corpus {
namespace HWY_NAMESPACE {
namespace {

constexpr std::uint64_t double_sign = std::uint64_t{1} << 63;
constexpr std::uint64_t double_infinity = std::uint64_t{0x7FF} << 52;
constexpr std::uint64_t double_hidden = std::uint64_t{1} << 52;

/// An integer below 2^53 as a double, exactly: no instruction before AVX-512 converts it. The
/// halves are put into the fractions of 2^52 and 2^84.
double exact_double(std::uint64_t integer) {
  const double low = __builtin_bit_cast(double, (integer & 0xFFFFFFFFU) | 0x4330000000000000U);
  const double high = __builtin_bit_cast(double, (integer >> 32) | 0x4530000000000000U);
  return (high - (0x1p84 + 0x1p52)) + low;
}

void mix(std::uint64_t* hashes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) hashes[i] = mixed(hashes[i]);
}

/// The draws of corpus/element_draw.h, before they are encoded.
struct UniformValue {
  static std::uint64_t of(std::uint64_t hash, const DrawLimits& limits) {
    const double unit = exact_double(mixed(hash + golden) >> 11) * 0x1p-53;
    return __builtin_bit_cast(std::uint64_t, limits.range_low + limits.range_width * unit);
  }
};
struct GridValue {
  static std::uint64_t of(std::uint64_t hash, const DrawLimits& limits) {
    const std::uint64_t draw = mixed(hash + golden);
    const std::uint64_t low = (draw & 0xFFFFFFFFU) * limits.magnitude >> 32;
    const std::uint64_t integer = (((draw >> 32) * limits.magnitude + low) >> 32) + 1;
    const auto value = __builtin_bit_cast(std::uint64_t, exact_double(integer) * limits.unit);
    return value ^ ((hash >> 16 & 1U) << 63);
  }
};
struct FullMantissaValue {
  static std::uint64_t of(std::uint64_t hash, const DrawLimits& limits) {
    const std::uint64_t binade = (hash >> 16 & 0xFFFFFF) * limits.binades >> 24;
    const auto lowest = static_cast<std::uint64_t>(std::int64_t{limits.exponent_low} + 1023);
    return (mixed(hash + golden) & ~double_infinity) | (lowest + binade) << 52;
  }
};
struct AlmostOneValue {
  static std::uint64_t of(std::uint64_t hash, const DrawLimits&) {
    const double above = 1 + exact_double(mixed(hash + golden) >> 11) * 0x1p-59;
    return __builtin_bit_cast(std::uint64_t, above) ^ ((hash >> 16 & 1U) << 63);
  }
};

template <typename Value>
void draw_values(const std::uint64_t* hashes, LaneChunk& chunk, std::size_t count,
                 DrawLimits limits) {
  for (std::size_t i = 0; i < count; ++i) chunk.values[i] = Value::of(hashes[i], limits);
}

/// InterchangeEncoder without branches.
template <InterchangeFormat format>
std::uint64_t encoded(std::uint64_t value) {
  constexpr int dropped = 52 - format.fraction_bits;
  const std::uint64_t magnitude = value & ~double_sign;
  const std::uint64_t sign = (value >> 63) * format.sign_bit();
  const auto exponent = static_cast<std::int64_t>(magnitude >> 52) - 1023 + format.bias();
  const std::uint64_t fraction = magnitude & (double_hidden - 1);
  const std::uint64_t normal =
      (static_cast<std::uint64_t>(exponent) << format.fraction_bits) | (fraction >> dropped);
  const std::int64_t shift = dropped + 1 - exponent;
  const std::uint64_t subnormal =
      (double_hidden | fraction) >> (static_cast<std::uint64_t>(shift > 63 ? 63 : shift) & 63U);
  std::uint64_t bits = exponent > 0 ? normal : subnormal;
  bits = exponent > std::int64_t{2} * format.bias() ? format.infinity() - 1 : bits;
  bits = magnitude == double_infinity ? format.infinity() : bits;
  const std::uint64_t nan = format.infinity() | std::uint64_t{1} << (format.fraction_bits - 1);
  return magnitude > double_infinity ? nan : sign | bits;
}

template <typename Element, InterchangeFormat format>
void encode(const std::uint64_t* hashes, LaneChunk& chunk, std::size_t count,
            std::uint64_t density) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = encoded<format>(chunk.values[i]);
    const std::uint64_t drawn = (hashes[i] & 0xFFFF) < density ? bits : 0;
    const auto element = static_cast<Element>(drawn);
    __builtin_memcpy(&chunk.elements[i * sizeof element], &element, sizeof element);
  }
}

/// Draws the elements of `chunk.elements` from `hashes`.
void draw_chunk(const LanePlan& plan, const std::uint64_t* hashes, LaneChunk& chunk,
                std::size_t count) {
  if (plan.distribution == Distribution::Uniform) {
    draw_values<UniformValue>(hashes, chunk, count, plan.limits);
  } else if (plan.distribution == Distribution::ExactGrid) {
    draw_values<GridValue>(hashes, chunk, count, plan.limits);
  } else if (plan.distribution == Distribution::Cancellation) {
    draw_values<AlmostOneValue>(hashes, chunk, count, plan.limits);
  } else {
    draw_values<FullMantissaValue>(hashes, chunk, count, plan.limits);
  }
  const std::uint64_t density = plan.limits.density;
  if (plan.dtype == DataType::Float) {
    encode<std::uint32_t, float_format>(hashes, chunk, count, density);
  } else if (plan.dtype == DataType::Float16) {
    encode<std::uint16_t, float16_format>(hashes, chunk, count, density);
  } else if (plan.dtype == DataType::BFloat16) {
    encode<std::uint16_t, bfloat16_format>(hashes, chunk, count, density);
  } else {
    encode_bytes(hashes, chunk, count, density, plan.dtype);
  }
}

constexpr LaneSteps steps{mix, draw_chunk};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace gradproof::corpus
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace gradproof::corpus {

const LaneSteps* lane_steps(Lanes lanes) {
  switch (lanes) {
    case Lanes::Avx512:
      return HWY_CHOOSE_AVX3(steps);
    case Lanes::Avx2:
      return HWY_CHOOSE_AVX2(steps);
    case Lanes::Baseline:
      return HWY_CHOOSE_FALLBACK(steps);
    case Lanes::None:
      break;
  }
  return nullptr;
}

std::string_view name_of(Lanes lanes) {
  switch (lanes) {
    case Lanes::Avx512:
      return "AVX-512";
    case Lanes::Avx2:
      return "AVX2";
    case Lanes::Baseline:
      return HWY_ARCH_X86 ? "SSE2" : hwy::TargetName(HWY_STATIC_TARGET);
    case Lanes::None:
      break;
  }
  return "none";
}

}  // namespace gradproof::corpus

#endif
