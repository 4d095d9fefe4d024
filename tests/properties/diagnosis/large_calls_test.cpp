// Diagnosis of calls that are large because the fault needs their sizes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "corpus/element_values.h"
#include "oracle/recipes/recipe_plan.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/cases/shrink/read_elements.h"
#include "properties/findings/diagnosis/diagnosis.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/properties/false_alarms/numeric_variant.h"

namespace gradproof::findings {
namespace {

using corpus::Case;
using corpus::InputRole;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// gradWeight of 160 x 144 channels, of kernels of 1x3 on 3 samples of 2x9.
Case layer() {
  cases::Convolution sizes;
  sizes.batch = 3;
  sizes.small_channels_per_group = 160;
  sizes.big_channels_per_group = 144;
  sizes.axes = {{.big = 2, .kernel = 1}, {.big = 9, .kernel = 3}};
  Case test_case = cases::plain_case(sizes, cases::Frame{});
  test_case.output_mask = std::vector<bool>{false, true, false};
  return test_case;
}

/// The layer with a product alone: of gradOutput[n, channel, 1, column] and what meets it at the
/// second tap.
Case with_one_product(std::int64_t n, std::int64_t channel, std::int64_t column) {
  Case test_case = layer();
  corpus::DataRecipe data;
  data.distribution = corpus::Distribution::Listed;
  constexpr std::uint64_t one = 0x3F800000;
  data.listed[InputRole::GradOutput] = {{{n, channel, 1, column}, one}};
  data.listed[InputRole::Input] = {{{n, 20, 1, column + 1}, one}};
  test_case.data = std::move(data);
  return test_case;
}

/// Loses elements of gradOutput from what it reads, if they are listed.
using IsLost = std::function<bool(const std::vector<std::int64_t>& at)>;

std::vector<std::string> diagnosis_of_losing(const IsLost& is_lost, const Case& test_case) {
  const auto library = runs::numeric_variant("losing", [&](const Case& given) {
    Case read = given;
    auto& listed = read.data->listed[InputRole::GradOutput];
    std::erase_if(listed, [&](const corpus::ListedElement& one) { return is_lost(one.at); });
    return oracle::observed(read, {}, {});
  });
  const auto target = library->new_target();
  const auto verdict = cases::check(*target, test_case, {});
  EXPECT_EQ(verdict.outcome, corpus::Outcome::Disagree) << verdict.reason;
  DiagnosisSettings settings;
  settings.time = std::chrono::minutes(5);
  return diagnosis_of(*target, test_case, test_case, verdict, settings);
}

TEST(LargeCall, SaysFromWhichColumnOnItIsWrong) {
  ASSERT_TRUE(cases::is_large(layer()));
  const auto sentences =
      diagnosis_of_losing([](const auto& at) { return at[3] >= 4; }, with_one_product(1, 100, 5));
  EXPECT_THAT(sentences, Contains(HasSubstr("at columns of gradOutput from 4 on")));
  EXPECT_THAT(sentences, Not(Contains(HasSubstr("partial sum"))));
  EXPECT_THAT(sentences, Not(Contains(HasSubstr("lie at channels"))));
  EXPECT_THAT(sentences, Not(Contains(HasSubstr("lie at batch items"))));
}

TEST(LargeCall, SaysWhichChannelsAreWrong) {
  const auto sentences = diagnosis_of_losing(
      [](const auto& at) { return at[1] >= 64 && at[1] < 128; }, with_one_product(0, 100, 2));
  EXPECT_THAT(sentences, Contains(HasSubstr("at channels of gradOutput from 64 to 127")));
  EXPECT_THAT(sentences, Not(Contains(HasSubstr("partial sum"))));
}

TEST(LargeCall, SaysThatEverySecondColumnIsWrong) {
  const auto sentences = diagnosis_of_losing([](const auto& at) { return at[3] % 2 == 1; },
                                             with_one_product(0, 100, 3));
  EXPECT_THAT(sentences, Contains(HasSubstr("at columns of gradOutput with odd numbers")));
}

/// Neither the channels nor the samples are lost everywhere.
TEST(LargeCall, TellsAPartialSumFromAPartOfATensor) {
  const auto sentences = diagnosis_of_losing(
      [](const auto& at) { return at[1] >= 128 && at[0] == 2; }, with_one_product(2, 150, 2));
  EXPECT_THAT(sentences, Contains(HasSubstr("a partial sum is lost")));
  EXPECT_THAT(sentences, Contains(HasSubstr("at channels of gradOutput from 128 on")));
  EXPECT_THAT(sentences, Contains(HasSubstr("at batch items at 2, the last one")));
}

/// A wrong call with dense data: hypotheses are held against some elements of its output.
TEST(LargeCall, IsHeldAgainstHypotheses) {
  const auto library = runs::numeric_variant("losing", [](const Case& given) {
    Case read = given;
    if (read.data) read.data = corpus::as_listed(read);
    auto& listed = read.data->listed[InputRole::Input];
    std::erase_if(listed, [&](const corpus::ListedElement& one) {
      return one.at[3] + 1 == given.input->shape[3];
    });
    return oracle::observed(read, {}, {});
  });
  const auto target = library->new_target();
  const auto dense = oracle::with_recipe(layer(), corpus::Distribution::ExactGrid, 3);
  const auto verdict = cases::check(*target, *dense, {});
  ASSERT_EQ(verdict.outcome, corpus::Outcome::Disagree) << verdict.reason;
  DiagnosisSettings settings;
  settings.time = std::chrono::minutes(5);
  EXPECT_THAT(
      diagnosis_of(*target, *dense, *dense, verdict, settings),
      Contains(AllOf(HasSubstr("without the last column of input"), HasSubstr("tested on"))));
}

}  // namespace
}  // namespace gradproof::findings
