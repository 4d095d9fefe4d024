#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <set>
#include <vector>

#include "corpus/case_json.h"
#include "corpus/element_values.h"
#include "oracle/geometry/workload.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/check/check.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/cases/shrink/simpler_cases.h"
#include "tests/properties/shrink/float_cases.h"
#include "tests/properties/shrink/rapidcheck_cases.h"
#include "tests/support/fake_cann.h"

namespace gradproof::cases {
namespace {

using corpus::Outcome;
using corpus::Verdict;

struct SeededFault {
  const char* name;
  targets::Misbehaviour misbehaviour;
};
void PrintTo(const SeededFault& fault, std::ostream* out) { *out << fault.name; }

class Shrink : public testing::TestWithParam<SeededFault> {};

/// The whole way: generate, run, judge, shrink.
TEST_P(Shrink, ReachesAtMostEightNonZeroElements) {
  const auto target = targets::fake_library(GetParam().misbehaviour)->new_target();
  const auto check_case = [&](const Case& test_case) { return check(*target, test_case, {}); };
  std::set<std::string> signatures;
  for (const Case& drawn : float_cases(21, 1'000)) {
    if (signatures.size() == 2) break;
    for (const Case& run : documented_runs(drawn)) {
      const Verdict verdict = check_case(run);
      if (verdict.outcome != Outcome::Disagree) continue;
      if (!signatures.insert(verdict.signature()).second) continue;
      const Shrunk shrunk = shrink(run, check_case, {std::chrono::seconds(20), nullptr});
      EXPECT_EQ(shrunk.verdict.signature(), verdict.signature());
      EXPECT_TRUE(shrunk.finished) << corpus::to_json_line(shrunk.test_case);
      EXPECT_LE(corpus::non_zero_count(shrunk.test_case), 8U)
          << corpus::to_json_line(shrunk.test_case);
      EXPECT_LE(mac_count(*convolution_of(shrunk.test_case)), 200);
      if (std::getenv("GRADPROOF_MEASURE") != nullptr) {
        std::printf("%s: %s: %lu cases tried, %lu non-zeros\n  %s\n", GetParam().name,
                    verdict.signature().c_str(), shrunk.tried,
                    corpus::non_zero_count(shrunk.test_case),
                    corpus::to_json_line(shrunk.test_case).c_str());
      }
    }
  }
  EXPECT_FALSE(signatures.empty()) << "never found";
}

INSTANTIATE_TEST_SUITE_P(
    Seeded, Shrink,
    testing::Values(SeededFault{"DilationForStride", targets::Misbehaviour::TakeDilationForStride},
                    SeededFault{"LastColumn", targets::Misbehaviour::LoseLastColumn},
                    SeededFault{"Groups", targets::Misbehaviour::IgnoreGroups},
                    SeededFault{"HalfProducts", targets::Misbehaviour::RoundProductsToHalf},
                    SeededFault{"PaddingEnd", targets::Misbehaviour::LosePaddingEnd},
                    SeededFault{"BiasSample", targets::Misbehaviour::BiasMissesLastSample},
                    SeededFault{"PastOutput", targets::Misbehaviour::WritePastOutput},
                    SeededFault{"Varying", targets::Misbehaviour::VaryFromCallToCall}),
    [](const auto& info) { return info.param.name; });

TEST(ShrinkOnACorrectLibrary, GivesTheCaseBackAsItIs) {
  const auto target = targets::fake_library()->new_target();
  const Case test_case = documented_runs(float_cases(1, 1).front()).front();
  const Shrunk shrunk = shrink(test_case, [&](const Case& one) { return check(*target, one, {}); });
  EXPECT_EQ(shrunk.test_case, test_case);
  EXPECT_EQ(shrunk.tried, 1U);
}

Verdict always_wrong(const Case&) {
  Verdict verdict;
  verdict.outcome = Outcome::Disagree;
  verdict.kind = corpus::DisagreementKind::Value;
  return verdict;
}

/// With nothing to hold it up a descent must end, and at the least case there is.
TEST(ShrinkWithoutResistance, EndsAtOneElement) {
  for (const Case& drawn : float_cases(31, 200)) {
    Case run = documented_runs(drawn).back();
    if (run.bias_sizes) run.bias_sizes = {999'997};
    const Shrunk shrunk = shrink(run, always_wrong, {std::chrono::seconds(30), nullptr});
    ASSERT_TRUE(shrunk.finished);
    if (run.bias_sizes) {
      EXPECT_EQ(shrunk.test_case.bias_sizes, std::vector<std::int64_t>{1});
    }
    const auto sizes = convolution_of(shrunk.test_case);
    ASSERT_TRUE(sizes);
    EXPECT_EQ(sizes->axes.size(), 1U) << corpus::to_json_line(shrunk.test_case);
    EXPECT_EQ(mac_count(*sizes), 1) << corpus::to_json_line(shrunk.test_case);
    EXPECT_EQ(sizes->axes[0], (SpatialAxis{})) << corpus::to_json_line(shrunk.test_case);
    EXPECT_LE(corpus::non_zero_count(shrunk.test_case), 1U);
    EXPECT_FALSE(shrunk.test_case.input->strides);
    EXPECT_LT(shrunk.tried, 3'000U);
  }
}

/// dw of a layer reads no filters, whose elements would be too many to list.
TEST(ShrinkOfALayer, EndsAtFewElementsThoughItsFiltersAreMany) {
  Convolution sizes;
  sizes.small_channels_per_group = sizes.big_channels_per_group = 256;
  sizes.axes = {{.big = 4, .kernel = 2}, {.big = 4, .kernel = 2}};
  Case layer = plain_case(sizes, Frame{});
  layer.output_mask = std::vector<bool>{false, true, false};
  layer = documented_runs(layer).front();
  const auto wrong_with_all_channels = [](const Case& test_case) {
    const auto now = convolution_of(test_case);
    const bool is_layer = now && now->small_channels_per_group == 256 &&
                          now->big_channels_per_group == 256 && now->axes.size() == 2 &&
                          now->axes[0].kernel == 2 && now->axes[1].kernel == 2 && test_case.data;
    const auto is_set = [&](corpus::InputRole role) {
      return std::ranges::any_of(corpus::element_values(test_case, role),
                                 [](std::byte byte) { return byte != std::byte{0}; });
    };
    return is_layer && is_set(corpus::InputRole::GradOutput) && is_set(corpus::InputRole::Input)
               ? always_wrong(test_case)
               : Verdict{};
  };
  ASSERT_GT(corpus::non_zero_count(layer), 200'000U);
  const Shrunk shrunk = shrink(layer, wrong_with_all_channels, {std::chrono::minutes(2), nullptr});
  EXPECT_TRUE(shrunk.finished);
  EXPECT_EQ(corpus::non_zero_count(shrunk.test_case), 2U);
}

/// A fault that rounds inputs to 12 bits needs 13 of them, and no more.
TEST(ShrinkOfARoundingFault, EndsAtTheFewestBitsThatStillShowIt) {
  const auto wrong_beyond_12_bits = [](const Case& test_case) {
    Verdict verdict;
    verdict.outcome = Outcome::Agree;
    const auto bytes = corpus::element_values(test_case, corpus::InputRole::GradOutput);
    const auto* values = reinterpret_cast<const float*>(bytes.data());
    for (std::size_t i = 0; i < bytes.size() / sizeof(float); ++i) {
      int exponent = 0;
      const float scaled = std::ldexp(std::frexp(values[i], &exponent), 12);
      if (std::nearbyint(scaled) != scaled) return always_wrong(test_case);
    }
    return verdict;
  };
  std::size_t shrunk_cases = 0;
  for (const Case& drawn : float_cases(41, 40)) {
    const Case run = documented_runs(drawn).back();
    if (wrong_beyond_12_bits(run).outcome != Outcome::Disagree) continue;
    const Shrunk shrunk = shrink(run, wrong_beyond_12_bits, {std::chrono::seconds(30), nullptr});
    EXPECT_TRUE(shrunk.finished);
    ASSERT_EQ(corpus::non_zero_count(shrunk.test_case), 1U)
        << corpus::to_json_line(shrunk.test_case);
    const auto bytes = corpus::element_values(shrunk.test_case, corpus::InputRole::GradOutput);
    float value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    EXPECT_EQ(value, std::trunc(value)) << value;
    EXPECT_GT(value, 0);
    EXPECT_LT(value, 8192) << "13 bits";
    ++shrunk_cases;
  }
  EXPECT_GT(shrunk_cases, 10U);
}

TEST(ShrinkOutOfTime, KeepsTheBestSoFar) {
  const Case drawn = documented_runs(float_cases(31, 1).front()).front();
  const Shrunk shrunk = shrink(drawn, always_wrong, {std::chrono::milliseconds(0), nullptr});
  EXPECT_FALSE(shrunk.finished);
  EXPECT_EQ(shrunk.test_case, drawn);
  const std::atomic<bool> stop{true};
  EXPECT_FALSE(shrink(drawn, always_wrong, {std::chrono::seconds(9), &stop}).finished);
}

/// RapidCheck's descent is ours: it ends where SimplerCases ends.
TEST(RapidCheckCases, ShrinkWithTheProjectsOwnSteps) {
  const auto shrinkable = cases_of(*CaseSource::of({}))(rc::Random(5), 0);
  const Case drawn = shrinkable.value();
  auto shrinks = shrinkable.shrinks();
  SimplerCases simpler(drawn);
  for (int i = 0; i < 20; ++i) {
    const auto expected = simpler.next();
    const auto given = shrinks.next();
    ASSERT_EQ(static_cast<bool>(given), expected.has_value());
    if (!expected) break;
    EXPECT_EQ(given->value(), *expected);
  }
}

}  // namespace
}  // namespace gradproof::cases
