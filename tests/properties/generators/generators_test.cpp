#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>

#include "corpus/case_json.h"
#include "oracle/geometry/workload.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/generators/random_case.h"
#include "properties/targets/session/case_memory.h"
#include "tests/properties/generators/case_source.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using oracle::Profile;
using testing::HasSubstr;

Selection valid_only() {
  Selection selection;
  selection.kind = Kind::Valid;
  return selection;
}

TEST(CallsOfFunctions, AreInsideOfTheOptionsAndDrawnAgainByTheirSeed) {
  Selection selection = valid_only();
  selection.dtypes = {corpus::DataType::Float};
  selection.cube_math_type = 0;
  selection.mixed = selection.empty = selection.views = selection.specials = false;
  Selection of_a_library = selection;
  selection.of_tensors = true;
  const CaseSource source = source_of(selection), plain = source_of(of_a_library);
  int outside = 0, again = 0;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const GeneratedCase drawn = source.generate(9, i);
    outside += why_outside(selection, drawn.test_case) != nullptr ? 1 : 0;
    again += drawn.seed == 9 ? 0 : 1;
    EXPECT_EQ(drawn.test_case, plain(drawn.seed, i));
  }
  EXPECT_LT(outside, 20);
  EXPECT_GT(again, 200);
}

TEST(ValidCases, AreAdmittedWithSuccessAlone) {
  const CaseSource source = source_of(valid_only());
  int wrong = 0;
  for (std::uint64_t i = 0; i < 60'000 && wrong < 5; ++i) {
    const Case test_case = source(1, i);
    const auto admitted = oracle::admissible_statuses(test_case, Profile::Documented);
    if (admitted.statuses == std::vector{corpus::Status::Success} && !admitted.values_ill_defined) {
      continue;
    }
    ++wrong;
    ADD_FAILURE() << testing::PrintToString(admitted.broken_rules) << ' '
                  << admitted.not_judged.value_or("") << ' ' << corpus::to_json_line(test_case);
  }
}

TEST(ValidCases, FollowFromTheirSizes) {
  const CaseSource source = source_of(valid_only());
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const Case test_case = source(2, i);
    if (oracle::mac_count(test_case).value_or(0) == 0)
      continue;  // sizes of empty problems are freer
    const auto sizes = convolution_of(test_case);
    ASSERT_TRUE(sizes) << corpus::to_json_line(test_case);
    EXPECT_EQ(test_case.grad_output->shape, sizes->grad_output_shape());
    EXPECT_EQ(test_case.input->shape, sizes->input_shape());
    EXPECT_EQ(test_case.weight->shape, sizes->weight_shape());
    EXPECT_EQ(oracle::mac_count(test_case), static_cast<std::uint64_t>(mac_count(*sizes)));
  }
}

TEST(ValidCases, KeepTheirBudgetAndTheirMemorySmall) {
  Selection selection = valid_only();
  selection.max_macs = 100'000;
  const CaseSource source = source_of(selection);
  double total = 0;
  int counted = 0;
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    const Case test_case = source(3, i);
    if (!test_case.shape_consistent) continue;  // asked for its status alone
    const auto macs = oracle::mac_count(test_case);
    ASSERT_TRUE(macs);
    EXPECT_LE(*macs, 100'000U) << corpus::to_json_line(test_case);
    EXPECT_LE(targets::memory_bytes(test_case).value_or(1U << 30), 1U << 26)
        << corpus::to_json_line(test_case);
    total += static_cast<double>(*macs);
    ++counted;
  }
  RecordProperty("mean_macs", std::to_string(total / counted));
  EXPECT_GT(total / counted, 300);
  EXPECT_LT(total / counted, 4000);
}

/// Corners of one valid case as the table below names them.
void count_parameters(const Case& test_case, std::map<std::string, int>& seen) {
  ++seen[std::string("product ") + test_case.soc];
  ++seen["rank " + std::to_string(test_case.input->shape.size())];
  ++seen[std::string("type ") + std::string(corpus::name_of(test_case.grad_output->dtype))];
  ++seen["cube " + std::to_string(test_case.cube_math_type)];
  if (test_case.transposed) ++seen["transposed"];
  if (test_case.groups > 1) ++seen["groups"];
  if (test_case.deterministic) ++seen["deterministic"];
  if (test_case.input->strides || test_case.weight->strides) ++seen["strided"];
  if (test_case.padding->size() == 4) ++seen["four paddings"];
  if (*corpus::element_count(test_case.input->shape) == 0) ++seen["empty"];
}

void count_relations(const Case& test_case, std::map<std::string, int>& seen) {
  const auto sizes = convolution_of(test_case);
  if (!sizes) return;
  const auto any = [&](auto&& holds) { return std::ranges::any_of(sizes->axes, holds); };
  const bool dilated = any([](const SpatialAxis& axis) { return axis.dilation > 1; });
  if (any([](const SpatialAxis& axis) { return axis.stride > 1; })) ++seen["stride"];
  if (dilated) ++seen["dilation"];
  if (any([](const SpatialAxis& axis) { return axis.stride > axis.kernel; }))
    ++seen["stride > kernel"];
  if (any([](const SpatialAxis& axis) { return axis.kernel > axis.big; })) ++seen["kernel > input"];
  if (any([](const SpatialAxis& axis) { return axis.padding_begin != axis.padding_end; })) {
    ++seen["asymmetric"];
  }
  if (std::ranges::none_of(*test_case.output_padding, [](auto n) { return n > 0; })) return;
  ++seen["output padding"];
  if (test_case.groups > 1 && dilated) ++seen["output padding with groups and dilation"];
}

/// Shares that the campaign's worth rests on.
const std::map<std::string, double>& least_shares() {
  static const std::map<std::string, double> least{
      {"groups", 0.2},
      {"transposed", 0.3},
      {"empty", 0.05},
      {"strided", 0.1},
      {"deterministic", 0.1},
      {"four paddings", 0.1},
      {"stride", 0.3},
      {"dilation", 0.2},
      {"stride > kernel", 0.05},
      {"kernel > input", 0.03},
      {"asymmetric", 0.05},
      {"output padding", 0.05},
      {"output padding with groups and dilation", 0.005},
      {"product Ascend910B", 0.3},
      {"product Ascend910_93", 0.05},
      {"product Ascend950", 0.1},
      {"product Ascend310P", 0.03},
      {"product Ascend910", 0.03},
      {"rank 3", 0.1},
      {"rank 4", 0.3},
      {"rank 5", 0.2},
      {"type FLOAT", 0.2},
      {"type FLOAT16", 0.2},
      {"type BF16", 0.1},
      {"type HIFLOAT8", 0.01},
      {"type FLOAT8_E4M3FN", 0.01},
      {"cube 0", 0.2},
      {"cube 1", 0.15},
      {"cube 2", 0.05},
      {"cube 3", 0.05}};
  return least;
}

TEST(ValidCases, ReachEveryCornerOftenEnough) {
  const CaseSource source = source_of(valid_only());
  std::map<std::string, int> seen;
  constexpr int cases = 20'000;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Case test_case = source(4, i);
    count_parameters(test_case, seen);
    count_relations(test_case, seen);
  }
  for (const auto& [what, share] : least_shares()) {
    EXPECT_GE(seen[what], share * cases) << what;
  }
}

TEST(CaseSource, GivesTheSameCaseForTheSameSeedAndIndex) {
  const CaseSource one = source_of({}), other = source_of({});
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    EXPECT_EQ(one(42, i), other(42, i));
    EXPECT_NE(one(42, i).id, one(43, i).id);
  }
}

TEST(CaseSource, GivesCasesThatSurviveTheirJsonLine) {
  const CaseSource source = source_of({});
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    const Case test_case = source(7, i);
    const auto read = corpus::parse_case(corpus::to_json_line(test_case));
    ASSERT_TRUE(read) << read.error().text() << corpus::to_json_line(test_case);
    EXPECT_EQ(*read, test_case);
  }
}

TEST(CaseSource, DrawsInsideItsSelection) {
  Selection selection = valid_only();
  selection.products = {corpus::Product::Ascend950, corpus::Product::Ascend910_93};
  selection.dtypes = {corpus::DataType::BFloat16};
  selection.ranks = {3, 5};
  selection.transposed = true;
  const CaseSource source = source_of(selection);
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const Case test_case = source(8, i);
    EXPECT_TRUE(admits(selection, test_case)) << corpus::to_json_line(test_case);
    EXPECT_TRUE(test_case.transposed);
    EXPECT_NE(test_case.input->shape.size(), 4U);
    EXPECT_NE(test_case.soc, "Ascend910B");
  }
}

TEST(CaseSource, SaysWhySelectionsAdmitNothing) {
  Selection selection = valid_only();
  selection.products = {corpus::Product::Ascend910B};
  selection.dtypes = {corpus::DataType::HiFloat8};
  const auto none = CaseSource::of(selection);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error(), HasSubstr("--soc Ascend910B --dtype HIFLOAT8"));
  EXPECT_THAT(none.error(), HasSubstr("only Ascend950 with --transposed yes"));

  Selection unknown;
  unknown.rules = {"STRIDE-99"};
  const auto refused = CaseSource::of(unknown);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("STRIDE-99"));
}

TEST(CaseSource, IsFastEnoughNotToBeSeen) {
  const CaseSource source = source_of({});
  const auto begin = std::chrono::steady_clock::now();
  std::size_t total = 0;
  constexpr int cases = 20'000;
  for (std::uint64_t i = 0; i < cases; ++i) total += source(9, i).input ? 1 : 0;
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - begin;
  EXPECT_GT(total, 0U);
  RecordProperty("microseconds_per_case", std::to_string(spent.count() / cases));
  if (std::getenv("GRADPROOF_MEASURE") != nullptr) {
    std::printf("%.2f us a case\n", spent.count() / cases);
  }
}

TEST(RandomSource, StaysInsideItsRanges) {
  corpus::RandomSource random(11, 0);
  for (int i = 0; i < 10'000; ++i) {
    const auto drawn = random.between(-3, 5);
    EXPECT_TRUE(drawn >= -3 && drawn <= 5);
    const auto log = random.log_between(5, 1'000);
    EXPECT_TRUE(log >= 5 && log <= 1'000);
  }
  EXPECT_EQ(random.between(4, 4), 4);
  EXPECT_EQ(random.log_between(1, 1), 1);
}

}  // namespace
}  // namespace gradproof::cases
