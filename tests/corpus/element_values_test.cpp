#include "corpus/element_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "corpus/element_encoding.h"
#include "tests/support/drawn_case.h"

namespace gradproof::corpus {
namespace {

DataRecipe recipe_of(Distribution distribution, TensorFill fill, std::uint64_t seed = 42) {
  DataRecipe recipe;
  recipe.seed = seed;
  recipe.distribution = distribution;
  recipe.fills = {fill, fill, fill};
  return recipe;
}

TensorFill grid(std::int64_t magnitude, int exponent, std::uint32_t density = 65536) {
  TensorFill fill;
  fill.magnitude = magnitude;
  fill.exponent = exponent;
  fill.density = density;
  return fill;
}

TensorFill binades(int low, int high, std::uint32_t density = 65536) {
  TensorFill fill;
  fill.exponent_low = low;
  fill.exponent_high = high;
  fill.density = density;
  return fill;
}

std::uint64_t bits_at(const std::vector<std::byte>& bytes, std::size_t element, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + element * size, size);
  return bits;
}

std::vector<double> values_of(const Case& test_case, InputRole role) {
  const auto bytes = element_values(test_case, role);
  const DataType dtype = tensor(test_case, role)->dtype;
  std::vector<double> values;
  for (std::size_t element = 0; element < bytes.size() / size_bytes(dtype); ++element) {
    values.push_back(*decode(dtype, bits_at(bytes, element, size_bytes(dtype))));
  }
  return values;
}

constexpr DataType encodable[] = {DataType::Float, DataType::Float16, DataType::BFloat16,
                                  DataType::HiFloat8, DataType::Float8E4M3FN};

// A change of these words changes the data of every stored case and of every seed.
TEST(ElementValues, AreTheSameOnEveryPlatform) {
  const auto words = [](const Case& test_case) {
    std::vector<std::uint64_t> bits;
    const auto bytes = element_values(test_case, InputRole::Input);
    for (std::size_t element = 0; element < 4; ++element) {
      bits.push_back(bits_at(bytes, element, 4));
    }
    return bits;
  };
  const std::vector<std::int64_t> shape{2, 3, 4};
  DataRecipe uniform;
  uniform.seed = 42;
  const auto sparse = recipe_of(Distribution::SparseFullMantissa, binades(-3, 3));
  const auto integers = recipe_of(Distribution::ExactGrid, grid(100, -2));
  EXPECT_THAT(words(drawn_case(DataType::Float, shape, uniform)),
              testing::ElementsAre(1052910671, 3154573397, 1062017196, 3203977755));
  EXPECT_THAT(words(drawn_case(DataType::Float, shape, sparse)),
              testing::ElementsAre(3242762057, 1058044591, 3219305254, 1088145550));
  EXPECT_THAT(words(drawn_case(DataType::Float, shape, integers)),
              testing::ElementsAre(1099563008, 3242721280, 3249930240, 1087373312));
}

TEST(ElementValues, DependOnSeedAndTensorAndCoordinateOnly) {
  const auto recipe = recipe_of(Distribution::ExactGrid, grid(1000000, 0));
  const auto large = drawn_case(DataType::Float, {2, 3, 4, 5}, recipe);
  const auto small = drawn_case(DataType::Float, {1, 3, 2, 5}, recipe);
  const auto all = values_of(large, InputRole::Input);
  const auto some = values_of(small, InputRole::Input);
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t at = 0; at < 10; ++at) EXPECT_EQ(some[c * 10 + at], all[c * 20 + at]);
  }
  EXPECT_NE(all, values_of(large, InputRole::Weight));
  auto other_seed = large;
  other_seed.data->seed = 43;
  EXPECT_NE(all, values_of(other_seed, InputRole::Input));
}

TEST(ElementValues, StayWhenAnAxisOfLengthOneIsInserted) {
  const auto recipe = recipe_of(Distribution::SparseFullMantissa, binades(-3, 3));
  const auto flat = values_of(drawn_case(DataType::Float, {2, 3, 7}, recipe), InputRole::Input);
  EXPECT_EQ(flat, values_of(drawn_case(DataType::Float, {2, 3, 1, 7}, recipe), InputRole::Input));
  EXPECT_EQ(flat,
            values_of(drawn_case(DataType::Float, {2, 3, 1, 1, 7}, recipe), InputRole::Input));
}

TEST(ElementValues, FillTheWholeGridAndNothingElse) {
  const auto test_case =
      drawn_case(DataType::Float16, {40, 10, 10}, recipe_of(Distribution::ExactGrid, grid(3, -2)));
  std::array<int, 7> seen{};
  for (const double value : values_of(test_case, InputRole::Weight)) {
    const double integer = value * 4;
    ASSERT_EQ(integer, std::nearbyint(integer));
    ASSERT_LE(std::fabs(integer), 3);
    ++seen.at(to_size(integer + 3));
  }
  EXPECT_EQ(seen[3], 0);  // zeros come from the density alone
  for (const std::size_t at : {0, 1, 2, 4, 5, 6}) EXPECT_NEAR(seen.at(at), 667, 120);
}

TEST(ElementValues, HoldEverySpecialOfTheirTypeAmongOrdinaryNumbers) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const DataType dtype : {DataType::Float, DataType::Float16, DataType::BFloat16}) {
    const auto values = values_of(
        drawn_case(dtype, {4, 10, 100}, recipe_of(Distribution::Specials, binades(-3, 3))),
        InputRole::GradOutput);
    const double largest = *decode(dtype, *encode_towards_zero(dtype, 1e300));
    const double smallest = *decode(dtype, 1);
    for (const double wanted : {infinity, -infinity, largest, -largest, smallest, -smallest}) {
      EXPECT_GT(std::ranges::count(values, wanted), 40) << name_of(dtype) << ' ' << wanted;
    }
    const auto is_nan = [](double value) { return std::isnan(value); };
    const auto is_negative_zero = [](double value) { return value == 0 && std::signbit(value); };
    EXPECT_GT(std::ranges::count_if(values, is_nan), 100);
    EXPECT_GT(std::ranges::count_if(values, is_negative_zero), 100);
    const auto is_ordinary = [](double value) {
      return std::fabs(value) >= 0.125 && std::fabs(value) < 16;
    };
    EXPECT_GT(std::ranges::count_if(values, is_ordinary), 2500);
  }
}

TEST(ElementValues, CancelWhereTheyAreToCancel) {
  DataRecipe recipe;
  recipe.distribution = Distribution::Cancellation;
  const auto values =
      values_of(drawn_case(DataType::Float, {4, 10, 100}, recipe), InputRole::GradOutput);
  double sum = 0;
  for (const double value : values) {
    ASSERT_GE(std::fabs(value), 1);
    ASSERT_LT(std::fabs(value), 1 + 0x1p-6);
    sum += value;
  }
  EXPECT_LT(std::fabs(sum), 300);  // of 4000 terms
  EXPECT_NE(std::fabs(values[0]), std::fabs(values[1]));
}

TEST(ElementValues, KeepTheDensity) {
  for (const std::uint32_t density : {0U, 656U, 32768U, 65536U}) {
    const auto test_case = drawn_case(DataType::Float, {100, 10, 100},
                                      recipe_of(Distribution::ExactGrid, grid(9, 0, density)));
    EXPECT_NEAR(static_cast<double>(non_zero_count(test_case)) / 300000, density / 65536.0, 0.004);
  }
}

TEST(ElementValues, UseEverySignificandBitAndBinade) {
  for (const DataType dtype : {DataType::Float, DataType::Float16, DataType::BFloat16}) {
    const auto test_case = drawn_case(dtype, {4, 10, 100},
                                      recipe_of(Distribution::SparseFullMantissa, binades(-3, 3)));
    std::uint64_t ones = 0;
    std::uint64_t zeros = 0;
    int low = 100;
    int high = -100;
    const auto bytes = element_values(test_case, InputRole::GradOutput);
    for (std::size_t element = 0; element < 4000; ++element) {
      const auto bits = bits_at(bytes, element, size_bytes(dtype));
      ones |= bits;
      zeros |= ~bits;
      const int exponent = std::ilogb(*decode(dtype, bits));
      low = std::min(low, exponent);
      high = std::max(high, exponent);
    }
    const std::uint64_t fraction = dtype == DataType::Float     ? 0x807FFFFF
                                   : dtype == DataType::Float16 ? 0x83FF
                                                                : 0x807F;
    EXPECT_EQ(ones & fraction, fraction);
    EXPECT_EQ(zeros & fraction, fraction);
    EXPECT_EQ(low, -3);
    EXPECT_EQ(high, 3);
  }
}

TEST(ElementValues, LieInTheUniformRange) {
  DataRecipe recipe;
  recipe.range_low = 1;
  recipe.range_high = 1;
  for (const DataType dtype : encodable) {
    for (const double value : values_of(drawn_case(dtype, {3, 5}, recipe), InputRole::Input)) {
      EXPECT_EQ(value, 1);
    }
  }
}

TEST(ElementValues, AreKeptByTheListOfThem) {
  for (const DataType dtype : encodable) {
    auto test_case =
        drawn_case(dtype, {2, 3, 4}, recipe_of(Distribution::ExactGrid, grid(3, 0, 20000)));
    const auto before = element_values(test_case, InputRole::Weight);
    test_case.data = as_listed(test_case);
    EXPECT_EQ(test_case.data->distribution, Distribution::Listed);
    EXPECT_EQ(element_values(test_case, InputRole::Weight), before);
  }
}

/// Rows of one element, and a window of two that moves by one.
TEST(ElementValues, AreEqualWhereAViewMeetsItself) {
  for (const DataType dtype : encodable) {
    auto test_case = drawn_case(dtype, {3, 4}, recipe_of(Distribution::ExactGrid, grid(3, 0)));
    const auto apart = values_of(test_case, InputRole::Input);
    test_case.input->strides = std::vector<std::int64_t>{1, 0};
    auto shown = values_of(test_case, InputRole::Input);
    for (std::size_t i = 0; i < shown.size(); ++i) EXPECT_EQ(shown[i], apart[i / 4 * 4]);
    test_case.input->strides = std::vector<std::int64_t>{1, 1};
    shown = values_of(test_case, InputRole::Input);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const std::size_t place = i / 4 + i % 4;
      EXPECT_EQ(shown[i], apart[place < 4 ? place : (place - 3) * 4 + 3]);
    }
    test_case.data = as_listed(test_case);
    EXPECT_EQ(values_of(test_case, InputRole::Input), shown);
  }
}

TEST(ElementValues, HoldForAWholePlaceWhereOneElementIsListed) {
  DataRecipe recipe;
  recipe.distribution = Distribution::Listed;
  recipe.listed[1] = {{{1, 2}, 0x3F80'0000}};
  auto test_case = drawn_case(DataType::Float, {2, 3}, recipe);
  test_case.input->strides = std::vector<std::int64_t>{1, 0};
  EXPECT_THAT(values_of(test_case, InputRole::Input), testing::ElementsAre(0, 0, 0, 1, 1, 1));
  test_case.data->listed[1].push_back({{1, 0}, 0x4000'0000});  // two values for one place
  EXPECT_THAT(values_of(test_case, InputRole::Input), testing::ElementsAre(0, 0, 0, 2, 0, 1));
}

}  // namespace
}  // namespace gradproof::corpus
