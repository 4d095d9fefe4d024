#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/case_json.h"
#include "corpus/element_values.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/cases/shrink/simpler_cases.h"
#include "tests/properties/shrink/float_cases.h"
#include "tests/properties/shrink/rapidcheck_cases.h"

namespace gradproof::cases {
namespace {

bool is_about_sizes(const std::string& rule) {
  return rule.starts_with("SHAPE") || rule.starts_with("CH-") || rule.starts_with("LEN") ||
         rule.starts_with("RANK") || rule.starts_with("STRIDE") || rule.starts_with("PAD") ||
         rule.starts_with("DIL") || rule.starts_with("OPAD") || rule.starts_with("FMT") ||
         rule.starts_with("GRP") || rule.starts_with("NULL") || rule.starts_with("LAYOUT");
}

TEST(SimplerCases, KeepAConsistentCaseConsistent) {
  Selection selection;
  selection.kind = Kind::Valid;
  const auto source = CaseSource::of(selection);
  ASSERT_TRUE(source);
  int seen = 0;
  for (std::uint64_t i = 0; i < 600; ++i) {
    const Case drawn = (*source)(41, i);
    if (*corpus::element_count(drawn.input->shape) == 0 ||
        *corpus::element_count(drawn.weight->shape) == 0) {
      continue;
    }
    SimplerCases simpler(drawn);
    while (const auto step = simpler.next()) {
      ++seen;
      EXPECT_NE(*step, drawn);
      const auto admitted = oracle::admissible_statuses(*step, oracle::Profile::Documented);
      for (const std::string& rule : admitted.broken_rules) {
        ASSERT_FALSE(is_about_sizes(rule)) << rule << '\n'
                                           << corpus::to_json_line(drawn) << '\n'
                                           << corpus::to_json_line(*step);
      }
    }
  }
  EXPECT_GT(seen, 5'000);
}

TEST(SimplerCases, KeepTheValuesOfTheElementsThatRemain) {
  int compared = 0;
  for (const Case& open : float_cases(51, 200)) {
    const Case drawn = documented_runs(open).front();
    const auto sizes = convolution_of(drawn);
    if (!drawn.data || !sizes || sizes->batch < 2 || drawn.groups > 1) continue;
    Convolution next = *sizes;
    next.batch = 1;
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < sizes->axes.size(); ++axis) axes.push_back(axis);
    const Case smaller = with_convolution(drawn, *sizes, next, axes);
    const auto all = corpus::element_values(drawn, corpus::InputRole::Input);
    auto first = corpus::element_values(smaller, corpus::InputRole::Input);
    ASSERT_LT(first.size(), all.size());
    EXPECT_TRUE(std::equal(first.begin(), first.end(), all.begin()));
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

TEST(SimplerCases, ListTheSameDataElementByElement) {
  for (const Case& open : float_cases(61, 50)) {
    if (!open.shape_consistent) continue;  // asked for its status alone, without data
    const Case drawn = documented_runs(open).back();
    ASSERT_TRUE(drawn.data);
    Case listed = drawn;
    listed.data = corpus::as_listed(drawn);
    for (const auto role : corpus::input_roles) {
      EXPECT_EQ(corpus::element_values(listed, role), corpus::element_values(drawn, role));
    }
  }
}

/// What was wrong with the sizes stays wrong by as much.
TEST(WithConvolution, KeepsTheContradictionsOfACase) {
  Convolution sizes;
  sizes.batch = 4;
  sizes.axes = {{.big = 9, .kernel = 2}, {.big = 8, .kernel = 3, .stride = 2}};
  Case test_case = plain_case(sizes, Frame{});
  test_case.grad_output->shape[3] += 1;
  test_case.grad_weight->shape[0] += 2;
  Convolution next = sizes;
  next.batch = 1;
  next.axes[1].big = 4;
  const auto old = convolution_of(test_case);
  ASSERT_TRUE(old);
  const Case smaller = with_convolution(test_case, *old, next, {0, 1});
  EXPECT_EQ(smaller.input->shape, (std::vector<std::int64_t>{1, 1, 9, 4}));
  EXPECT_EQ(smaller.grad_output->shape, (std::vector<std::int64_t>{1, 1, 8, 2}));
  EXPECT_EQ(smaller.grad_weight->shape, (std::vector<std::int64_t>{3, 1, 2, 3}));
}

TEST(WithConvolution, DropsAnAxisFromEverythingThatHasIt) {
  Convolution sizes;
  sizes.transposed = true;
  sizes.axes = {
      {.big = 3}, {.big = 5, .kernel = 2, .dilation = 3}, {.big = 7, .kernel = 3, .stride = 2}};
  Case test_case = plain_case(sizes, Frame{});
  corpus::DataRecipe data;
  data.distribution = corpus::Distribution::Listed;
  data.listed[0] = {{{0, 0, 1, 2, 3}, 1}, {{0, 0, 0, 4, 6}, 2}};
  test_case.data = data;
  Convolution next = sizes;
  next.axes.erase(next.axes.begin());
  const Case plane = with_convolution(test_case, sizes, next, {1, 2});
  EXPECT_EQ(plane.grad_output->shape, (std::vector<std::int64_t>{1, 1, 5, 7}));
  EXPECT_EQ(plane.grad_output->format, corpus::Format::Nchw);
  EXPECT_EQ(plane.stride, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(plane.dilation, (std::vector<std::int64_t>{3, 1}));
  ASSERT_EQ(plane.data->listed[0].size(), 1U);
  EXPECT_EQ(plane.data->listed[0][0].at, (std::vector<std::int64_t>{0, 0, 4, 6}));
  const auto admitted = oracle::admissible_statuses(plane, oracle::Profile::Documented);
  EXPECT_THAT(admitted.broken_rules, testing::IsEmpty());
}

}  // namespace
}  // namespace gradproof::cases
