
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "corpus/element_encoding.h"

namespace gradproof::corpus {
namespace {

TEST(ElementEncoding, GivesBackEveryPatternOfEveryNarrowType) {
  for (const DataType dtype :
       {DataType::Float16, DataType::BFloat16, DataType::HiFloat8, DataType::Float8E4M3FN}) {
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << (size_bytes(dtype) * 8); ++bits) {
      const double value = *decode(dtype, bits);
      const auto back = encode_exactly(dtype, value);
      ASSERT_TRUE(back) << name_of(dtype) << " " << bits;
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(*decode(dtype, *back)));
      } else {
        EXPECT_EQ(*back, bits) << name_of(dtype);
      }
    }
  }
}

TEST(ElementEncoding, AgreesWithTheMachineOnFloat) {
  for (std::uint64_t step = 0; step < 4096; ++step) {
    const auto bits = static_cast<std::uint32_t>(step * 1048583U);
    float expected = 0;
    std::memcpy(&expected, &bits, sizeof bits);
    const double value = *decode(DataType::Float, bits);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value));
      continue;
    }
    EXPECT_EQ(value, static_cast<double>(expected));
    EXPECT_EQ(encode_exactly(DataType::Float, value), bits);
  }
}

TEST(ElementEncoding, TruncatesTowardsZero) {
  EXPECT_EQ(encode_towards_zero(DataType::Float16, 1 + 0x1.fp-11), 0x3C00U);
  EXPECT_EQ(encode_towards_zero(DataType::Float16, -65535.0), 0xFBFFU);
  EXPECT_EQ(encode_towards_zero(DataType::BFloat16, 0x1.ffp-133), 0x0001U);
  EXPECT_EQ(encode_towards_zero(DataType::Float8E4M3FN, 1000.0), 0x7EU);
  EXPECT_EQ(encode_towards_zero(DataType::HiFloat8, 1e9), 0x6EU);
  EXPECT_EQ(encode_towards_zero(DataType::HiFloat8, -1e-30), 0U);
  EXPECT_EQ(encode_exactly(DataType::HiFloat8, -0.0), std::nullopt);
  EXPECT_EQ(encode_exactly(DataType::Float16, 0.1), std::nullopt);
  EXPECT_EQ(encode_exactly(DataType::Int32, 1.0), std::nullopt);
}

/// The definition, by search over all codes: the nearest value that is not further from zero.
std::uint64_t encoded_by_search(DataType dtype, double value) {
  const std::uint64_t sign = std::uint64_t{1} << (size_bytes(dtype) * 8 - 1);
  std::uint64_t best = 0;
  for (std::uint64_t bits = 0; bits < sign; ++bits) {
    const double candidate = *decode(dtype, bits);
    if (std::isfinite(candidate) && candidate <= std::fabs(value) &&
        candidate >= *decode(dtype, best)) {
      best = bits;
    }
  }
  const bool keeps_sign = std::signbit(value) && !(dtype == DataType::HiFloat8 && best == 0);
  return keeps_sign ? best | sign : best;
}

TEST(ElementEncoding, GivesTheNearestValueNotFurtherFromZero) {
  for (const DataType dtype : {DataType::HiFloat8, DataType::Float8E4M3FN, DataType::Float16}) {
    const int step = dtype == DataType::Float16 ? 211 : 1;  // each search goes over 2^15 codes
    for (int i = 0; i < 1500; i += step) {
      // Around every step of the narrow types, from far below their least to above their largest.
      const double value = std::ldexp(1 + (i % 17) / 16.0, i / 17 - 44);
      for (const double near : {value, std::nextafter(value, 0), std::nextafter(value, 1e300)}) {
        EXPECT_EQ(encode_towards_zero(dtype, near), encoded_by_search(dtype, near)) << near;
        EXPECT_EQ(encode_towards_zero(dtype, -near), encoded_by_search(dtype, -near)) << near;
      }
    }
  }
}

TEST(ElementEncoding, GivesTypesTheirOwnInfinitiesAndZeros) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(encode_towards_zero(DataType::HiFloat8, -infinity), 0xEFU);
  EXPECT_EQ(encode_towards_zero(DataType::Float8E4M3FN, -infinity), 0x7FU);
  EXPECT_EQ(encode_towards_zero(DataType::BFloat16, -infinity), 0xFF80U);
  EXPECT_EQ(encode_towards_zero(DataType::Float8E4M3FN, -0.0), 0x80U);
  EXPECT_EQ(encode_towards_zero(DataType::HiFloat8, -0.0), 0U);
  EXPECT_EQ(encode_towards_zero(DataType::Float, std::numeric_limits<double>::denorm_min()), 0U);
  EXPECT_EQ(encode_towards_zero(DataType::Float, -0x1p-149), 0x80000001U);
  EXPECT_EQ(encode_towards_zero(DataType::Float, 0x1.8p-150), 0U);
  EXPECT_EQ(encode_towards_zero(DataType::Float, 0x1p128), 0x7F7FFFFFU);
}

}  // namespace
}  // namespace gradproof::corpus
