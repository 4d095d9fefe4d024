#include "corpus/element_lanes.h"

#include <gtest/gtest.h>

#include <iostream>
#include <limits>
#include <random>

#include "corpus/element_values.h"
#include "corpus/lane_steps.h"
#include "tests/support/drawn_case.h"

namespace gradproof::corpus {
namespace {

using Generator = std::mt19937_64;

std::vector<Lanes> lanes_here() {
  std::vector<Lanes> lanes;
  for (const Lanes each : {Lanes::Baseline, Lanes::Avx2, Lanes::Avx512}) {
    if (each <= widest_lanes()) lanes.push_back(each);
  }
  return lanes;
}

TEST(ElementLanes, AreThoseOfTheProcessor) {
  for (const Lanes lanes : lanes_here()) {
    EXPECT_NE(lane_steps(lanes), nullptr) << name_of(lanes);
  }
  std::cout << "vectors: " << name_of(widest_lanes()) << '\n';
}

constexpr DataType drawn_types[] = {DataType::Float,    DataType::Float16,      DataType::BFloat16,
                                    DataType::HiFloat8, DataType::Float8E4M3FN, DataType::Int32};
constexpr Distribution drawn_distributions[] = {
    Distribution::Uniform,      Distribution::ExactGrid,     Distribution::SparseFullMantissa,
    Distribution::NearOverflow, Distribution::NearUnderflow, Distribution::Specials,
    Distribution::Cancellation};

template <typename T>
T one_of(Generator& generator, std::initializer_list<T> values) {
  return values.begin()[generator() % values.size()];
}

/// Also what no plan asks for and a case file may: exponents beyond any type's, and the ends.
TensorFill any_fill(Generator& generator) {
  constexpr std::int64_t word = std::int64_t{1} << 32;
  TensorFill fill;
  fill.density = one_of<std::uint32_t>(generator, {0, 1, 700, 30'000, 65'535, 65'536, 70'000});
  fill.magnitude =
      one_of<std::int64_t>(generator, {-5, 0, 1, 2, 100, (1 << 24) - 1, word - 1, word, word + 1,
                                       std::numeric_limits<std::int64_t>::max()});
  fill.exponent = static_cast<std::int32_t>(generator() % 2'300) - 1'150;
  if (generator() % 2 == 0) fill.exponent = static_cast<std::int32_t>(generator() % 320) - 160;
  fill.exponent_low = static_cast<std::int32_t>(generator() % 400) - 200;
  if (generator() % 4 == 0)
    fill.exponent_low = static_cast<std::int32_t>(generator() % 4'000) - 2'000;
  fill.exponent_high = fill.exponent_low + static_cast<std::int32_t>(generator() % 300) - 3;
  return fill;
}

DataRecipe any_recipe(Generator& generator) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  DataRecipe recipe;
  recipe.seed = generator();
  recipe.distribution = drawn_distributions[generator() % std::size(drawn_distributions)];
  recipe.range_low = one_of(generator, {-1.0, 0.0, 1e-42, -7e4, 1e300, -infinity, 0x1p-149});
  recipe.range_high = one_of(generator, {1.0, 0.5, 3e-39, 7e4, 1e306, infinity, 0x1p-126});
  if (generator() % 8 != 0) {
    recipe.fills = {any_fill(generator), any_fill(generator), any_fill(generator)};
  }
  return recipe;
}

/// Of any rank, with lengths on both sides of what is drawn at once.
std::vector<std::int64_t> any_shape(Generator& generator) {
  std::vector<std::int64_t> shape(generator() % 8);
  for (std::int64_t& length : shape) length = static_cast<std::int64_t>(generator() % 5) + 1;
  if (shape.empty()) return shape;
  std::int64_t& one = shape[generator() % shape.size()];
  if (generator() % 2 == 0) one = one_of<std::int64_t>(generator, {16, 127, 255, 256, 257, 600});
  if (generator() % 16 == 0) one = 0;
  return shape;
}

TEST(ElementLanes, DrawTheBitsThatTheDefinitionDraws) {
  Generator generator(1);
  for (int i = 0; i < 6'000; ++i) {
    const DataType dtype = drawn_types[generator() % std::size(drawn_types)];
    const Case test_case = drawn_case(dtype, any_shape(generator), any_recipe(generator));
    const InputRole role = input_roles[generator() % input_roles.size()];
    const auto expected = element_values(test_case, role, Lanes::None);
    for (const Lanes lanes : lanes_here()) {
      ASSERT_EQ(element_values(test_case, role, lanes), expected)
          << "case " << i << ", " << name_of(dtype) << ", " << name_of(test_case.data->distribution)
          << ", lanes " << name_of(lanes);
    }
  }
}

TEST(ElementLanes, DrawEveryUsualTypeAndDistribution) {
  DataRecipe recipe;
  recipe.fills = {TensorFill{}, TensorFill{}, TensorFill{}};
  for (const Lanes lanes : lanes_here()) {
    for (const DataType dtype : drawn_types) {
      for (const Distribution distribution : drawn_distributions) {
        recipe.distribution = distribution;
        const Case test_case = drawn_case(dtype, {2, 3, 4}, recipe);
        std::vector<std::byte> bytes(24 * size_bytes(dtype));
        const bool is_usual = dtype != DataType::Int32 && distribution != Distribution::Specials;
        EXPECT_EQ(draw_in_lanes(bytes, test_case, InputRole::Input, 7, lanes), is_usual)
            << name_of(dtype) << ", " << name_of(distribution);
      }
    }
  }
}

TEST(ElementLanes, LeaveTheDefinitionWhatTheyCannot) {
  DataRecipe recipe;
  recipe.distribution = Distribution::ExactGrid;
  TensorFill fill;
  fill.magnitude = std::int64_t{1} << 32;
  recipe.fills = {fill, fill, fill};
  for (const Lanes lanes : lanes_here()) {
    std::vector<std::byte> bytes(4);
    const Case wide = drawn_case(DataType::Float, {1}, recipe);
    EXPECT_FALSE(draw_in_lanes(bytes, wide, InputRole::Input, 7, lanes));
    recipe.fills->front().magnitude = 1;
    const Case long_shape = drawn_case(DataType::Float, {1, 1, 1, 1, 1, 1}, recipe);
    EXPECT_FALSE(draw_in_lanes(bytes, long_shape, InputRole::GradOutput, 7, lanes));
  }
  std::vector<std::byte> bytes(4);
  const Case usual = drawn_case(DataType::Float, {1}, recipe);
  EXPECT_FALSE(draw_in_lanes(bytes, usual, InputRole::GradOutput, 7, Lanes::None));
}

}  // namespace
}  // namespace gradproof::corpus
