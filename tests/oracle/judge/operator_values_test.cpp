#include <gtest/gtest.h>

#include <random>

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/geometry/workload.h"
#include "oracle/judge/judge.h"
#include "oracle/recipes/recipe_plan.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/oracle/judge/operator_loops.h"
#include "tests/support/operator_calls.h"

// The graph operators' gradients against loops over the tensors as they lie in memory: the format's
// letters say which axis is which, so nothing of the oracle's orders, geometry or sums is used.

namespace gradproof::oracle {
namespace {

using corpus::DataType;
using corpus::Format;
using corpus::Outcome;

template <typename T>
T one_of(std::mt19937_64& random, std::initializer_list<T> values) {
  return values.begin()[random() % values.size()];
}

OperatorCall random_operator_call(std::mt19937_64& random) {
  const auto length = [&](std::int64_t most) {
    return 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
  };
  OperatorCall call;
  call.api = one_of(random, {dx, dw});
  call.dtype = one_of(random, {DataType::Float, DataType::Float16, DataType::BFloat16});
  call.format = one_of(random, {Format::Ncdhw, Format::Ndhwc});
  call.filter_format = one_of(random, {Format::Ncdhw, Format::Ndhwc, Format::Dhwcn});
  call.groups = call.format == Format::Ndhwc ? 1 : static_cast<std::int32_t>(length(3));
  call.batch = length(2);
  call.out_channels_per_group = length(3);
  call.in_channels_per_group = length(3);
  for (std::size_t i = 0; i < 3; ++i) {
    call.kernel[i] = length(3);
    call.stride[i] = i == 0 ? length(call.kernel[i]) : length(3);
    call.dilation[i] = length(2);
    call.small[i] = length(4);
    const std::int64_t reach =
        (call.small[i] - 1) * call.stride[i] + (call.kernel[i] - 1) * call.dilation[i];
    call.pads[2 * i] = std::min(reach, length(3) - 1);
    call.pads[2 * i + 1] = std::min(reach - call.pads[2 * i], length(3) - 1);
  }
  return call;
}

/// The same with a result in FLOAT, which holds every sum of the exact grid.
OperatorCall random_float_call(std::mt19937_64& random) {
  OperatorCall call = random_operator_call(random);
  if (call.api == dx) call.dtype = DataType::Float;
  return call;
}

Case with_data(const Case& test_case, std::uint64_t seed) {
  auto planned = with_recipe(test_case, corpus::Distribution::ExactGrid, seed);
  EXPECT_TRUE(planned.has_value()) << planned.error();
  return *planned;
}

TEST(OperatorValues, AreThoseOfLoopsOverTheTensorsInMemory) {
  std::mt19937_64 random(8);
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Case test_case = with_data(operator_case(random_float_call(random)), seed);
    const auto verdict = judge({test_case, Profile::Documented}, run(test_case), {});
    EXPECT_TRUE(verdict.outcome == Outcome::Agree || verdict.outcome == Outcome::Vacuous)
        << verdict.reason;
    if (verdict.outcome != Outcome::Vacuous) {
      EXPECT_EQ(verdict.law, "exactness");
    }
  }
}

TEST(OperatorValues, ThatAreWrongInOneElementAreFoundThere) {
  std::mt19937_64 random(9);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Case test_case = with_data(operator_case(random_float_call(random)), seed);
    const OutputRole role = test_case.api == dx ? OutputRole::GradInput : OutputRole::GradWeight;
    Observation seen = run(test_case);
    auto& bits = seen.outputs[role].bits;
    const TensorCase& result = *corpus::tensor(test_case, role);
    const std::size_t size = size_bytes(result.dtype);
    const std::size_t place = random() % (bits.size() / size);
    bits[place * size] ^= std::byte{1};
    const auto verdict = judge({test_case, Profile::Documented}, seen, {});
    ASSERT_EQ(verdict.outcome, Outcome::Disagree);
    EXPECT_EQ(verdict.culprit, role);
    std::size_t found = 0;
    const auto& at = verdict.outputs[role].worst->at;
    for (std::size_t axis = 0; axis < 5; ++axis) {
      found = found * to_size(result.shape[axis]) + to_size(at[axis]);
    }
    EXPECT_EQ(found, place);
  }
}

TEST(OperatorValues, UseTheRatioOfChannelsWhereGroupsIsOne) {
  for (const Api api : {dx, dw}) {
    Case test_case = operator_case({.api = api, .dtype = DataType::Float, .groups = 2});
    test_case.groups = 1;
    test_case = with_data(test_case, 3);
    const auto verdict = judge({test_case, Profile::Documented}, run(test_case), {});
    EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  }
}

TEST(OperatorValues, AreComparedInASampleWhereTheyAreTooMany) {
  for (const Format format : {Format::Ncdhw, Format::Ndhwc}) {
    const Case test_case = with_data(operator_case({.dtype = DataType::Float,
                                                    .format = format,
                                                    .filter_format = Format::Dhwcn,
                                                    .small = {3, 9, 8}}),
                                     5);
    JudgeSettings settings;
    settings.largest_macs = 10;
    settings.sampled_products = 2000;
    Observation seen = run(test_case);
    EXPECT_EQ(judge({test_case, settings.profile}, seen, settings).outcome, Outcome::Agree);
    seen.outputs[0].bits[0] ^= std::byte{1};
    EXPECT_EQ(judge({test_case, settings.profile}, seen, settings).outcome, Outcome::Disagree);
  }
}

TEST(OperatorValues, OfEveryCorrectKernelAreAccepted) {
  std::mt19937_64 random(10);
  constexpr corpus::Distribution distributions[] = {corpus::Distribution::ExactGrid,
                                                    corpus::Distribution::SparseFullMantissa};
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    OperatorCall call = random_operator_call(random);
    if (seed % 3 == 0) call.soc = "Ascend950";
    call.enable_hf32 = seed % 2 == 0;
    const auto planned = with_recipe(operator_case(call), distributions[seed % 2], seed);
    ASSERT_TRUE(planned.has_value());
    const CorrectKernel kernel{.order = static_cast<Order>(seed % 5), .seed = seed};
    const auto verdict = judge({*planned, Profile::Documented}, observed(*planned, kernel, {}), {});
    EXPECT_NE(verdict.outcome, Outcome::Disagree) << verdict.reason;
    EXPECT_NE(verdict.outcome, Outcome::NotComparable) << verdict.reason;
    EXPECT_NE(verdict.outcome, Outcome::Skipped) << verdict.reason;
  }
}

TEST(OperatorValues, AreMultipliedAsHf32OnlyWhereItIsEnabledAndTheDtypeIsFloat) {
  const auto operands = [](const OperatorCall& call) {
    return arithmetics(operator_case(call), OutputRole::GradInput, {}).at(0).operands;
  };
  EXPECT_EQ(operands({.dtype = DataType::Float}), NumberFormat::Float);
  EXPECT_EQ(operands({.dtype = DataType::Float, .enable_hf32 = true}), NumberFormat::Hf32Wide);
  EXPECT_EQ(operands({.soc = "Ascend950", .dtype = DataType::Float, .enable_hf32 = true}),
            NumberFormat::Hf32Narrow);
  EXPECT_EQ(operands({.dtype = DataType::Float16, .enable_hf32 = true}), NumberFormat::Float16);
}

TEST(OperatorValues, CostAsManyProductsAsTheFormulaHas) {
  Case test_case = operator_case({.format = Format::Ndhwc, .filter_format = Format::Dhwcn});
  EXPECT_EQ(mac_count(test_case), 2U * 4 * (2 * 3 * 4) * 8 * (2 * 3 * 3));
}

TEST(OperatorValues, OfUnlikeBatchesAreNotCompared) {
  Case test_case = operator_case({.api = dw});
  test_case = with_data(test_case, 1);
  test_case.grad_output->shape[0] = 1;
  Observation seen = run(test_case);
  EXPECT_EQ(judge({test_case, Profile::Documented}, seen, {}).outcome, Outcome::NotComparable);
}

}  // namespace
}  // namespace gradproof::oracle
