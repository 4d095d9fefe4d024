#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "corpus/case_json.h"
#include "corpus/element_values.h"
#include "oracle/geometry/workload.h"
#include "oracle/status/status_oracle.h"
#include "properties/campaign/campaign.h"
#include "properties/generators/random_case.h"
#include "properties/generators/valid_case.h"
#include "properties/laws/exact_data.h"
#include "properties/laws/law.h"
#include "properties/laws/law_choice.h"
#include "properties/session/loaded_library.h"
#include "properties/shrink/shrink.h"
#include "properties/target/target.h"
#include "tests/support/fake_cann.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::properties {

/// Where GoogleTest looks for it.
void PrintTo(const Law& law, std::ostream* out) { *out << law.name; }

namespace {

using corpus::Case;
using corpus::Outcome;
using corpus::Verdict;

std::string name_of(const testing::TestParamInfo<Law>& info) {
  return std::string(info.param.name);
}

Selection legal_calls() {
  Selection selection;
  selection.kind = Kind::Valid;
  return selection;
}

corpus::DataRecipe grid_up_to(std::int64_t grad_output, std::int64_t input, std::int64_t weight) {
  corpus::DataRecipe data;
  data.distribution = corpus::Distribution::ExactGrid;
  data.fills.emplace();
  (*data.fills)[0].magnitude = grad_output;
  (*data.fills)[1].magnitude = input;
  (*data.fills)[2].magnitude = weight;
  return data;
}

/// Up to `count` complete cases of the selection that the law says something about.
std::vector<Case> cases_of(const Law& law, Selection selection, std::uint64_t seed,
                           std::size_t count) {
  selection.kind = Kind::Valid;
  const auto source = CaseSource::of(selection);
  EXPECT_TRUE(source);
  const std::vector<const Law*> only{&law};
  std::vector<Case> cases;
  for (std::uint64_t i = 0; cases.size() < count && i < 40 * count; ++i) {
    const Case drawn = (*source)(seed, i);
    if (laws_that_apply(only, drawn).empty()) continue;
    if (auto run = law_run(law, drawn, i)) cases.push_back(std::move(*run));
  }
  return cases;
}

/// FLOAT throughout, in a mode that the fake computes in: where the oracle is asked, its own alone.
bool is_for_the_fake(const Law& law, const Case& problem) {
  if (problem.grad_weight && problem.grad_weight->dtype != corpus::DataType::Float) return false;
  const bool asks_oracle = law.name == "schedule_bound" || law.name == "path_independence";
  return problem.cube_math_type == 0 || (problem.cube_math_type != 2 && !asks_oracle);
}

class EachLaw : public testing::TestWithParam<Law> {};
INSTANTIATE_TEST_SUITE_P(Table, EachLaw, testing::ValuesIn(laws().begin(), laws().end()), name_of);

/// Every product, type, rank and layout that the generator draws.
TEST_P(EachLaw, HoldsOnTheSimulatedBackendAndMostlySaysSomething) {
  const auto library = LoadedLibrary::load({});
  ASSERT_TRUE(library) << library.error();
  const auto target = (*library)->new_target();
  Selection selection;
  selection.max_macs = 100'000;
  // GRADPROOF_LAW_CASES: a longer look.
  const char* wanted = std::getenv("GRADPROOF_LAW_CASES");
  const std::size_t count = wanted != nullptr ? std::stoul(wanted) : 300;
  const auto cases = cases_of(GetParam(), selection, 5, count);
  ASSERT_EQ(cases.size(), count);
  std::map<std::string, int> silent;
  std::size_t agreed = 0;
  for (const Case& problem : cases) {
    const Verdict verdict = check_law(GetParam(), *target, problem, {});
    EXPECT_EQ(verdict.law, GetParam().name);
    ASSERT_NE(verdict.outcome, Outcome::Disagree) << verdict.reason << "\n"
                                                  << corpus::to_json_line(problem);
    if (verdict.outcome == Outcome::Agree) ++agreed;
    if (verdict.outcome != Outcome::Agree) ++silent[verdict.reason];
  }
  EXPECT_GE(agreed * 100, count * 60) << testing::PrintToString(silent);
  if (std::getenv("GRADPROOF_MEASURE") != nullptr) {
    std::printf("%s: %zu of %zu agreed; %s\n", std::string(GetParam().name).c_str(), agreed, count,
                testing::PrintToString(silent).c_str());
  }
}

TEST_P(EachLaw, HoldsOnAPlainLoopOverDoubles) {
  const auto target = fake_library(fake_api_with_operators(), Misbehaviour::None)->new_target();
  Selection selection;
  selection.products = {corpus::Product::Ascend910B};
  selection.dtypes = {corpus::DataType::Float};
  selection.max_macs = 5'000;
  for (const Case& problem : cases_of(GetParam(), selection, 6, 60)) {
    if (!is_for_the_fake(GetParam(), problem)) continue;
    const Verdict verdict = check_law(GetParam(), *target, problem, {});
    ASSERT_NE(verdict.outcome, Outcome::Disagree) << verdict.reason << "\n"
                                                  << corpus::to_json_line(problem);
  }
  EXPECT_EQ(fake_cann().live_objects(), 0);
}

TEST_P(EachLaw, SaysNothingOfACallWithoutData) {
  const auto target = fake_library()->new_target();
  const auto source = CaseSource::of(legal_calls());
  EXPECT_EQ(check_law(GetParam(), *target, (*source)(1, 1), {}).outcome, Outcome::Skipped);
  EXPECT_EQ(fake_cann().phase_one_calls, 0);
}

/// A fault and a law that detects it.
struct Broken {
  const char* law;
  Misbehaviour misbehaviour;
};
void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.law; }
constexpr Broken broken_laws[] = {
    {"scaling", Misbehaviour::AddOneToGradInput},
    {"batch_additivity", Misbehaviour::BiasMissesLastSample},
    {"adjoint", Misbehaviour::DoubleGradWeight},
    {"group_independence", Misbehaviour::IgnoreGroups},
    {"one_group_at_a_time", Misbehaviour::IgnoreGroups},
    {"lifting", Misbehaviour::LoseLastTapIn1D},
    {"transposed_duality", Misbehaviour::LoseLastSampleIfTransposed},
    {"channel_permutation", Misbehaviour::LoseLastChannel},
    {"batch_permutation", Misbehaviour::CountFirstSampleTwice},
    {"translation", Misbehaviour::LoseFirstColumn},
    {"padding_as_zeros", Misbehaviour::LosePaddingEnd},
    {"mask_independence", Misbehaviour::LoseGradWeightWithoutGradInput},
    {"strided_as_contiguous", Misbehaviour::IgnoreStrides},
    {"offset_independence", Misbehaviour::IgnoreOffset},
    {"format_independence", Misbehaviour::DoubleGradWeightOfNd},
    {"mode_independence", Misbehaviour::DoubleGradWeightInOtherModes},
    {"bias_mode_independence", Misbehaviour::RoundBiasInOtherModes},
    {"determinism", Misbehaviour::VaryFromCallToCall},
    {"executor_reuse", Misbehaviour::SkipSecondUseOfExecutor},
    {"input_purity", Misbehaviour::WriteIntoInput},
    {"workspace_independence", Misbehaviour::ReadWorkspace},
    {"larger_workspace", Misbehaviour::DoubleWithLargerWorkspace},
    {"workspace_alignment", Misbehaviour::DoubleWithUnalignedWorkspace},
    {"data_between_phases", Misbehaviour::ReadDataInPhaseOne},
    {"default_stream", Misbehaviour::DoubleOnDefaultStream},
    {"phases_on_two_threads", Misbehaviour::DoubleOnAnotherThread},
    {"many_streams", Misbehaviour::MixUpStreams},
    {"no_leak", Misbehaviour::LeakDeviceMemory},
    {"schedule_determinism", Misbehaviour::ShowScheduleInBits},
    {"schedule_bound", Misbehaviour::LoseSumInSomeSchedules},
    {"path_independence", Misbehaviour::DoublePlainPath},
    {"operator_equivalence", Misbehaviour::MistakeOperatorLayout},
};

/// Moving a map by a stride of a million would take gigabytes.
TEST(DerivedCalls, AreLeftOutWhereTheyAreTooLarge) {
  const auto read = corpus::parse_case(
      R"({"id":"far","source":"test","api":"aclnnConvolutionBackward","soc":"Ascend950",)"
      R"("gradOutput":{"shape":[1,4,3,11,20],"dtype":"FLOAT","format":"NCDHW"},)"
      R"("input":{"shape":[1,2,1,8,7],"dtype":"FLOAT","format":"NCDHW"},)"
      R"("weight":{"shape":[2,2,1,1,1],"dtype":"FLOAT","format":"NCDHW"},"biasSizes":[4],)"
      R"("stride":[1000000,2,3],"padding":[0,2,0],"dilation":[1,1,1],"transposed":true,)"
      R"("outputPadding":[2,0,1],"groups":2,"outputMask":[true,true,true],"cubeMathType":0,)"
      R"("gradInput":{"shape":[1,2,1,8,7],"dtype":"FLOAT","format":"NCDHW"},)"
      R"("gradWeight":{"shape":[2,2,1,1,1],"dtype":"FLOAT","format":"NCDHW"},)"
      R"("gradBias":{"shape":[4],"dtype":"FLOAT","format":"ND"},"deterministic":true})");
  ASSERT_TRUE(read) << read.error().key << read.error().problem;
  const Law* const translation = law_named("translation");
  ASSERT_NE(translation, nullptr);
  const auto target = fake_library()->new_target();
  int too_large = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {  // which axis is moved follows from the data
    Case problem = *read;
    problem.data = grid_up_to(1, 1, 1);
    problem.data->seed = seed;
    const Verdict verdict = check_law(*translation, *target, problem, {});
    EXPECT_NE(verdict.outcome, Outcome::Disagree) << verdict.reason;
    if (verdict.reason == "a call that the law needs is too large") ++too_large;
  }
  EXPECT_GT(too_large, 0);
}

TEST(LawTable, HasAFaultForEveryLaw) {
  std::set<std::string_view> names, planted;
  for (const Law& law : laws()) {
    EXPECT_TRUE(names.insert(law.name).second) << law.name;
    EXPECT_FALSE(law.words.empty());
    EXPECT_EQ(law_named(law.name), &law);
  }
  for (const Broken& broken : broken_laws) planted.insert(broken.law);
  EXPECT_EQ(names, planted);
  EXPECT_EQ(law_named("gravity"), nullptr);
}

class BrokenLaw : public testing::TestWithParam<Broken> {};
INSTANTIATE_TEST_SUITE_P(Planted, BrokenLaw, testing::ValuesIn(broken_laws),
                         [](const auto& info) { return std::string(info.param.law); });

TEST_P(BrokenLaw, FiresAndShrinksToFewElements) {
  const Law& law = *law_named(GetParam().law);
  const auto target =
      fake_library(fake_api_with_operators(), GetParam().misbehaviour)->new_target();
  Selection selection;
  selection.products = {corpus::Product::Ascend910B};
  selection.dtypes = {corpus::DataType::Float};
  selection.max_macs = 5'000;
  const auto check_case = [&](const Case& problem) { return check_law(law, *target, problem, {}); };
  for (const Case& problem : cases_of(law, selection, 7, 200)) {
    if (problem.grad_weight && problem.grad_weight->dtype != corpus::DataType::Float) continue;
    if (law.name == "schedule_bound" && !is_for_the_fake(law, problem)) continue;
    const Verdict verdict = check_case(problem);
    if (verdict.outcome != Outcome::Disagree) continue;
    EXPECT_EQ(verdict.law, law.name);
    EXPECT_FALSE(verdict.reason.empty());
    EXPECT_THAT(verdict.kind,
                testing::AnyOf(corpus::DisagreementKind::Law, corpus::DisagreementKind::Leak,
                               corpus::DisagreementKind::Value,
                               corpus::DisagreementKind::Nondeterministic));
    const Shrunk shrunk = shrink(problem, check_case, {std::chrono::seconds(20), nullptr});
    EXPECT_EQ(shrunk.verdict.signature(), verdict.signature());
    EXPECT_LE(corpus::non_zero_count(shrunk.problem), 8U)
        << corpus::to_json_line(shrunk.problem) << shrunk.verdict.reason;
    if (std::getenv("GRADPROOF_MEASURE") != nullptr) {
      std::printf("%s: %s\n  %s\n", law.name.data(), shrunk.verdict.signature().c_str(),
                  shrunk.verdict.reason.c_str());
    }
    return;
  }
  FAIL() << "the law never fired";
}

// ---- the schedule adversary

/// FLOAT on Ascend910B, with a gradWeight of 3 x 3 whose 1024 products sixteen cores share.
Case split_case() {
  Convolution sizes;
  sizes.batch = 4;
  sizes.axes = {{.big = 18, .kernel = 3}, {.big = 18, .kernel = 3}};
  return *law_run(*law_named("schedule_bound"), plain_case(sizes, Frame{}), 3);
}

TEST(ScheduleAdversary, SeesGradWeightVaryByDefaultWhereCoresShareASum) {
  const auto library = LoadedLibrary::load({});
  ASSERT_TRUE(library) << library.error();
  const auto target = (*library)->new_target();
  const Law& bound = *law_named("schedule_bound");
  Case problem = split_case();
  Verdict verdict = check_law(bound, *target, problem, {});
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_THAT(verdict.tallies,
              testing::ElementsAre("schedules: gradWeight in several bit patterns"));
  verdict = check_law(*law_named("schedule_determinism"), *target, problem, {});
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_THAT(verdict.tallies, testing::IsEmpty());
  problem.soc = "Ascend950";
  verdict = check_law(bound, *target, problem, {});
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_THAT(verdict.tallies, testing::IsEmpty());
}

TEST(ScheduleAdversary, CountsTargetsThatCannotBeToldASchedule) {
  const auto with = fake_library();
  CannApi api = fake_api();
  api.set_for_thread = nullptr;
  const auto library = LoadedLibrary::of(api, "without");
  ASSERT_TRUE(library);
  const auto target = (*library)->new_target();
  const Verdict verdict = check_law(*law_named("schedule_determinism"), *target, split_case(), {});
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_THAT(verdict.tallies,
              testing::ElementsAre("schedules: the target takes no seed and no threads"));
  EXPECT_EQ(check_law(*law_named("path_independence"), *target, split_case(), {}).outcome,
            Outcome::Skipped);
}

/// What a target without machine settings is still driven through, and what suffices to show it.
TEST(ScheduleAdversary, NamesTheCircumstanceThatSuffices) {
  struct Row {
    Misbehaviour misbehaviour;
    const char* words;
  };
  constexpr Row rows[] = {{Misbehaviour::ShowScheduleInBits, "enough for it: schedule seed 13"},
                          {Misbehaviour::ReadWorkspace, "enough for it: a workspace of bytes 0x00"},
                          {Misbehaviour::MixUpStreams, "enough for it: a call on another stream"},
                          {Misbehaviour::ReadAddress, "enough for it: tensors 32 bytes later"},
                          {Misbehaviour::VaryFromCallToCall, "in a repeat with nothing varied"}};
  for (const Row& row : rows) {
    const auto target = fake_library(row.misbehaviour)->new_target();
    const Verdict verdict =
        check_law(*law_named("schedule_determinism"), *target, split_case(), {});
    EXPECT_EQ(verdict.outcome, Outcome::Disagree);
    EXPECT_THAT(verdict.reason, testing::HasSubstr(row.words));
  }
}

TEST(SettledGrid, NeverLetsASumExceedTheAccumulator) {
  const auto source = CaseSource::of(legal_calls());
  for (std::uint64_t i = 0; i < 300; ++i) {
    const auto run = on_grid_for(Demand::Settled, (*source)(8, i), i);
    if (!run || oracle::mac_count(*run) == 0) continue;
    const auto known = exactness_of(*run);
    for (const auto role : corpus::output_roles) {
      const auto& one = known[static_cast<std::size_t>(role)];
      EXPECT_TRUE(one.settled || !corpus::is_requested(*run, role));
      EXPECT_TRUE(one.settled || !one.exact);
    }
  }
}

/// 4096 products below 2^6 times 2^6 fit 24 bits; one bit more and the guard has to see it.
TEST(Exactness, IsDeniedWhereTheAccumulatorWouldRound) {
  Convolution sizes;
  sizes.axes = {SpatialAxis{.big = 64}, SpatialAxis{.big = 64}};
  Case problem = plain_case(sizes, Frame{});
  problem.data = grid_up_to(63, 63, 63);
  EXPECT_TRUE(exactness_of(problem)[1].exact);
  problem.data = grid_up_to(63, 64, 63);
  EXPECT_FALSE(exactness_of(problem)[1].settled);
  EXPECT_TRUE(exactness_of(problem)[0].exact);
}

/// FLOAT16 keeps 11 bits of a sum: twice it is twice it, but parts do not add up.
TEST(Exactness, KnowsThatANarrowOutputRounds) {
  Convolution sizes;
  sizes.axes = {SpatialAxis{.big = 8}, SpatialAxis{.big = 8}};
  Frame half;
  half.types = TypeMix::Float16;
  Case problem = plain_case(sizes, half);
  problem.data = grid_up_to(15, 15, 15);
  const Exactness weight = exactness_of(problem)[1];
  EXPECT_TRUE(weight.settled && weight.scalable);
  EXPECT_FALSE(weight.exact);
  problem.data = grid_up_to(15, 1, 15);
  EXPECT_TRUE(exactness_of(problem)[1].exact);
  EXPECT_TRUE(exactness_of(problem)[2].exact);
  problem.data = grid_up_to(63, 1, 15);  // 64 of them: 12 bits
  EXPECT_FALSE(exactness_of(problem)[2].exact);
}

// ---- in a campaign

/// How often each law stands in the results of a campaign of `cases` runs.
std::map<std::string, int> laws_of_campaign(const std::vector<std::string>& names,
                                            std::uint64_t cases) {
  const tests::ScratchFolder folder;
  const auto library = LoadedLibrary::load({});
  EXPECT_TRUE(library);
  Selection selection;
  selection.kind = names.empty() ? Kind::All : Kind::Valid;
  selection.max_macs = 2'000;
  const Work work{{}, *CaseSource::of(selection), 12, {}};
  CampaignSettings settings;
  settings.budget.cases = cases;
  settings.folder = folder.path();
  settings.laws = law_choice(names);
  auto results = ResultsFile::open(folder.path());
  Progress progress;
  const std::atomic<bool> go{false};
  const CampaignResult result = run_campaign(*library, work, settings, *results, progress, go);
  EXPECT_EQ(result.summary.count(Outcome::Disagree), 0U);
  EXPECT_EQ(result.summary.cases(), cases);
  std::map<std::string, int> counts;
  std::ifstream lines(results->path());
  for (std::string line; std::getline(lines, line);) {
    ++counts[nlohmann::json::parse(line)["law"].get<std::string>()];
  }
  return counts;
}

TEST(CampaignOfLaws, HoldsAShareOfTheCasesToEachLawInAdditionToExactnessAndStatus) {
  const auto counts = laws_of_campaign({}, 6'000);
  EXPECT_GT(counts.at("exactness"), 3'000);
  EXPECT_GT(counts.at("status"), 300);
  for (const Law& law : laws()) EXPECT_GT(counts.count(std::string(law.name)), 0U) << law.name;
}

TEST(CampaignOfLaws, RunsTheNamedOnesAlone) {
  const auto counts = laws_of_campaign({"lifting", "adjoint"}, 200);
  EXPECT_EQ(counts.size(), 2U);
  EXPECT_EQ(counts.at("lifting") + counts.at("adjoint"), 200);
}

TEST(CampaignOfLaws, DependsOnNothingButTheSeed) {
  EXPECT_EQ(laws_of_campaign({}, 500), laws_of_campaign({}, 500));
}

/// Found by a law, minimised, stored with its law, and the same again when it is replayed.
TEST(CampaignOfLaws, StoresAFindingThatReplaysUnderItsLaw) {
  const tests::ScratchFolder folder;
  const Law& law = *law_named("adjoint");
  Selection selection;
  selection.products = {corpus::Product::Ascend910B};
  selection.dtypes = {corpus::DataType::Float};
  selection.max_macs = 2'000;
  Work work;
  for (Case& problem : cases_of(law, selection, 9, 20)) {
    if (problem.grad_weight->dtype != corpus::DataType::Float) continue;
    work.stored.push_back({std::move(problem), "stored.jsonl"});
  }
  CampaignSettings settings;
  settings.folder = folder.path();
  settings.laws = law_choice({"adjoint"});
  auto results = ResultsFile::open(folder.path());
  Progress progress;
  const std::atomic<bool> go{false};
  const auto library = fake_library(Misbehaviour::DoubleGradWeight);
  const auto result = run_campaign(library, work, settings, *results, progress, go);
  ASSERT_EQ(result.findings.size(), 1U);
  const auto file = finding_file(folder.path(), "disagree-law-adjoint-gradWeight");
  EXPECT_EQ(law_of_finding(file), "adjoint");
  const auto again = read_finding(file);
  ASSERT_TRUE(again);

  settings.laws = law_choice({});
  const Work replayed{{{*again, file.string(), law_of_finding(file)}}, std::nullopt, 0, {}};
  const auto same = run_campaign(library, replayed, settings, *results, progress, go);
  EXPECT_EQ(same.summary.disagreements.count("disagree-law-adjoint-gradWeight"), 1U);
  EXPECT_EQ(same.summary.cases(), 1U);
}

}  // namespace
}  // namespace gradproof::properties
