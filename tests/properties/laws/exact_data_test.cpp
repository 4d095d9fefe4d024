#include <gtest/gtest.h>

#include "oracle/geometry/workload.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/cases/laws/exact_data.h"
#include "tests/properties/laws/law_cases.h"

namespace gradproof::cases {
namespace {

using corpus::Case;

TEST(SettledGrid, NeverLetsASumExceedTheAccumulator) {
  const auto source = CaseSource::of(legal_calls());
  for (std::uint64_t i = 0; i < 300; ++i) {
    const auto run = on_grid_for(Demand::Settled, (*source)(8, i), i);
    if (!run || oracle::mac_count(*run) == 0) continue;
    const auto known = exactness_of(*run);
    for (const auto role : corpus::output_roles) {
      const auto& one = known[role];
      EXPECT_TRUE(one.settled || !corpus::is_requested(*run, role));
      EXPECT_TRUE(one.settled || !one.exact);
    }
  }
}

/// 4096 products below 2^6 times 2^6 fit 24 bits; one bit more and the guard has to see it.
TEST(Exactness, IsDeniedWhereTheAccumulatorWouldRound) {
  Convolution sizes;
  sizes.axes = {SpatialAxis{.big = 64}, SpatialAxis{.big = 64}};
  Case test_case = plain_case(sizes, Frame{});
  test_case.data = grid_up_to(63, 63, 63);
  EXPECT_TRUE(exactness_of(test_case)[1].exact);
  test_case.data = grid_up_to(63, 64, 63);
  EXPECT_FALSE(exactness_of(test_case)[1].settled);
  EXPECT_TRUE(exactness_of(test_case)[0].exact);
}

/// 2^-15 is subnormal in FLOAT16: a device may multiply with 0 instead, and with 2^-14 it may not.
TEST(Exactness, IsDeniedWhereAnOperandMayBeReadAsZero) {
  Convolution sizes;
  sizes.axes = {SpatialAxis{.big = 4}, SpatialAxis{.big = 4}};
  Frame half;
  half.dtype = corpus::DataType::Float16;
  Case test_case = plain_case(sizes, half);
  test_case.data = grid_up_to(1, 1, 1);
  for (const auto& [exponent, is_settled] : {std::pair(-14, true), std::pair(-15, false)}) {
    test_case.data->fills->at(1).exponent = exponent;
    EXPECT_EQ(exactness_of(test_case)[1].settled, is_settled) << "gradWeight, of the input";
    EXPECT_TRUE(exactness_of(test_case)[0].settled) << "gradInput, which has no part of it";
  }
}

/// FLOAT16 keeps 11 bits of a sum: twice it is twice it, but parts do not add up.
TEST(Exactness, KnowsThatANarrowOutputRounds) {
  Convolution sizes;
  sizes.axes = {SpatialAxis{.big = 8}, SpatialAxis{.big = 8}};
  Frame half;
  half.dtype = corpus::DataType::Float16;
  Case test_case = plain_case(sizes, half);
  test_case.data = grid_up_to(15, 15, 15);
  const Exactness weight = exactness_of(test_case)[1];
  EXPECT_TRUE(weight.settled && weight.scalable);
  EXPECT_FALSE(weight.exact);
  test_case.data = grid_up_to(15, 1, 15);
  EXPECT_TRUE(exactness_of(test_case)[1].exact);
  EXPECT_TRUE(exactness_of(test_case)[2].exact);
  test_case.data = grid_up_to(63, 1, 15);  // 64 of them: 12 bits
  EXPECT_FALSE(exactness_of(test_case)[2].exact);
}

}  // namespace
}  // namespace gradproof::cases
