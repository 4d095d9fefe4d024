#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "corpus/case_json.h"
#include "oracle/recipes/recipe_plan.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/laws/law.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/findings/diagnosis/diagnosis.h"
#include "properties/findings/diagnosis/symptoms.h"
#include "properties/targets/target/target.h"
#include "tests/support/fake_cann.h"

namespace gradproof::findings {
namespace {

using corpus::Case;
using corpus::Outcome;
using corpus::OutputRole;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Sizes {
  int batch = 1, small_channels = 1, big_channels = 1, kernel = 1, positions = 1;
  bool grad_input = true;
};

/// A 1D call for gradInput and gradWeight in FLOAT.
Case call_of(const Sizes& sizes) {
  const auto tensor = [](int a, int b, int c) {
    return fmt::format(R"({{"shape":[{},{},{}],"dtype":"FLOAT","format":"NCL"}})", a, b, c);
  };
  const auto map = tensor(sizes.batch, sizes.big_channels, sizes.positions + sizes.kernel - 1);
  const auto weight = tensor(sizes.small_channels, sizes.big_channels, sizes.kernel);
  const auto text = fmt::format(
      R"({{"id":"made","source":"generated","api":"aclnnConvolutionBackward","soc":"Ascend910B",)"
      R"("gradOutput":{},"input":{},"weight":{},"biasSizes":[{}],"stride":[1],"padding":[0],)"
      R"("dilation":[1],"transposed":false,"outputPadding":[0],"groups":1,)"
      R"("outputMask":[{},true,false],"cubeMathType":0,"gradInput":{},"gradWeight":{},)"
      R"("gradBias":null,"deterministic":false}})",
      tensor(sizes.batch, sizes.small_channels, sizes.positions), map, weight, sizes.small_channels,
      sizes.grad_input, map, weight);
  auto test_case = corpus::parse_case(text);
  EXPECT_TRUE(test_case) << text;
  return *test_case;
}

struct Found {
  Case shrunk, original;
  corpus::Verdict verdict;
};

/// The first failure of the call under this recipe, made small.
Found failure_of(targets::Target& target, const Case& test_case, corpus::Distribution recipe) {
  const auto check_case = [&](const Case& run) { return cases::check(target, run, {}); };
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    const auto run = oracle::with_recipe(test_case, recipe, seed);
    if (!run || check_case(*run).outcome != Outcome::Disagree) continue;
    const cases::Shrunk shrunk = cases::shrink(*run, check_case);
    return {shrunk.test_case, *run, shrunk.verdict};
  }
  ADD_FAILURE() << "never found";
  return {test_case, test_case, {}};
}

std::vector<std::string> diagnosis_of_failure(targets::Misbehaviour misbehaviour,
                                              const Sizes& sizes, corpus::Distribution recipe) {
  const auto target = targets::fake_library(misbehaviour)->new_target();
  const Found found = failure_of(*target, call_of(sizes), recipe);
  return diagnosis_of(*target, found.shrunk, found.original, found.verdict, {});
}

struct Taking {
  const char* name;
  targets::Misbehaviour misbehaviour;
  Sizes sizes;
  corpus::Distribution recipe;
  const char* words;
};
void PrintTo(const Taking& taking, std::ostream* out) { *out << taking.name; }

class WhatABugTakes : public testing::TestWithParam<Taking> {};

TEST_P(WhatABugTakes, IsSaid) {
  EXPECT_THAT(diagnosis_of_failure(GetParam().misbehaviour, GetParam().sizes, GetParam().recipe),
              Contains(HasSubstr(GetParam().words)));
}

INSTANTIATE_TEST_SUITE_P(
    Seeded, WhatABugTakes,
    testing::Values(Taking{"Beyond",
                           targets::Misbehaviour::LoseSampleOfBatchBeyondNine,
                           {.batch = 23},
                           corpus::Distribution::ExactGrid,
                           "wrong exactly where batch > 9, all else as in this call"},
                    Taking{"Multiples",
                           targets::Misbehaviour::LoseChannelOfMultiplesOfFour,
                           {.small_channels = 24},
                           corpus::Distribution::ExactGrid,
                           "wrong exactly where channels of gradOutput is a multiple of 4"},
                    Taking{"Product",
                           targets::Misbehaviour::LoseSampleOfSumsBeyondSixty,
                           {.batch = 9, .positions = 11},
                           corpus::Distribution::ExactGrid,
                           "wrong exactly where batch * positions of the maps > 60"},
                    Taking{"Alone",
                           targets::Misbehaviour::LoseSampleOfKernelsOfThree,
                           {.batch = 2, .kernel = 3, .positions = 4},
                           corpus::Distribution::ExactGrid,
                           "wrong exactly where kernel_l = 3"},
                    Taking{"SpecialValue",
                           targets::Misbehaviour::ReadNanAsZero,
                           {.batch = 2, .kernel = 2, .positions = 3},
                           corpus::Distribution::Specials,
                           "needs a NaN in input (ordinary values agree)"},
                    Taking{"OneOperand",
                           targets::Misbehaviour::RoundGradOutputToHalf,
                           {.batch = 2, .kernel = 2, .positions = 3},
                           corpus::Distribution::Uniform,
                           "with gradOutput alone rounded to HF32 (10 bits)"},
                    Taking{"Rank",
                           targets::Misbehaviour::LoseLastTapIn1D,
                           {.batch = 2, .kernel = 2, .positions = 3},
                           corpus::Distribution::ExactGrid,
                           "rank 3 (rank 4 with an axis of length 1 agrees)"},
                    Taking{"Mask",
                           targets::Misbehaviour::LoseGradWeightWithoutGradInput,
                           {.batch = 2, .grad_input = false},
                           corpus::Distribution::ExactGrid,
                           "gradInput not requested (with it agrees)"}),
    [](const auto& info) { return info.param.name; });

TEST(WhatABugTakes, IsNotSaidOfABugOfEverySize) {
  EXPECT_THAT(diagnosis_of_failure(targets::Misbehaviour::DoubleGradients,
                                   {.batch = 9, .positions = 7}, corpus::Distribution::ExactGrid),
              Not(Contains(HasSubstr("wrong exactly where"))));
}

/// Gives the status that the rules demand of the call in another cubeMathType.
class OtherModesStatus : public targets::Target {
 public:
  explicit OtherModesStatus(std::shared_ptr<const targets::Library> library)
      : targets::Target(std::move(library)) {}
  tl::expected<std::uint64_t, std::string> free_memory() override { return std::uint64_t{0}; }
  bool gains_by_batches() const override { return false; }
  bool endangers_this_process() const override { return false; }

  std::string message;

 private:
  corpus::Observation run_one(const Case& test_case, const targets::RunSettings&) override {
    Case taken = test_case;
    if (taken.cube_math_type == 0) taken.cube_math_type = 2;
    corpus::Observation seen;
    seen.out_parameters_untouched = true;
    seen.message = message;
    seen.phase_one =
        oracle::admissible_statuses(taken, oracle::Profile::Documented).statuses.front();
    return seen;
  }
  std::vector<corpus::Observation> run_several(std::span<const Case>,
                                               const targets::RunSettings&) override {
    return {};
  }
  std::vector<corpus::Observation> run_together(std::span<const Case>,
                                                const targets::RunSettings&) override {
    return {};
  }
};

/// What is said of a BFLOAT16 call that it gives a wrong status for.
std::vector<std::string> diagnosis_of_status(OtherModesStatus& target) {
  Case test_case = call_of({});
  for (auto* tensor : {&test_case.grad_output, &test_case.input, &test_case.weight,
                       &test_case.grad_input, &test_case.grad_weight}) {
    (*tensor)->dtype = corpus::DataType::BFloat16;
  }
  cases::CheckSettings settings;
  settings.run.status_only = true;
  const auto verdict = cases::check(target, test_case, settings);
  EXPECT_EQ(verdict.kind, corpus::DisagreementKind::Status) << verdict.reason;
  return diagnosis_of(target, test_case, test_case, verdict, {.check = settings});
}

TEST(DiagnosisOfAStatus, NamesTheModeTakenForTheCallsOwn) {
  OtherModesStatus target(targets::fake_library());
  EXPECT_THAT(
      diagnosis_of_status(target),
      Contains(HasSubstr("the status equals the right one with cubeMathType 2 taken for 0")));
}

TEST(DiagnosisOfAStatus, QuotesWhatTheTargetSaysInOneLine) {
  OtherModesStatus target(targets::fake_library());
  EXPECT_THAT(diagnosis_of_status(target), Not(Contains(HasSubstr("the target says"))));
  target.message = "EZ1001: no\n\tsuch \x1b[31mmode\n";
  EXPECT_THAT(diagnosis_of_status(target), Contains("the target says: EZ1001: no such [31mmode"));
  target.message = "workspace at 0x7fe5dac0f200 of 0x10 bytes";
  EXPECT_THAT(diagnosis_of_status(target),
              Contains("the target says: workspace at 0x... of 0x10 bytes"));
  target.message = std::string(1000, 'x');
  EXPECT_THAT(diagnosis_of_status(target),
              Contains("the target says: " + std::string(297, 'x') + "..."));
}

std::vector<std::string> symptoms_of_call(targets::Misbehaviour misbehaviour, OutputRole culprit) {
  const auto target = targets::fake_library(misbehaviour)->new_target();
  Case test_case = call_of({.batch = 3, .kernel = 2, .positions = 4});
  *test_case.output_mask = {false, false, false};
  (*test_case.output_mask)[to_size(culprit)] = true;
  const Found found = failure_of(*target, test_case, corpus::Distribution::ExactGrid);
  return diagnosis::symptoms_of(*target, found.shrunk, found.original, found.verdict, {});
}

TEST(Symptoms, OfAFaultInBothGradientsAreBothWhicheverShowedIt) {
  EXPECT_THAT(symptoms_of_call(targets::Misbehaviour::LoseFirstTap, OutputRole::GradInput),
              ElementsAre("gradInput", "gradWeight"));
  EXPECT_THAT(symptoms_of_call(targets::Misbehaviour::LoseFirstTap, OutputRole::GradWeight),
              ElementsAre("gradWeight", "gradInput"));
}

TEST(Symptoms, OfAFaultInOneGradientAreItsOwn) {
  EXPECT_THAT(symptoms_of_call(targets::Misbehaviour::DoubleGradWeight, OutputRole::GradWeight),
              ElementsAre("gradWeight"));
}

std::vector<std::string> symptoms_of_law(targets::Misbehaviour misbehaviour, const char* name) {
  const auto target = targets::fake_library(misbehaviour)->new_target();
  const cases::Law& law = *cases::law_named(name);
  const auto run = cases::law_run(law, call_of({.batch = 3, .kernel = 2, .positions = 4}), 1);
  const auto verdict = cases::check_law(law, *target, *run, {});
  EXPECT_EQ(verdict.outcome, Outcome::Disagree) << verdict.reason;
  return diagnosis::symptoms_of(*target, *run, *run, verdict, {});
}

TEST(Symptoms, OfABrokenLawAreWhatItsCallsShowAlone) {
  EXPECT_THAT(symptoms_of_law(targets::Misbehaviour::LoseFirstColumn, "translation"),
              testing::Contains("gradInput"));
  EXPECT_THAT(symptoms_of_law(targets::Misbehaviour::ReadDataInPhaseOne, "data_between_phases"),
              testing::SizeIs(1));
}

}  // namespace
}  // namespace gradproof::findings
