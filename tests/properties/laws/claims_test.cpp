// What libraries claim of their bits: each planted break is named with its axis, and by no other.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "corpus/element_values.h"
#include "properties/cases/laws/claims.h"
#include "properties/cases/laws/law_choice.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/findings/report/report_table.h"
#include "properties/targets/session/loaded_library.h"
#include "tests/properties/laws/law_cases.h"
#include "tests/support/fake_cann.h"

namespace gradproof::cases {
namespace {

using corpus::Outcome;
using targets::Misbehaviour;

Selection small_calls() {
  Selection selection;
  selection.products = {corpus::Product::Ascend910B};
  selection.dtypes = {corpus::DataType::Float};
  selection.max_macs = 3'000;
  return selection;
}

/// Laws of claims that a fake with this misbehaviour breaks, of `count` calls of each.
std::set<std::string> broken_by(Misbehaviour misbehaviour, std::size_t count) {
  const auto target =
      targets::fake_library(targets::fake_api_with_operators(), misbehaviour)->new_target();
  std::set<std::string> broken;
  for (const Law& law : claim_laws()) {
    std::size_t agreed = 0;
    for (const Case& test_case : cases_of(law, small_calls(), 11, count)) {
      if (test_case.grad_weight && test_case.grad_weight->dtype != corpus::DataType::Float) {
        continue;
      }
      const auto verdict = check_law(law, *target, test_case, {});
      agreed += verdict.outcome == Outcome::Agree ? 1 : 0;
      if (verdict.outcome != Outcome::Disagree) continue;
      EXPECT_EQ(verdict.kind, corpus::DisagreementKind::Law) << verdict.reason;
      broken.insert(std::string(law.name));
    }
    // The fake is in this process, on no cores of its own.
    const bool needs_more = law.name == "other_process" || law.name == "core_count";
    if (misbehaviour == Misbehaviour::None && !needs_more) {
      EXPECT_GT(agreed, count / 2) << law.name;
    }
  }
  return broken;
}

TEST(Claims, OfAPlainLoopOverDoublesHold) {
  EXPECT_EQ(broken_by(Misbehaviour::None, 60), std::set<std::string>());
}

TEST(Claims, ThatDoNotHoldAreNamedWithTheirAxis) {
  using Names = std::set<std::string>;
  EXPECT_EQ(broken_by(Misbehaviour::ShowBatchSize, 60), Names{"batch_size"});
  EXPECT_EQ(broken_by(Misbehaviour::ShowPlaceInBatch, 60), Names{"batch_place"});
  // A group alone has other neighbours.
  EXPECT_EQ(broken_by(Misbehaviour::ShowNeighbours, 60),
            (Names{"batch_neighbours", "group_alone"}));
  EXPECT_EQ(broken_by(Misbehaviour::ShowGroups, 60), Names{"group_alone"});
  EXPECT_EQ(broken_by(Misbehaviour::ShowStrides, 60), Names{"tensor_layout"});
  // Strided tensors lie elsewhere, too.
  EXPECT_THAT(broken_by(Misbehaviour::ReadAddress, 60), testing::Contains("tensor_alignment"));
}

TEST(Claims, OfWhichOneFailsAreMadeSmall) {
  const Law& law = *law_named("batch_size");
  const auto target = targets::fake_library(Misbehaviour::ShowBatchSize)->new_target();
  const auto check = [&](const Case& test_case) { return check_law(law, *target, test_case, {}); };
  for (const Case& test_case : cases_of(law, small_calls(), 12, 40)) {
    if (check(test_case).outcome != Outcome::Disagree) continue;
    const Shrunk small = shrink(test_case, check, {std::chrono::seconds(20), nullptr});
    EXPECT_EQ(small.test_case.input->shape.front(), 1);
    EXPECT_LE(corpus::non_zero_count(small.test_case), 4U);
    EXPECT_THAT(small.verdict.reason, testing::HasSubstr("the same sample in a batch of 7"));
    return;
  }
  FAIL() << "the law never fired";
}

TEST(Claims, AreCheckedWhereTheyAreMade) {
  const Law* const place = law_named("batch_place");
  EXPECT_THAT(law_choice({}, {"position-invariant"}).claimed, testing::ElementsAre(place));
  EXPECT_TRUE(law_choice({}, {}).claimed.empty());
  const LawChoice unclaimed = law_choice({});
  for (const Law& law : claim_laws()) {
    EXPECT_EQ(std::ranges::count(unclaimed.laws, &law), 0) << law.name;
    EXPECT_EQ(law_named(law.name), &law);
  }
  for (const Axis& axis : axes_of_claims()) {
    for (const std::string_view law : axis.laws) {
      EXPECT_TRUE(law.empty() || law_named(law) != nullptr) << law;
    }
  }
}

TEST(Claims, AreAMatrixOfTheirAxes) {
  findings::Summary summary;
  summary.laws["determinism"].at(to_size(Outcome::Agree)) = 9;
  EXPECT_FALSE(findings::claims_table(summary));  // no claim was made
  summary.laws["batch_size"].at(to_size(Outcome::Agree)) = 5;
  summary.laws["batch_size"].at(to_size(Outcome::Disagree)) = 2;
  summary.disagreements["disagree-law-batch_size-gradInput"] = 2;
  const auto table = findings::claims_table(summary);
  ASSERT_TRUE(table);
  using testing::ElementsAre;
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : table->rows) rows.push_back(row.cells);
  EXPECT_THAT(rows,
              ElementsAre(ElementsAre("batch size", "batch-invariant", "5", "2",
                                      "disagree-law-batch_size-gradInput"),
                          ElementsAre("neighbours", "batch-invariant", "0", "0", "not checked")));
}

}  // namespace
}  // namespace gradproof::cases
