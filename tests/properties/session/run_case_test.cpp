#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oracle/recipes/recipe_plan.h"
#include "properties/cases/check/check.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/target.h"
#include "tests/support/fake_cann.h"

namespace gradproof::targets {
namespace {

using corpus::Case;
using corpus::Observation;
using corpus::OutputRole;
using corpus::Status;
using testing::HasSubstr;

constexpr auto dx = to_size(OutputRole::GradInput);
constexpr auto dw = to_size(OutputRole::GradWeight);

Case small_case() {
  cases::Convolution sizes;
  sizes.batch = 2;
  sizes.small_channels_per_group = 2;
  sizes.big_channels_per_group = 3;
  sizes.axes = {{.big = 5, .kernel = 2},
                {.big = 6, .kernel = 3, .padding_begin = 1, .padding_end = 1}};
  Case test_case = cases::plain_case(sizes, cases::Frame{});
  test_case.id = "small";
  return *oracle::with_recipe(test_case, corpus::Distribution::ExactGrid, 7);
}

/// Runs a case on a fake and checks that whatever happened, everything was given back.
Observation run(Misbehaviour misbehaviour, const Case& test_case,
                const RunSettings& settings = {}) {
  const auto library = fake_library(misbehaviour);
  Observation seen;
  {
    const auto target = library->new_target();
    seen = target->run_case(test_case, settings);
    EXPECT_EQ(fake_cann().live_objects(), 0);
  }
  EXPECT_EQ(fake_cann().live_streams, 0);
  return seen;
}

corpus::Verdict judged(Misbehaviour misbehaviour, const Case& test_case) {
  const auto target = fake_library(misbehaviour)->new_target();
  return cases::check(*target, test_case, {});
}

TEST(RunCase, ShowsNothingUnusualOfALibraryThatIsRight) {
  const Observation seen = run(Misbehaviour::None, small_case());
  EXPECT_EQ(seen.phase_one, Status::Success);
  EXPECT_EQ(seen.phase_two, Status::Success);
  EXPECT_EQ(seen.synchronise, Status::Success);
  EXPECT_EQ(seen.workspace_size, 64U);
  EXPECT_FALSE(seen.failure) << *seen.failure;
  EXPECT_FALSE(seen.unsupported);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_FALSE(seen.outputs[i].overwritten_byte);
    EXPECT_FALSE(seen.input_changed_byte[i]);
    EXPECT_FALSE(seen.outputs[i].bits.empty());
    EXPECT_NE(seen.outputs[i].bits, seen.outputs[i].before);
  }
  EXPECT_FALSE(seen.workspace_overwritten_byte);
  EXPECT_EQ(judged(Misbehaviour::None, small_case()).outcome, corpus::Outcome::Agree);
}

TEST(RunCase, SeesTheStatusAndTheMessageOfARefusal) {
  const Observation seen = run(Misbehaviour::RefuseEverything, small_case());
  EXPECT_EQ(seen.phase_one, Status::ParamInvalid);
  EXPECT_TRUE(seen.out_parameters_untouched);
  EXPECT_FALSE(seen.phase_two);
  EXPECT_EQ(seen.message, "EZ1001: refused");
  EXPECT_EQ(seen.outputs[dx].bits, seen.outputs[dx].before);
  EXPECT_EQ(judged(Misbehaviour::RefuseEverything, small_case()).kind,
            corpus::DisagreementKind::Status);
}

TEST(RunCase, SeesOutParametersTouchedByAFailure) {
  const Observation seen = run(Misbehaviour::TouchOutParametersOnFailure, small_case());
  EXPECT_FALSE(seen.out_parameters_untouched);
}

TEST(RunCase, KeepsAStatusThatHasNoName) {
  EXPECT_EQ(run(Misbehaviour::ReturnOddStatus, small_case()).phase_one, static_cast<Status>(12345));
}

TEST(RunCase, NoticesSuccessWithoutResults) {
  EXPECT_THAT(run(Misbehaviour::ForgetExecutor, small_case()).failure.value_or(""),
              HasSubstr("executor"));
  const auto library = fake_library(Misbehaviour::ForgetWorkspaceSize);
  const auto target = library->new_target();
  EXPECT_THAT(target->run_case(small_case()).failure.value_or(""), HasSubstr("workspaceSize"));
}

TEST(RunCase, SeesFailuresOfPhaseTwoAndOfTheStream) {
  EXPECT_EQ(run(Misbehaviour::FailPhaseTwo, small_case()).phase_two, Status::RuntimeError);
  EXPECT_EQ(run(Misbehaviour::FailSynchronise, small_case()).synchronise,
            static_cast<Status>(507015));
}

TEST(RunCase, SeesWritesNextToAnOutput) {
  const Case test_case = small_case();
  const auto size =
      static_cast<std::int64_t>(*corpus::element_count(test_case.grad_weight->shape) * 4);
  EXPECT_EQ(run(Misbehaviour::WritePastOutput, test_case).outputs[dw].overwritten_byte, size);
  EXPECT_EQ(run(Misbehaviour::WriteBeforeOutput, test_case).outputs[dx].overwritten_byte, -4);
  EXPECT_EQ(judged(Misbehaviour::WritePastOutput, test_case).kind,
            corpus::DisagreementKind::Overwritten);
}

TEST(RunCase, SeesChangesOfInputsAndOfTheirGuards) {
  EXPECT_TRUE(run(Misbehaviour::WriteIntoInput, small_case()).input_changed_byte[1]);
  const auto guard = run(Misbehaviour::WriteIntoInputGuard, small_case()).input_changed_byte[2];
  ASSERT_TRUE(guard);
  EXPECT_LT(*guard, 0);
  EXPECT_GE(*guard, -8);
  EXPECT_EQ(judged(Misbehaviour::WriteIntoInput, small_case()).kind,
            corpus::DisagreementKind::InputChanged);
}

TEST(RunCase, SeesAWriteBeyondTheWorkspace) {
  EXPECT_EQ(run(Misbehaviour::WritePastWorkspace, small_case()).workspace_overwritten_byte, 64);
}

TEST(RunCase, LeavesASentinelWhereNothingWasWritten) {
  const Observation seen = run(Misbehaviour::LeaveGradInputUnwritten, small_case());
  EXPECT_EQ(seen.outputs[dx].bits, seen.outputs[dx].before);
  EXPECT_EQ(judged(Misbehaviour::LeaveGradInputUnwritten, small_case()).outcome,
            corpus::Outcome::Disagree);
}

TEST(RunCase, SeesAnOutputWrittenThatIsNotRequested) {
  Case test_case = small_case();
  test_case.output_mask = std::vector<bool>{true, false, true};
  const Observation seen = run(Misbehaviour::WriteUnrequestedOutput, test_case);
  EXPECT_NE(seen.outputs[dw].bits, seen.outputs[dw].before);
  EXPECT_EQ(judged(Misbehaviour::WriteUnrequestedOutput, test_case).kind,
            corpus::DisagreementKind::Overwritten);
}

TEST(RunCase, SeesThatPhaseOneWrites) {
  RunSettings settings;
  settings.status_only = true;
  const Observation seen = run(Misbehaviour::WriteInPhaseOne, small_case(), settings);
  EXPECT_FALSE(seen.phase_two);
  EXPECT_NE(seen.outputs[dw].bits, seen.outputs[dw].before);
}

TEST(RunCase, SeesThatPhaseOneWritesToTensorsThatAreTooLargeToBePlaced) {
  Case test_case = small_case();
  test_case.input->shape[1] = std::int64_t{1} << 20;
  test_case.shape_consistent = false;
  const Observation seen = run(Misbehaviour::WriteInPhaseOne, test_case);
  EXPECT_EQ(seen.outputs[dw].overwritten_byte, 0);
  EXPECT_FALSE(seen.outputs[dx].overwritten_byte);
  EXPECT_FALSE(run(Misbehaviour::RefuseEverything, test_case).outputs[dw].overwritten_byte);
}

TEST(RunCase, RepeatsDeterministicCasesWithAnotherWorkspace) {
  Case test_case = small_case();
  test_case.deterministic = true;
  const Observation steady = run(Misbehaviour::None, test_case);
  EXPECT_TRUE(steady.repeated);
  EXPECT_FALSE(steady.repeat_differs[dx]);
  EXPECT_EQ(fake_cann().phase_two_calls, 2);
  EXPECT_TRUE(run(Misbehaviour::ReadWorkspace, test_case).repeat_differs[dx]);
  EXPECT_TRUE(run(Misbehaviour::VaryFromCallToCall, test_case).repeat_differs[dx]);
  EXPECT_EQ(judged(Misbehaviour::VaryFromCallToCall, test_case).outcome, corpus::Outcome::Disagree);

  test_case.deterministic = false;
  EXPECT_FALSE(run(Misbehaviour::None, test_case).repeated);
}

TEST(RunCase, SwitchesDeterminismOnInBothScopesAndOffAgain) {
  Case test_case = small_case();
  test_case.deterministic = true;
  run(Misbehaviour::None, test_case);
  EXPECT_EQ(fake_cann().options_in_phase_one, (std::array<std::int64_t, 2>{1, 1}));
  EXPECT_EQ(fake_cann().context_option, 0);
  EXPECT_EQ(fake_cann().process_option, 0);
  test_case.deterministic = false;
  run(Misbehaviour::None, test_case);
  EXPECT_EQ(fake_cann().options_in_phase_one, (std::array<std::int64_t, 2>{0, 0}));
}

TEST(RunCase, PlacesInputsThroughStridesAndLeavesTheirGapsAlone) {
  Case test_case = small_case();
  const Case contiguous = test_case;
  test_case.input->strides = {300, 7, 60, 21};
  test_case.input->strides = std::vector<std::int64_t>{400, 1, 60, 8};
  test_case.input->offset = 5;
  test_case.input->storage_shape = std::vector<std::int64_t>{2000};
  test_case.grad_input->offset = 3;
  test_case.grad_input->storage_shape = std::vector<std::int64_t>{1000};
  const Observation strided = run(Misbehaviour::None, test_case);
  const Observation plain = run(Misbehaviour::None, contiguous);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(strided.outputs[i].bits, plain.outputs[i].bits);
    EXPECT_FALSE(strided.outputs[i].overwritten_byte);
    EXPECT_FALSE(strided.input_changed_byte[i]);
  }
}

TEST(RunCase, RefusesAViewThatMeetsItselfWithDifferentValues) {
  Case test_case = small_case();
  test_case.input->strides = std::vector<std::int64_t>{1, 1, 1, 1};
  test_case.data.emplace().distribution = corpus::Distribution::Listed;
  test_case.data->listed[1] = {{{0, 0, 0, 1}, 0x3F80'0000}, {{0, 0, 1, 0}, 0x4000'0000}};
  EXPECT_THAT(run(Misbehaviour::None, test_case).failure.value_or(""), HasSubstr("meets itself"));
}

TEST(RunCase, StopsAfterPhaseOneWithoutDataOrConsistentShapes) {
  Case test_case = small_case();
  test_case.data.reset();
  EXPECT_EQ(run(Misbehaviour::None, test_case).phase_one, Status::Success);
  EXPECT_EQ(fake_cann().phase_two_calls, 0);
  test_case = small_case();
  test_case.shape_consistent = false;
  EXPECT_FALSE(run(Misbehaviour::None, test_case).phase_two);
}

TEST(RunCase, NeverAllocatesTensorsThatCannotExist) {
  Case test_case = small_case();
  test_case.data.reset();
  test_case.input->shape = {2, std::int64_t{1} << 40, std::int64_t{1} << 40, 6};
  EXPECT_EQ(run(Misbehaviour::None, test_case).phase_one, Status::Success);
  EXPECT_EQ(fake_cann().phase_two_calls, 0);
  EXPECT_EQ(run(Misbehaviour::RefuseEverything, test_case).phase_one, Status::ParamInvalid);
  test_case.input->shape = {2, -3, 5, 6};
  EXPECT_EQ(run(Misbehaviour::RefuseEverything, test_case).phase_one, Status::ParamInvalid);
}

TEST(RunCase, NamesWhatIsTooLargeForItsLimit) {
  RunSettings settings;
  settings.memory_limit_bytes = 1000;
  EXPECT_THAT(run(Misbehaviour::None, small_case(), settings).unsupported.value_or(""),
              HasSubstr("GiB for its tensors"));
  const auto library = fake_library();
  fake_cann().workspace_size = std::uint64_t{1} << 50;
  const auto target = library->new_target();
  EXPECT_THAT(target->run_case(small_case()).unsupported.value_or(""), HasSubstr("workspace of"));
  EXPECT_EQ(fake_cann().live_executors, 0);
}

TEST(RunCase, SaysWhichDeviceOrFunctionIsMissing) {
  Case test_case = small_case();
  test_case.soc = "Ascend950";
  EXPECT_EQ(run(Misbehaviour::None, test_case).unsupported, "no Ascend950 device");
  test_case.soc = "8888";
  EXPECT_THAT(run(Misbehaviour::None, test_case).unsupported.value_or(""), HasSubstr("8888"));
  test_case = small_case();
  test_case.api = corpus::Api::Conv3DBackpropInputV2;
  EXPECT_THAT(run(Misbehaviour::None, test_case).unsupported.value_or(""),
              HasSubstr("Conv3DBackpropInputV2"));
}

TEST(RunCase, FindsTheDeviceOfTheCasesProduct) {
  const auto none = fake_library();
  fake_cann().socs = {"Ascend310P3", "Ascend910B2", "Ascend950PR_9589"};
  const auto library = LoadedLibrary::of(fake_api(), "fake");
  ASSERT_TRUE(library);
  const auto target = (*library)->new_target();
  Case test_case = small_case();
  test_case.soc = "Ascend950";
  EXPECT_EQ(target->run_case(test_case).phase_two, Status::Success);
  EXPECT_EQ(fake_cann().device, 2);
  test_case.soc = "Ascend910B";
  EXPECT_EQ(target->run_case(test_case).phase_two, Status::Success);
  EXPECT_EQ(fake_cann().device, 1);
}

TEST(Library, NamesEveryFunctionThatIsMissing) {
  CannApi api = fake_api();
  api.backward = nullptr;
  api.copy = nullptr;
  api.fill = nullptr;  // one that a target can do without
  const auto library = LoadedLibrary::of(api, "half a library");
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error(), "half a library: missing aclrtMemcpy, aclnnConvolutionBackward");
}

TEST(Library, RepeatsTheLinkersWordsForAFileThatIsNoLibrary) {
  const auto absent = LoadedLibrary::load({"/nowhere/libabsent.so"});
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error(), HasSubstr("/nowhere/libabsent.so cannot be loaded: "));
  EXPECT_THAT(absent.error(), HasSubstr("No such file"));
  const auto text = LoadedLibrary::load({"/etc/passwd"});
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error(), testing::AnyOf(HasSubstr("ELF"), HasSubstr("file too short")));
}

}  // namespace
}  // namespace gradproof::targets
