#include <gtest/gtest.h>

#include <fmt/core.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "corpus/case_json.h"
#include "oracle/judge/judge.h"
#include "oracle/judge/judge_stages.h"
#include "oracle/tiling/prediction.h"
#include "tests/support/operator_calls.h"
#include "tests/support/published_cases.h"

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
  for (const Case& test_case : published()) {
    if (test_case.expect->status != Status::Success) continue;
    const auto prediction = tiling::input_prediction(test_case);
    ASSERT_EQ(prediction.kind, Kind::Fields) << test_case.id;
    const auto fields = by_name(prediction.fields);
    EXPECT_EQ(fields.size(), 66U);
    EXPECT_GE(test_case.expect->tiling.size(), 28U);
    for (const TilingField& field : test_case.expect->tiling) {
      EXPECT_EQ(fields.at(field.name), field.value) << test_case.id << " " << field.name;
    }
    ++vectors;
  }
  EXPECT_EQ(vectors, 19);  // nine in two dtypes, and the transposed one
}

Case small_case() { return operator_case({.api = Api::Conv3DBpInputTiling}); }

TEST(TilingOracle, TakesStridesThatItIsNotToldAsOnes) {
  for (const Api api : {Api::Conv3DBpInputTiling, Api::Conv3dBpFilterTiling}) {
    const auto prediction =
        api == Api::Conv3DBpInputTiling ? tiling::input_prediction : tiling::filter_prediction;
    Case test_case = operator_case({.api = api, .stride = {1, 1, 1}});
    const auto told = prediction(test_case);
    ASSERT_EQ(told.kind, Kind::Fields);
    test_case.attributes->strides.reset();
    EXPECT_EQ(by_name(prediction(test_case).fields), by_name(told.fields));
  }
}

Observation seen(const Case& test_case) {
  Observation observation;
  observation.phase_one = Status::Success;
  observation.tiling = tiling::input_prediction(test_case).fields;
  return observation;
}

Verdict judged(const Case& test_case, const Observation& observation) {
  Case status_only = test_case;
  status_only.shape_consistent = false;
  return judge({status_only, Profile::Documented}, observation, {});
}

TEST(TilingJudge, HoldsEveryFieldOfDxToTheSpecification) {
  const Case test_case = small_case();
  const Observation right = seen(test_case);
  EXPECT_EQ(judged(test_case, right).outcome, Outcome::Agree) << judged(test_case, right).reason;
  for (std::size_t i = 0; i < right.tiling.size(); ++i) {
    Observation wrong = right;
    ++wrong.tiling[i].value;
    const Verdict verdict = judged(test_case, wrong);
    EXPECT_EQ(verdict.outcome, Outcome::Disagree);
    EXPECT_EQ(verdict.reason,
              fmt::format("GetTiling gives {} = {}, the specification {}", right.tiling[i].name,
                          right.tiling[i].value + 1, right.tiling[i].value));
  }
  Observation without = right;
  without.tiling.pop_back();
  EXPECT_EQ(judged(test_case, without).reason, "GetTiling fills no field singleCoreCin");
}

TEST(TilingJudge, WantsARefusalWhereNothingFitsL1AndNoneElsewhere) {
  Case test_case = operator_case({.api = Api::Conv3DBpInputTiling,
                                  .batch = 1,
                                  .small = {1, 100, 60'000},
                                  .kernel = {1, 1, 1},
                                  .stride = {1, 1, 1},
                                  .dilation = {1, 1, 1},
                                  .pads = {0, 0, 0, 0, 0, 0}});
  ASSERT_EQ(lacks_tiling(test_case), true);
  Observation refusal;
  refusal.phase_one = Status::TilingRefused;
  refusal.out_parameters_untouched = true;
  EXPECT_EQ(judged(test_case, refusal).outcome, Outcome::Agree)
      << judged(test_case, refusal).reason;
  EXPECT_EQ(judged(test_case, seen(test_case)).outcome, Outcome::Disagree);
  EXPECT_EQ(judged(small_case(), refusal).outcome, Outcome::Disagree);
  // What the class does without input channels is unspecified.
  Case undefined = small_case();
  undefined.grad_input->shape[1] = undefined.weight->shape[1] = 0;
  EXPECT_EQ(lacks_tiling(undefined), std::nullopt);
  EXPECT_EQ(judged(undefined, refusal).outcome, Outcome::Refused);
}

TEST(TilingJudge, TellsWhatACaseStatesFromWhatTheSpecificationSays) {
  Case test_case = small_case();
  const Observation right = seen(test_case);
  test_case.expect.emplace().status = Status::Success;
  test_case.expect->tiling = {{"batch", 2}};
  EXPECT_EQ(judged(test_case, right).outcome, Outcome::Agree);
  test_case.expect->tiling = {{"batch", 3}};
  EXPECT_EQ(judged(test_case, right).kind, corpus::DisagreementKind::Expectation);
  EXPECT_EQ(judged(test_case, right).reason, "GetTiling gives batch = 2, the case expects 3");
}

// dw

TEST(TilingJudge, HoldsEveryFieldOfDwToTheSpecification) {
  const Case test_case = operator_case({.api = Api::Conv3dBpFilterTiling});
  const auto prediction = tiling::filter_prediction(test_case);
  ASSERT_EQ(prediction.kind, Kind::Fields);
  EXPECT_EQ(by_name(prediction.fields).size(), 56U);
  EXPECT_EQ(flaw_of_tiling(test_case, prediction.fields), std::nullopt);
  for (std::size_t i = 0; i < prediction.fields.size(); ++i) {
    auto wrong = prediction.fields;
    ++wrong[i].value;
    EXPECT_TRUE(flaw_of_tiling(test_case, wrong)) << wrong[i].name;
  }
}

TEST(TilingJudge, KnowsThatNoFilterLacksRoom) {
  OperatorCall call{.api = Api::Conv3dBpFilterTiling,
                    .kernel = {1, 3, 1},
                    .stride = {1, 1, 1},
                    .dilation = {1, 1, 1},
                    .pads = {0, 0, 0, 0, 0, 0}};
  EXPECT_EQ(lacks_tiling(operator_case(call)), false);
  call.small = {1, 1, 65'536};
  EXPECT_EQ(lacks_tiling(operator_case(call)), false);
}

std::map<std::string, std::int64_t> wanted_fields(const nlohmann::json& vector) {
  return vector["expect"]["fields"].get<std::map<std::string, std::int64_t>>();
}

tiling::FilterProblem told(const nlohmann::json& vector) {
  const auto list = [&](const char* key) { return vector[key].get<std::vector<std::int64_t>>(); };
  tiling::FilterProblem problem;
  for (const std::string setter : vector["setters"]) {  // the last word counts
    const auto shape = list(setter.c_str());
    const bool is_weight = setter == "weight", is_input = setter == "input";
    if (!is_weight) problem.batch = shape[0];
    if (is_weight || is_input) problem.cin = shape[1];
    if (!is_input) problem.cout = shape[is_weight ? 0 : 1];
  }
  SpatialAxis* const axes[] = {&problem.d, &problem.h, &problem.w};
  for (std::size_t i = 0; i < 3; ++i) {
    *axes[i] = {.big = list("input")[2 + i],
                .small = list("gradOutput")[2 + i],
                .kernel = list("weight")[2 + i],
                .stride = list("stride")[i],
                .dilation = list("dilation")[i],
                .padding_begin = list("pads")[2 * i],
                .padding_end = list("pads")[2 * i + 1]};
  }
  problem.element_bytes = vector["dtype"] == "FLOAT" ? 4 : 2;
  return problem;
}

TEST(TilingOracle, ReproducesThePublishedVectorsOfDw) {
  std::ifstream text(tests::published_file("filter_tiling.json"));
  int vectors = 0;
  for (const auto& vector : nlohmann::json::parse(text)) {
    if (vector["expect"]["status"] != 0) continue;
    const auto& sizes = vector["platform"];
    const tiling::CoreMemories memories{sizes["l1"], sizes["l0a"], sizes["l0b"], sizes["l0c"]};
    EXPECT_EQ(by_name(tiling::filter_fields(told(vector), memories)), wanted_fields(vector))
        << vector["id"];
    ++vectors;
  }
  EXPECT_EQ(vectors, 48);
}

}  // namespace
}  // namespace gradproof::oracle
