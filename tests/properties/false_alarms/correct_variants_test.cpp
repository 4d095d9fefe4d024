// Right libraries of many kinds, judged as any foreign library by default: none is called wrong.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "corpus/case_json.h"
#include "oracle/arithmetic/algorithm_scope.h"
#include "properties/runs/campaign/campaign.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/properties/false_alarms/numeric_variant.h"
#include "tests/properties/false_alarms/wrapped_backend.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/twins/winograd_twin.h"

namespace gradproof::runs {
namespace {

using oracle::Addition;
using oracle::CorrectKernel;
using oracle::Hf32Rounding;
using oracle::Order;

/// As `verify --target` judges.
const oracle::JudgeSettings as_a_foreign_library{.profile = oracle::Profile::Tolerant,
                                                 .adder = oracle::Adder::Block,
                                                 .hf32_rounding = Hf32Rounding::Unknown};

struct Variant {
  std::string name;
  std::function<std::shared_ptr<const targets::Library>(const std::string&)> make;
  oracle::JudgeSettings judge = as_a_foreign_library;
};

Variant computing(const std::string& name, const CorrectKernel& kernel,
                  Hf32Rounding rounding = Hf32Rounding::NearestEven) {
  return {name, [=](const std::string& called) {
            auto settings = as_a_foreign_library;
            settings.hf32_rounding = rounding;
            return numeric_variant(called, [=](const corpus::Case& test_case) {
              return oracle::observed(test_case, kernel, settings);
            });
          }};
}

/// Declared, as a machine file does; other calls are computed directly.
Variant in_tiles(const std::string& name, const oracle::WinogradTwin& twin) {
  const corpus::OutputRole role = oracle::role_of(twin.algorithm);
  oracle::JudgeSettings judge = as_a_foreign_library;
  judge.algorithms = {{.gradient = role, .algorithm = twin.algorithm}};
  const auto computation = [=](const corpus::Case& test_case) {
    const auto ways = arithmetics(test_case, role, judge);
    const bool fits =
        tensor(test_case, role) && !ways.empty() &&
        tiles_admitted(judge, test_case, *oracle::geometry_of(test_case), role, ways.front());
    return fits ? oracle::observed_in_tiles(test_case, twin, judge)
                : oracle::observed(test_case, {}, judge);
  };
  return {name, [=](const std::string& called) { return numeric_variant(called, computation); },
          judge};
}

Variant wrapping(const std::string& name, const Wrapping& differences) {
  return {name, [=](const std::string& called) { return wrapped_backend(called, differences); }};
}

/// Each is right by the documents.
std::vector<Variant> variants() {
  return {
      computing("Sequential", {}),
      computing("Reversed", {.order = Order::Reversed}),
      computing("Pairwise", {.order = Order::Pairwise}),
      computing("Blocked16", {.order = Order::Blocked16}),
      computing("RandomTree", {.order = Order::RandomTree, .seed = 7}),
      computing("Fused", {.fused = true}),
      computing("FusedReversed", {.order = Order::Reversed, .fused = true}),
      computing("PaddingMultiplied", {.order = Order::Pairwise, .multiplies_padding = true}),
      computing("Truncating", {.addition = Addition::Truncated}),
      computing("TruncatingTree",
                {.order = Order::RandomTree, .addition = Addition::Truncated, .seed = 8}),
      computing("BlockAdder", {.addition = Addition::Block}),
      computing("SplitInTwo", {.order = Order::Split, .parts = 2}),
      computing("SplitInSeven", {.order = Order::Split, .parts = 7}),
      computing("EightLanes", {.order = Order::Lanes, .parts = 8}),
      computing("Compensated", {.addition = Addition::Compensated}),
      computing("SumsInDouble", {.addition = Addition::Wide}),
      computing("BlocksInDouble", {.addition = Addition::WideInBlocks}),
      computing("NansOfItsOwn", {.marks_nans = true}),
      computing("OperandsFlushed", {.flushes_operands = true}),
      computing("ResultsFlushed", {.order = Order::Pairwise, .flushes_results = true}),
      computing("ResultsFlushedAlone", {.fused = true, .flushes_results = true}),
      computing("BothFlushed", {.flushes_operands = true, .flushes_results = true}),
      computing("BothFlushedFused",
                {.fused = true, .flushes_operands = true, .flushes_results = true}),
      computing("BothFlushedByBlocks",
                {.addition = Addition::Block, .flushes_operands = true, .flushes_results = true}),
      computing("Hf32Away", {.order = Order::Blocked16}, Hf32Rounding::NearestAway),
      in_tiles("Winograd3x2", {.algorithm = corpus::Algorithm::Winograd3x2}),
      in_tiles("Winograd2x3", {.algorithm = corpus::Algorithm::Winograd2x3, .fused = true}),
      in_tiles("Winograd4x3", {.algorithm = corpus::Algorithm::Winograd4x3}),
      in_tiles("Winograd4x3WithDirectBorders",
               {.algorithm = corpus::Algorithm::Winograd4x3, .borders_directly = true}),
      in_tiles("Winograd3x2WithoutZeroTiles", {.algorithm = corpus::Algorithm::Winograd3x2,
                                               .skips_zero_tiles = true,
                                               .sum = oracle::WinogradTwin::Sum::Pairwise}),
      wrapping("OwnExecutors", {.own_executors = true}),
      wrapping("OwnExecutorsWithoutFunctions",
               {.own_executors = true, .has_executor_functions = false}),
      wrapping("LargerWorkspace", {.own_executors = true, .added_workspace = 12'345}),
      wrapping("OwnWorkspace", {.own_executors = true, .own_workspace = true}),
      wrapping("OwnWorkspaceFromPhaseOne",
               {.own_executors = true, .own_workspace_in_phase_one = true}),
      wrapping("ComputedOnAThread", {.own_executors = true, .computes_on_a_thread = true}),
      wrapping("WorkspaceAlignedTo4096", {.own_executors = true, .workspace_alignment = 4096}),
      wrapping("ComputedInPhaseTwo", {.own_executors = true, .waits_in_phase_two = true}),
      wrapping("AddressesAtOddMultiplesOf32", {.address_step = 32}),
      wrapping("PlainLoops", {.setting = "GRADPROOF_PATH", .value = "plain"}),
      wrapping("RoundedProducts", {.setting = "GRADPROOF_FLOAT_PRODUCTS", .value = "rounded"}),
      wrapping("Hf32AwayOnTheDevice", {.setting = "GRADPROOF_HF32_ROUNDING", .value = "away"}),
      wrapping("ReleasedStatuses", {.setting = "GRADPROOF_PROFILE", .value = "released"}),
      wrapping("OneCore", {.setting = "GRADPROOF_CORES", .value = "1"}),
      wrapping("EagerStreams", {.setting = "GRADPROOF_STREAMS", .value = "eager"}),
  };
}

/// GRADPROOF_FALSE_ALARM_SECONDS and _SEED set how long each variant runs, and its cases.
double number_from_environment(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtod(text, nullptr) : otherwise;
}

class CorrectVariant : public testing::TestWithParam<Variant> {};

TEST_P(CorrectVariant, IsNeverCalledWrong) {
  const tests::ScratchFolder folder;
  cases::Selection selection;
  selection.apis = {corpus::Api::ConvolutionBackward};
  selection.max_macs = 20'000;
  Work work;
  work.source = *cases::CaseSource::of(selection);
  work.seed = static_cast<std::uint64_t>(number_from_environment("GRADPROOF_FALSE_ALARM_SEED", 1));
  CampaignSettings settings;
  settings.check.judge = GetParam().judge;
  const double seconds = number_from_environment("GRADPROOF_FALSE_ALARM_SECONDS", 1);
  settings.budget.time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3));
  settings.budget.findings = 1;
  settings.folder = folder.path();
  auto results = findings::ResultsFile::open(folder.path());
  Progress progress;
  const std::atomic<bool> go{false};
  const auto library = GetParam().make(GetParam().name);
  const auto result = run_campaign(library, work, settings, *results, progress, go);
  for (const findings::Finding& finding : result.findings) {
    ADD_FAILURE() << finding.signature << ": " << finding.verdict.reason << '\n'
                  << corpus::to_json_line(finding.test_case);
  }
  EXPECT_EQ(result.summary.count(corpus::Outcome::Disagree), 0U);
  EXPECT_GT(result.summary.count(corpus::Outcome::Agree), result.summary.cases() / 2);
  EXPECT_FALSE(findings::health_problem(result.summary))
      << *findings::health_problem(result.summary);
}

INSTANTIATE_TEST_SUITE_P(Of, CorrectVariant, testing::ValuesIn(variants()),
                         [](const auto& variant) { return variant.param.name; });

TEST(CorrectVariants, AreAtLeast45) { EXPECT_GE(variants().size(), 45U); }

}  // namespace
}  // namespace gradproof::runs
