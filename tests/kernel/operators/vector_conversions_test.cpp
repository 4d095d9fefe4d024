// Conversions by vector instructions against the scalar codecs, bit for bit, for each instruction
// set that the processor has.

#include "kernel/operators/vector/vector_conversions.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "kernel/numeric/format.h"
#include "kernel/numeric/hf32.h"

namespace gradproof::kernel::operators {
namespace {

using numeric::OverflowMode;

constexpr std::uint32_t codes = 1U << 16;

std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

struct Set {
  std::string_view name;
  const VectorConversions* conversions;
};

std::vector<Set> sets() {
  std::vector<Set> present;
  for (const InstructionSet instructions : instruction_sets) {
    const VectorKernels* const kernels = vector_kernels(instructions);
    if (kernels != nullptr) present.push_back({name_of(instructions), &conversions_of(*kernels)});
  }
  return present;
}

TEST(VectorConversions, AreBuiltForWhatTheProcessorHas) {
  std::set<const VectorConversions*> distinct;
  for (const InstructionSet instructions : instruction_sets) {
    if (!processor_has(instructions)) continue;
    const VectorKernels* const kernels = vector_kernels(instructions);
    ASSERT_NE(kernels, nullptr) << name_of(instructions);
    EXPECT_EQ(kernels->instructions, instructions);
    EXPECT_TRUE(distinct.insert(&conversions_of(*kernels)).second) << name_of(instructions);
    EXPECT_EQ(&best_vector_kernels() == kernels,
              instructions == best_vector_kernels().instructions);
  }
  std::cout << "vectors: " << name_of(best_vector_kernels().instructions) << '\n';
}

/// Every code at an odd address.
std::vector<std::byte> all_codes() {
  std::vector<std::byte> bytes(1 + 2 * codes);
  for (std::uint32_t code = 0; code < codes; ++code) {
    const auto bits = static_cast<std::uint16_t>(code);
    std::memcpy(bytes.data() + 1 + 2 * code, &bits, sizeof bits);
  }
  return bytes;
}

template <typename Codec>
void expect_widened(VectorConversions::Widen widen) {
  const auto bytes = all_codes();
  std::vector<float> values(codes);
  widen(bytes.data() + 1, values.data(), codes);
  for (std::uint32_t code = 0; code < codes; ++code) {
    const float expected = Codec::decode(static_cast<std::uint16_t>(code));
    ASSERT_EQ(bits_of(values[code]), bits_of(expected)) << "code " << code;
  }
}

TEST(VectorConversions, DecodeEveryCode) {
  for (const auto& [name, conversions] : sets()) {
    SCOPED_TRACE(name);
    expect_widened<numeric::Half>(conversions->widen_half);
    expect_widened<numeric::BFloat16>(conversions->widen_bfloat16);
  }
}

/// Around every code of a format and every midpoint of two, so that every rounding goes up, down
/// and to even; every upper half of a FLOAT with the lower halves at which something changes; and
/// numbers at random.
template <typename Codec>
std::vector<float> telling_floats() {
  std::vector<float> values;
  for (std::uint32_t code = 0; code < codes; ++code) {
    const float here = Codec::decode(static_cast<std::uint16_t>(code));
    const float next = Codec::decode(static_cast<std::uint16_t>(code + 1));
    for (const float value : {here, here / 2 + next / 2}) {
      for (const std::uint32_t step : {~0U, 0U, 1U})
        values.push_back(float_of(bits_of(value) + step));
    }
    for (const std::uint32_t lower :
         {0U, 1U, 0x0FFFU, 0x1000U, 0xF000U, 0x7FFFU, 0x8000U, 0x8001U, 0xFFFFU}) {
      values.push_back(float_of(code << 16 | lower));
    }
  }
  std::mt19937 random(1);
  for (int i = 0; i < 200'000; ++i)
    values.push_back(float_of(static_cast<std::uint32_t>(random())));
  return values;
}

template <typename Codec>
void expect_narrowed(VectorConversions::Narrow narrow) {
  const auto values = telling_floats<Codec>();
  std::vector<std::byte> bytes(1 + 2 * values.size());
  narrow(values.data(), bytes.data() + 1, static_cast<std::int64_t>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes.data() + 1 + 2 * i, sizeof bits);
    ASSERT_EQ(bits, Codec::encode(values[i], OverflowMode::InfNan))
        << std::hex << "of FLOAT 0x" << bits_of(values[i]);
  }
}

TEST(VectorConversions, EncodeAsTheScalarCodecs) {
  for (const auto& [name, conversions] : sets()) {
    SCOPED_TRACE(name);
    expect_narrowed<numeric::Half>(conversions->narrow_half);
    expect_narrowed<numeric::BFloat16>(conversions->narrow_bfloat16);
  }
}

void expect_cut(const VectorConversions& conversions, const numeric::Hf32& reference) {
  const auto values = telling_floats<numeric::BFloat16>();
  const BitCut how{.dropped_bits = 23 - reference.mantissa_bits,
                   .to_even = reference.rounding == numeric::Hf32Rounding::NearestEven};
  std::vector<float> results(values.size());
  conversions.cut(values.data(), results.data(), static_cast<std::int64_t>(values.size()), how);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float expected = reference.rounded(values[i], OverflowMode::InfNan);
    ASSERT_EQ(bits_of(results[i]), bits_of(expected)) << std::hex << "of 0x" << bits_of(values[i]);
  }
}

TEST(VectorConversions, CutBitsAsHFloat32Does) {
  for (const auto& [name, conversions] : sets()) {
    SCOPED_TRACE(name);
    for (const int bits : {10, 11}) {
      expect_cut(*conversions, {bits, numeric::Hf32Rounding::NearestEven});
      expect_cut(*conversions, {bits, numeric::Hf32Rounding::NearestAway});
    }
  }
}

/// The rest that fills no vector, and nothing beyond it.
TEST(VectorConversions, WriteNoElementTooManyNorTooFew) {
  constexpr std::int64_t most = 40;
  const std::vector<float> values(most, 1.5F);
  for (const auto& [name, conversions] : sets()) {
    for (std::int64_t count = 0; count < most; ++count) {
      SCOPED_TRACE(std::string(name) + ", " + std::to_string(count) + " elements");
      std::vector<std::byte> halves(2 * most, std::byte{0x77});
      conversions->narrow_half(values.data(), halves.data(), count);
      std::vector<float> floats(most, -1), cut(most, -1);
      conversions->widen_half(halves.data(), floats.data(), count);
      conversions->cut(values.data(), cut.data(), count, {});
      for (std::int64_t i = 0; i < most; ++i) {
        const auto at = static_cast<std::size_t>(i);
        ASSERT_EQ(floats[at], i < count ? 1.5F : -1.0F) << i;
        ASSERT_EQ(cut[at], i < count ? 1.5F : -1.0F) << i;
        ASSERT_EQ(halves[2 * at], i < count ? std::byte{0} : std::byte{0x77}) << i;
      }
    }
  }
}

}  // namespace
}  // namespace gradproof::kernel::operators
