#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "kernel/numeric/format.h"
#include "kernel/numeric/hf32.h"

namespace gradproof::kernel::numeric {
namespace {

constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();

/// What all storage formats promise, walked over every one of their codes.
template <typename Codec>
class StorageFormat : public testing::Test {
 protected:
  using Bits = typename Codec::Bits;
  static constexpr std::uint32_t code_count = 1U << (8 * sizeof(Bits));

  static std::vector<float> finite_values() {
    std::vector<float> values;
    for (std::uint32_t code = 0; code < code_count; ++code) {
      const float value = Codec::decode(static_cast<Bits>(code));
      if (std::isfinite(value)) values.push_back(value);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }
};

using NarrowFormats = testing::Types<Half, BFloat16, Float8E4M3, HiFloat8>;
TYPED_TEST_SUITE(StorageFormat, NarrowFormats);

TYPED_TEST(StorageFormat, TakesBackEveryCodeItDecodes) {
  using Bits = typename TypeParam::Bits;
  for (std::uint32_t code = 0; code < this->code_count; ++code) {
    const float value = TypeParam::decode(static_cast<Bits>(code));
    const Bits back = TypeParam::encode(value, OverflowMode::InfNan);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(TypeParam::decode(back))) << std::hex << code;
    } else {
      ASSERT_EQ(back, code) << std::hex << code;
    }
    if (std::isfinite(value)) {
      ASSERT_EQ(TypeParam::encode(value, OverflowMode::Saturation), code) << std::hex << code;
    }
  }
}

TYPED_TEST(StorageFormat, SaturatesInfinitiesToItsLargestValuesAndNaNToZero) {
  EXPECT_EQ(TypeParam::encode(quiet_nan, OverflowMode::Saturation), 0);
  EXPECT_EQ(TypeParam::encode(-quiet_nan, OverflowMode::Saturation), 0);
  const auto values = this->finite_values();
  EXPECT_EQ(TypeParam::decode(TypeParam::encode(HUGE_VALF, OverflowMode::Saturation)),
            values.back());
  EXPECT_EQ(TypeParam::decode(TypeParam::encode(-HUGE_VALF, OverflowMode::Saturation)),
            values.front());
  EXPECT_EQ(TypeParam::decode(TypeParam::encode(3.4e38F, OverflowMode::Saturation)),
            values.back() < 3.3e38F ? values.back() : BFloat16::decode(0x7F7F));
}

TYPED_TEST(StorageFormat, NeverRoundsPastANeighbour) {
  const auto values = this->finite_values();
  std::mt19937 random(4711);
  const auto check = [&](float value) {
    if (!(value > values.front() && value < values.back())) return;
    const auto above = std::lower_bound(values.begin(), values.end(), value);
    const float result = TypeParam::decode(TypeParam::encode(value, OverflowMode::InfNan));
    const float upper = *above;
    const float lower = *above == value ? value : *(above - 1);
    ASSERT_TRUE(result == lower || result == upper) << value << " became " << result;
    // In HIFLOAT8 the binade before rounding decides, which is still the nearer neighbour.
    const double down = static_cast<double>(value) - lower, up = static_cast<double>(upper) - value;
    if (down != up) {
      ASSERT_EQ(result, down < up ? lower : upper) << value;
    }
  };
  for (int trial = 0; trial < 300000; ++trial)
    check(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
  for (std::size_t index = 1; index < values.size(); ++index) {
    const float middle = values[index - 1] / 2 + values[index] / 2;
    for (const float value :
         {middle, std::nextafter(middle, HUGE_VALF), std::nextafter(middle, -HUGE_VALF)}) {
      check(value);
    }
  }
}

TYPED_TEST(StorageFormat, KeepsTheOrderOfNeighbours) {
  std::mt19937 random(1234);
  for (int trial = 0; trial < 300000; ++trial) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(value)) continue;
    const float next = std::nextafter(value, HUGE_VALF);
    const float first = TypeParam::decode(TypeParam::encode(value, OverflowMode::Saturation));
    ASSERT_LE(first, TypeParam::decode(TypeParam::encode(next, OverflowMode::Saturation))) << value;
  }
}

TEST(Format, KnowsTheBytesOfAnElement) {
  EXPECT_EQ(size_of(Format::Binary32), 4U);
  EXPECT_EQ(size_of(Format::Half), 2U);
  EXPECT_EQ(size_of(Format::BFloat16), 2U);
  EXPECT_EQ(size_of(Format::Float8E4M3), 1U);
  EXPECT_EQ(size_of(Format::HiFloat8), 1U);
}

TEST(Format, LoadsWhatItStoresAtAnyAddress) {
  std::byte memory[9] = {};
  with_codec(Format::Half, [&](auto codec) {
    using Codec = decltype(codec);
    store<Codec>(3.140625F, OverflowMode::InfNan, memory + 1, 3);
    EXPECT_EQ(load<Codec>(memory + 1, 3), 3.140625F);
  });
  EXPECT_EQ(rounded(0.1F, Format::Float8E4M3, OverflowMode::InfNan), 0.1015625F);
  EXPECT_EQ(rounded(HUGE_VALF, Format::Binary32, OverflowMode::Saturation),
            std::numeric_limits<float>::max());
  EXPECT_EQ(rounded(quiet_nan, Format::Binary32, OverflowMode::Saturation), 0.0F);
}

}  // namespace
}  // namespace gradproof::kernel::numeric
