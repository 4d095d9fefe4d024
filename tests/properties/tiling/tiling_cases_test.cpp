#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "corpus/case_json.h"
#include "oracle/judge/judge_stages.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/check/check.h"
#include "properties/cases/coverage/corners.h"
#include "properties/cases/generators/random_case.h"
#include "properties/runs/campaign/item_runs.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/library.h"
#include "properties/targets/target/target.h"
#include "properties/targets/tiling/tiling_classes.h"

// The share of generated cases that ask Ascend C's tiling classes: what they are, and that the
// simulated backend's classes answer as the oracle's port of the published search does.

namespace gradproof::targets {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::Outcome;
using corpus::Status;

cases::CaseSource tilings(cases::Kind kind) {
  cases::Selection selection;
  selection.apis = {Api::Conv3DBpInputTiling, Api::Conv3dBpFilterTiling};
  selection.kind = kind;
  auto source = cases::CaseSource::of(selection);
  EXPECT_TRUE(source) << source.error();
  return *source;
}

TEST(TilingCases, BreakNoRule) {
  const cases::CaseSource source = tilings(cases::Kind::Valid);
  std::map<Api, int> seen;
  for (std::uint64_t i = 0; i < 4'000; ++i) {
    const Case test_case = source(1, i);
    const auto admitted = oracle::admissible_statuses(test_case, oracle::Profile::Documented);
    EXPECT_EQ(admitted.not_judged, std::nullopt);
    EXPECT_THAT(admitted.broken_rules, testing::IsEmpty()) << corpus::to_json_line(test_case);
    ++seen[test_case.api];
  }
  EXPECT_GT(seen[Api::Conv3DBpInputTiling], 1'000);
  EXPECT_GT(seen[Api::Conv3dBpFilterTiling], 1'000);
}

TEST(TilingCases, BreakTheRuleTheyName) {
  const cases::CaseSource source = tilings(cases::Kind::Invalid);
  std::set<std::string> broken;
  for (std::uint64_t i = 0; i < 4'000; ++i) {
    const Case test_case = source(2, i);
    const auto at = test_case.source.find("breaks ");
    if (at == std::string::npos) continue;
    const std::string rule = test_case.source.substr(at + 7);
    const std::string name = rule.substr(0, rule.find(','));
    const auto admitted = oracle::admissible_statuses(test_case, oracle::Profile::Documented);
    EXPECT_THAT(admitted.broken_rules, testing::Contains(name)) << corpus::to_json_line(test_case);
    broken.insert(name);
  }
  for (const oracle::StatusRule& rule : oracle::all_status_rules()) {
    const bool is_theirs = rule.calls.contains(Api::Conv3DBpInputTiling) ||
                           rule.calls.contains(Api::Conv3dBpFilterTiling);
    if (is_theirs) {
      EXPECT_TRUE(broken.contains(std::string(rule.id))) << rule.id;
    }
  }
}

TEST(TilingCases, GoToEveryKindOfTiling) {
  const cases::CaseSource source = tilings(cases::Kind::Valid);
  std::vector<int> seen(cases::tiling_class_corners().size());
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    for (const std::uint16_t place : cases::tiling_class_corners_of(source(3, i))) ++seen.at(place);
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_GE(seen[i], 5) << cases::tiling_class_corners()[i];
    if (std::getenv("GRADPROOF_MEASURE") != nullptr) {
      std::printf("%6d %s\n", seen[i], cases::tiling_class_corners()[i].data());
    }
  }
}

TEST(TilingCases, SurviveTheirJsonLine) {
  const cases::CaseSource source = tilings(cases::Kind::All);
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    Case test_case = source(4, i);
    test_case.expect.emplace().tiling = {{"baseM", 256}, {"hf32Flag", -1}};
    const auto read = corpus::parse_case(corpus::to_json_line(test_case));
    ASSERT_TRUE(read) << read.error().text() << corpus::to_json_line(test_case);
    EXPECT_EQ(*read, test_case);
  }
}

TEST(TilingCases, StateATilingOnlyOfItsClasses) {
  Case test_case = tilings(cases::Kind::Valid)(5, 0);
  test_case.expect.emplace().tiling = {{"baseM", 256}};
  std::string line = corpus::to_json_line(test_case);
  const std::string own(corpus::name_of(test_case.api));
  line.replace(line.find(own), own.size(), corpus::name_of(Api::Conv3DBackpropInputV2));
  const auto read = corpus::parse_case(line);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().text(), testing::HasSubstr("fills no tiling"));
}

/// GRADPROOF_CASES=50000 for the long run.
std::uint64_t cases_to_run() {
  const char* wanted = std::getenv("GRADPROOF_CASES");
  return wanted ? std::strtoull(wanted, nullptr, 10) : 6'000;
}

TEST(SimulatedTilingClasses, AnswerFieldByFieldAsThePortOfThePublishedSearch) {
  const auto library = LoadedLibrary::load({});
  ASSERT_TRUE(library) << library.error();
  const auto target = (*library)->new_target();
  const cases::CaseSource source = tilings(cases::Kind::All);
  std::map<Outcome, int> outcomes;
  int decided = 0, refused_for_room = 0;
  for (std::uint64_t i = 0; i < cases_to_run(); ++i) {
    const Case test_case = source(6, i);
    const auto verdict = cases::check(*target, test_case, {});
    ++outcomes[verdict.outcome];
    const bool is_open = verdict.rules.empty();
    if (is_open && oracle::lacks_tiling(test_case)) ++decided;
    if (is_open && oracle::lacks_tiling(test_case) == true) ++refused_for_room;
    ASSERT_NE(verdict.outcome, Outcome::Disagree) << verdict.reason << "\n"
                                                  << corpus::to_json_line(test_case);
    ASSERT_NE(verdict.outcome, Outcome::Skipped) << verdict.reason;
  }
  EXPECT_GT(decided, static_cast<int>(cases_to_run() / 3));
  EXPECT_GT(refused_for_room, 0);
  std::printf("%d agreed, %d refused where nothing published decides, %d decided, %d lack room\n",
              outcomes[Outcome::Agree], outcomes[Outcome::Refused], decided, refused_for_room);
}

/// Where no recipe makes data (lengths that contradict each other), one run asks for the fields;
/// the same line twice would be another case's when a run is taken up again.
TEST(RunsOfATilingCase, AskWithoutDataAtMostOnce) {
  const cases::CaseSource source = tilings(cases::Kind::All);
  int without_data = 0;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const auto runs = cases::runs_of({source(5, i), oracle::Profile::Documented}, {}, 1);
    const auto bare = std::ranges::count_if(runs, [](const Case& run) { return !run.data; });
    ASSERT_LE(bare, 1) << corpus::to_json_line(runs.front());
    without_data += static_cast<int>(bare);
  }
  EXPECT_GT(without_data, 0);
}

/// A few of the largest gradients would take a campaign most of its time.
TEST(RunsOfATilingCase, ComputeOneInEightOfTheLargestThatACampaignDraws) {
  runs::Work work;
  work.source = tilings(cases::Kind::Valid);
  work.seed = 5;
  const auto has_data = [](const runs::ItemRun& run) { return run.test_case.data.has_value(); };
  int large = 0, computed = 0;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    runs::WorkItem item = work.item(i);
    const bool dx = item.test_case.api == Api::Conv3DBpInputTiling;
    const auto& map = dx ? item.test_case.grad_input : item.test_case.input;
    if (!computes_on_cores(item.test_case) || *corpus::element_count(map->shape) <= 10'000)
      continue;
    const auto runs = runs::runs_of_item(work, item, {});
    ASSERT_EQ(runs.size(), 1U);
    ++large;
    computed += has_data(runs.front()) ? 1 : 0;
    item.is_generated = false;  // what a person replays is computed
    EXPECT_TRUE(std::ranges::all_of(runs::runs_of_item(work, item, {}), has_data));
  }
  EXPECT_GT(large, 50);
  EXPECT_GT(computed, large / 30);
  EXPECT_LT(computed, large / 3);
}

TEST(SimulatedTilingClasses, LeadKernelsToTheExactGradients) {
  const auto library = LoadedLibrary::load({});
  ASSERT_TRUE(library) << library.error();
  const auto target = (*library)->new_target();
  const cases::CaseSource source = tilings(cases::Kind::Valid);
  std::map<Api, int> compared;
  for (std::uint64_t i = 0; i < cases_to_run() / 30; ++i) {
    const Case test_case = source(7, i);
    for (const Case& run : cases::runs_of({test_case, oracle::Profile::Documented}, {}, 1)) {
      const auto verdict = cases::check(*target, run, {});
      ASSERT_NE(verdict.outcome, Outcome::Disagree) << verdict.reason << "\n"
                                                    << corpus::to_json_line(run);
      if (verdict.law == "exactness") ++compared[test_case.api];
    }
  }
  EXPECT_GT(compared[Api::Conv3DBpInputTiling], 20);
  EXPECT_GT(compared[Api::Conv3dBpFilterTiling], 20);
}

/// In blocks of 8 positions 200 are enough; the cube has 208, and two pieces of 208 x 40 FLOATs are
/// more than L0A.
TEST(SimulatedTilingClasses, ComputeNothingWithATilingThatL0CannotHold) {
  const auto library = LoadedLibrary::load({});
  ASSERT_TRUE(library) << library.error();
  const auto target = (*library)->new_target();
  const auto test_case = corpus::parse_case(
      R"({"id":"l0a","api":"Conv3DBpInputTiling","soc":"Ascend910B",)"
      R"("gradOutput":{"shape":[1,1,1,6,29],"dtype":"FLOAT","format":"NCDHW"},)"
      R"("weight":{"shape":[1,1,1,1,5],"dtype":"FLOAT","format":"NCDHW"},"groups":1,)"
      R"("dataFormat":"NCDHW","pads":[0,0,0,0,0,0],"strides":[1,1,1,1,1],)"
      R"("dilations":[1,1,1,1,1],"inputSize":[1,1,1,6,33],)"
      R"("gradInput":{"shape":[1,1,1,6,33],"dtype":"FLOAT","format":"NCDHW"},)"
      R"("data":{"seed":1,"distribution":"listed","gradOutput":[],"weight":[]}})");
  ASSERT_TRUE(test_case) << test_case.error().text();
  const auto seen = target->run_case(*test_case, {});
  EXPECT_EQ(seen.phase_one, Status::Success);
  EXPECT_EQ(seen.phase_two, std::nullopt);
  EXPECT_EQ(cases::check(*target, *test_case, {}).outcome, Outcome::Agree);
}

TEST(SimulatedTilingClasses, GiveThePublishedVectorsInBothFlavours) {
  const auto library = LoadedLibrary::load({});
  ASSERT_TRUE(library) << library.error();
  const auto target = (*library)->new_target();
  const auto cases = corpus::read_cases(GRADPROOF_STORED_CASES "/tilings/vectors.jsonl");
  ASSERT_TRUE(cases) << cases.error().text();
  ASSERT_EQ(cases->size(), 21U);
  for (const Case& test_case : *cases) {
    const auto verdict = cases::check(*target, test_case, {});
    EXPECT_EQ(verdict.outcome, Outcome::Agree) << test_case.id << " " << verdict.reason;
    Case wrong = test_case;
    if (wrong.expect->tiling.empty()) continue;
    ++wrong.expect->tiling.front().value;
    EXPECT_EQ(cases::check(*target, wrong, {}).outcome, Outcome::Disagree);
  }
}

}  // namespace
}  // namespace gradproof::targets
