#include <gtest/gtest.h>

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "corpus/case_json.h"
#include "oracle/judge/judge.h"
#include "oracle/judge/tiling_judge.h"
#include "oracle/tiling/prediction.h"
#include "tests/support/operator_calls.h"

// What the oracle says of tilings: the published vectors, and that a judge holds every field to it.

namespace gradproof::oracle {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::Observation;
using corpus::Outcome;
using corpus::Status;
using corpus::TilingField;
using corpus::Verdict;
using Kind = tiling::Prediction::Kind;

std::vector<Case> published() {
  const auto cases = corpus::read_cases(GRADPROOF_STORED_CASES "/tilings/vectors.jsonl");
  EXPECT_TRUE(cases) << cases.error().text();
  return *cases;
}

std::map<std::string, std::int64_t> by_name(const std::vector<TilingField>& fields) {
  std::map<std::string, std::int64_t> values;
  for (const TilingField& field : fields) {
    EXPECT_TRUE(values.emplace(field.name, field.value).second) << "duplicate field " << field.name;
  }
  return values;
}

TEST(TilingOracle, ReproducesThePublishedVectors) {
  int vectors = 0;
  for (const Case& problem : published()) {
    if (problem.expect->status != Status::Success) continue;
    const auto prediction = tiling::input_prediction(problem);
    ASSERT_EQ(prediction.kind, Kind::Fields) << problem.id;
    const auto fields = by_name(prediction.fields);
    EXPECT_EQ(fields.size(), 66U);
    EXPECT_GE(problem.expect->tiling.size(), 28U);
    for (const TilingField& field : problem.expect->tiling) {
      EXPECT_EQ(fields.at(field.name), field.value) << problem.id << " " << field.name;
    }
    ++vectors;
  }
  EXPECT_EQ(vectors, 19);  // nine in two dtypes, and the transposed one
}

Case small_case() { return operator_case({.api = Api::Conv3DBpInputTiling}); }

Observation seen(const Case& problem) {
  Observation observation;
  observation.phase_one = Status::Success;
  observation.tiling = tiling::input_prediction(problem).fields;
  return observation;
}

Verdict judged(const Case& problem, const Observation& observation) {
  Case status_only = problem;
  status_only.shape_consistent = false;
  return judge({status_only, Profile::Documented}, observation, {});
}

TEST(TilingJudge, HoldsEveryFieldOfDxToTheSpecification) {
  const Case problem = small_case();
  const Observation right = seen(problem);
  EXPECT_EQ(judged(problem, right).outcome, Outcome::Agree) << judged(problem, right).reason;
  for (std::size_t i = 0; i < right.tiling.size(); ++i) {
    Observation wrong = right;
    ++wrong.tiling[i].value;
    const Verdict verdict = judged(problem, wrong);
    EXPECT_EQ(verdict.outcome, Outcome::Disagree);
    EXPECT_EQ(verdict.reason,
              fmt::format("GetTiling gives {} = {}, the specification {}", right.tiling[i].name,
                          right.tiling[i].value + 1, right.tiling[i].value));
  }
  Observation without = right;
  without.tiling.pop_back();
  EXPECT_EQ(judged(problem, without).reason, "GetTiling fills no field singleCoreCin");
}

TEST(TilingJudge, WantsARefusalWhereNothingFitsL1AndNoneElsewhere) {
  Case problem = operator_case({.api = Api::Conv3DBpInputTiling,
                                .batch = 1,
                                .small = {1, 100, 60'000},
                                .kernel = {1, 1, 1},
                                .stride = {1, 1, 1},
                                .dilation = {1, 1, 1},
                                .pads = {0, 0, 0, 0, 0, 0}});
  ASSERT_EQ(lacks_tiling(problem), true);
  Observation refusal;
  refusal.phase_one = Status::TilingRefused;
  refusal.out_parameters_untouched = true;
  EXPECT_EQ(judged(problem, refusal).outcome, Outcome::Agree) << judged(problem, refusal).reason;
  EXPECT_EQ(judged(problem, seen(problem)).outcome, Outcome::Disagree);
  EXPECT_EQ(judged(small_case(), refusal).outcome, Outcome::Disagree);
  // What the class does without input channels is unspecified.
  Case undefined = small_case();
  undefined.grad_input->shape[1] = undefined.weight->shape[1] = 0;
  EXPECT_EQ(lacks_tiling(undefined), std::nullopt);
  EXPECT_EQ(judged(undefined, refusal).outcome, Outcome::Refused);
}

TEST(TilingJudge, TellsWhatACaseStatesFromWhatTheSpecificationSays) {
  Case problem = small_case();
  const Observation right = seen(problem);
  problem.expect.emplace().status = Status::Success;
  problem.expect->tiling = {{"batch", 2}};
  EXPECT_EQ(judged(problem, right).outcome, Outcome::Agree);
  problem.expect->tiling = {{"batch", 3}};
  EXPECT_EQ(judged(problem, right).kind, corpus::DisagreementKind::Expectation);
  EXPECT_EQ(judged(problem, right).reason, "GetTiling gives batch = 2, the case expects 3");
}

// dw

std::vector<TilingField> possible_blocks() {
  std::vector<TilingField> fields{{"baseM", 128},      {"baseK", 64},         {"baseN", 144},
                                  {"al0Pbuffer", 2},   {"bl0Pbuffer", 2},     {"cl0Pbuffer", 1},
                                  {"al1Pbuffer", 1},   {"bl1Pbuffer", 1},     {"iterateOrder", 1},
                                  {"singleCoreHo", 1}, {"singleCoreBatch", 1}};
  for (const char* name :
       {"stepM", "stepN", "stepKa", "stepKb", "singleCoreDk", "singleCoreGroup", "singleCoreCout",
        "singleCoreCin", "singleCoreM", "singleCoreN", "singleCoreK"}) {
    fields.push_back({name, 1});
  }
  return fields;
}

std::optional<std::string> flaw_with(const char* name, std::int64_t value) {
  auto fields = possible_blocks();
  std::ranges::find(fields, name, &TilingField::name)->value = value;
  return tiling::flaw_of_filter_blocks(operator_case({.api = Api::Conv3dBpFilterTiling}), fields);
}

TEST(TilingJudge, HoldsTheBlocksOfDwToTheChip) {
  EXPECT_EQ(flaw_with("baseM", 128), std::nullopt);
  EXPECT_EQ(flaw_with("baseM", 0), "GetTiling gives baseM = 0");
  EXPECT_EQ(flaw_with("baseM", 120), "GetTiling gives baseM = 120, no multiple of 16");
  EXPECT_EQ(flaw_with("baseK", 24), "GetTiling gives baseK = 24, no multiple of 16");
  EXPECT_EQ(flaw_with("al1Pbuffer", 3),
            "GetTiling gives al1Pbuffer = 3; 1 is a single buffer, 2 ping-pong");
  EXPECT_EQ(flaw_with("iterateOrder", 2), "GetTiling gives iterateOrder = 2; it is 0 or 1");
  EXPECT_NE(flaw_with("baseM", 512), std::nullopt);     // L0A
  EXPECT_NE(flaw_with("baseN", 512), std::nullopt);     // L0B
  EXPECT_NE(flaw_with("cl0Pbuffer", 2), std::nullopt);  // L0C
  EXPECT_NE(flaw_with("stepKa", 64), std::nullopt);     // L1
}

TEST(TilingJudge, KnowsOfSomeFiltersWhetherTheyAreRefused) {
  OperatorCall call{.api = Api::Conv3dBpFilterTiling,
                    .kernel = {1, 3, 1},
                    .stride = {1, 1, 1},
                    .dilation = {1, 1, 1},
                    .pads = {0, 0, 0, 0, 0, 0}};
  EXPECT_EQ(lacks_tiling(operator_case(call)), false);
  call.small = {1, 1, 5'000};
  EXPECT_EQ(lacks_tiling(operator_case(call)), std::nullopt);
  call.small = {1, 1, 65'536};
  EXPECT_EQ(lacks_tiling(operator_case(call)), true);
}

TEST(TilingJudge, HoldsTheFieldsOfDwToTheProblem) {
  const Case problem = operator_case({.api = Api::Conv3dBpFilterTiling});
  auto filled = possible_blocks();
  const auto prediction = tiling::filter_prediction(problem);
  ASSERT_EQ(prediction.kind, Kind::Fields);
  EXPECT_EQ(prediction.fields.size(), 27U);
  filled.insert(filled.end(), prediction.fields.begin(), prediction.fields.end());
  EXPECT_EQ(flaw_of_tiling(problem, filled), std::nullopt);
  for (const TilingField& field : prediction.fields) {
    auto wrong = filled;
    ++std::ranges::find(wrong, field.name, &TilingField::name)->value;
    EXPECT_TRUE(flaw_of_tiling(problem, wrong)) << field.name;
  }
}

}  // namespace
}  // namespace gradproof::oracle
