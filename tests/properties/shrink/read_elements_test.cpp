// What one element of a gradient reads, and the shrinking of large calls that begins with it.

#include "properties/cases/shrink/read_elements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include "corpus/case_json.h"
#include "corpus/element_values.h"
#include "corpus/random_source.h"
#include "oracle/gradients/sampled_gradient.h"
#include "oracle/judge/comparison.h"
#include "oracle/judge/operand_store.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/cases/shrink/shrink.h"
#include "tests/properties/shrink/float_cases.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;

/// The exact element, by the defining sum.
double exact_element(const Case& test_case, OutputRole role, std::uint64_t index) {
  const auto geometry = *oracle::geometry_of(test_case);
  const auto numbers = [&](InputRole input) {
    return oracle::operand_in_memory(test_case, input, geometry);
  };
  const auto grad_output = numbers(InputRole::GradOutput);
  const auto other = role == OutputRole::GradInput    ? numbers(InputRole::Weight)
                     : role == OutputRole::GradWeight ? numbers(InputRole::Input)
                                                      : oracle::Dense<oracle::Number>{};
  const std::vector<std::uint64_t> indices{index};
  return oracle::SampledGradient(geometry, role, grad_output, other, indices).sums().approximate(0);
}

/// Whatever the call: groups, strides, dilations, paddings, transposed.
TEST(WhatAnElementReads, GivesTheSameElement) {
  corpus::RandomSource random(5, 0);
  std::size_t elements = 0, not_zero = 0, fewer = 0;
  for (const Case& open : float_cases(61, 300)) {
    const Case drawn = documented_runs(open).front();
    if (!drawn.data || !convolution_of(drawn)) continue;
    for (const OutputRole role : corpus::output_roles) {
      const auto& output = corpus::tensor(drawn, role);
      const auto count = output ? corpus::element_count(output->shape).value_or(0) : 0;
      if (!corpus::is_requested(drawn, role) || count == 0) continue;
      const auto index = static_cast<std::uint64_t>(random.between(0, count - 1));
      const auto at = oracle::coordinate(index, output->shape);
      const auto listed = with_what_an_element_reads(drawn, role, at);
      ASSERT_TRUE(listed) << corpus::to_json_line(drawn);
      const double exact = exact_element(drawn, role, index);
      EXPECT_EQ(exact_element(*listed, role, index), exact) << corpus::to_json_line(drawn);
      ++elements;
      not_zero += exact != 0 ? 1 : 0;
      fewer += 2 * corpus::non_zero_count(*listed) < corpus::non_zero_count(drawn) ? 1 : 0;
      const auto wider = with_what_an_element_reads(drawn, role, at, 1'000'000);
      EXPECT_GE(corpus::non_zero_count(*wider), corpus::non_zero_count(*listed));
      EXPECT_EQ(exact_element(*wider, role, index), exact);
    }
  }
  EXPECT_GT(elements, 300U);
  EXPECT_GT(not_zero, elements / 2);
  EXPECT_GT(fewer, elements / 2);
}

/// A 3x3 layer of 273 x 288 channels.
Case large_layer() {
  Convolution sizes;
  sizes.small_channels_per_group = 273;
  sizes.big_channels_per_group = 288;
  sizes.batch = 2;
  sizes.axes = {{.big = 5, .kernel = 3}, {.big = 7, .kernel = 3}};
  Case layer = plain_case(sizes, Frame{});
  layer.output_mask = std::vector<bool>{true, true, false};
  return documented_runs(layer).front();
}

/// Wrong in element [200, 137, 1, 2] of gradWeight if it is not 0, where the channels fill blocks
/// of 64 and are no fewer than 256, and the map is longer than 3.
class WrongElement {
 public:
  corpus::Verdict operator()(const Case& test_case) const {
    const auto sizes = convolution_of(test_case);
    corpus::Verdict verdict;
    verdict.outcome = corpus::Outcome::Agree;
    const bool is_layer = sizes && sizes->small_channels_per_group >= 256 &&
                          sizes->big_channels_per_group >= 256 && sizes->axes.size() == 2 &&
                          sizes->axes[0].kernel == 3 && sizes->axes[1].kernel == 3 &&
                          sizes->axes[1].big > 3 && test_case.data &&
                          corpus::is_requested(test_case, OutputRole::GradWeight);
    if (!is_layer) return verdict;
    const auto& shape = test_case.grad_weight->shape;
    const std::vector<std::int64_t> at{200, 137, 1, 2};
    std::uint64_t index = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      index = index * static_cast<std::uint64_t>(shape[i]) + static_cast<std::uint64_t>(at[i]);
    }
    if (exact_element(test_case, OutputRole::GradWeight, index) == 0) return verdict;
    verdict.outcome = corpus::Outcome::Disagree;
    verdict.kind = corpus::DisagreementKind::Value;
    verdict.culprit = OutputRole::GradWeight;
    verdict.outputs[OutputRole::GradWeight].worst.emplace().at = at;
    return verdict;
  }
};

TEST(ShrinkOfALargeCall, EndsAtTwoElementsAndFewRuns) {
  const Case layer = large_layer();
  ASSERT_TRUE(is_large(layer));
  ASSERT_GT(corpus::non_zero_count(layer), 50'000U);
  const Shrunk shrunk = shrink(layer, WrongElement{}, {std::chrono::minutes(5), nullptr});
  EXPECT_TRUE(shrunk.finished);
  EXPECT_EQ(corpus::non_zero_count(shrunk.test_case), 2U);
  EXPECT_EQ(shrunk.test_case.weight->shape, (std::vector<std::int64_t>{256, 256, 3, 3}));
  EXPECT_EQ(shrunk.test_case.input->shape, (std::vector<std::int64_t>{1, 256, 3, 4}));
  EXPECT_LT(shrunk.tried, 700U);
}

/// Time is up soon on such a call: the data are few before the sizes shrink.
TEST(ShrinkOfALargeCall, MakesTheDataFewFirst) {
  std::vector<std::uint64_t> non_zeros;
  const auto noting = [&](const Case& test_case) {
    auto verdict = WrongElement{}(test_case);
    if (verdict.outcome == corpus::Outcome::Disagree) {
      non_zeros.push_back(corpus::non_zero_count(test_case));
    }
    return verdict;
  };
  shrink(large_layer(), noting, {std::chrono::minutes(5), nullptr});
  ASSERT_GT(non_zeros.size(), 2U);
  EXPECT_LE(non_zeros[1], 2U * (3 * 5 + 5 * 7)) << "one channel of each map";
  const auto first_of_two = std::ranges::find(non_zeros, 2U);
  EXPECT_LT(first_of_two - non_zeros.begin(), 30);
}

}  // namespace
}  // namespace gradproof::cases
