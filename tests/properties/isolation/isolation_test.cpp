// Targets that crash, hang, exit, take all memory or damage their process: each is a verdict on the
// case, and the next case is not affected.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <string>
#include <thread>

#include "corpus/case_json.h"
#include "oracle/geometry/workload.h"
#include "oracle/recipes/recipe_plan.h"
#include "properties/cases/check/check.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/cases/laws/law.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/targets/isolation/child_target.h"
#include "properties/targets/isolation/isolated_library.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/target.h"
#include "tests/properties/isolation/misbehaviour.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::targets {
namespace {

using corpus::DisagreementKind;
using corpus::Observation;
using corpus::Outcome;
using corpus::Verdict;
using testing::HasSubstr;

/// A small memory limit, reached quickly. The timeout is the default, because CI machines can be
/// slow.
constexpr IsolationSettings little_memory{.memory_bytes = std::uint64_t{300} << 20};
/// A short timeout for targets that hang, so that the tests do not wait long.
constexpr IsolationSettings little_time{.timeout = std::chrono::milliseconds(1500)};

std::shared_ptr<const Library> misbehaving_library(
    const IsolationSettings& settings = little_memory) {
  auto library = IsolatedLibrary::load({GRADPROOF_MISBEHAVING_LIBRARY}, settings);
  EXPECT_TRUE(library) << library.error();
  return library ? *library : nullptr;
}

struct Row {
  const char* misbehaviour;
  DisagreementKind kind;
  const char* evidence;
};

class EachMisbehaviour : public testing::TestWithParam<Row> {
 protected:
  void SetUp() override { skip_what_is_not_noticed(GetParam().misbehaviour); }
  static std::shared_ptr<const Library> library() {
    return misbehaving_library(GetParam().kind == DisagreementKind::Timeout ? little_time
                                                                            : little_memory);
  }
};

class EachQuickMisbehaviour : public EachMisbehaviour {};

constexpr Row quick_misbehaviours[] = {
    {"segfault", DisagreementKind::Crash, "died of signal 11"},
    {"abort", DisagreementKind::Crash, "died of signal 6"},
    {"exit", DisagreementKind::Crash, "ended its process with exit code 0"},
    {"close_descriptors", DisagreementKind::Crash, "closed the process's descriptors 0, 1, 2"},
    {"take_memory", DisagreementKind::Crash, "used more than the 0.3 GiB"},
    {"corrupt_heap", DisagreementKind::Crash, "died of signal 6"},
    {"free_tensor", DisagreementKind::Crash, "aclDestroyTensor returned"},
    {"write_past_output", DisagreementKind::Overwritten, "gradWeight"},
};
constexpr Row hangs[] = {{"hang", DisagreementKind::Timeout, "did not end in time"},
                         {"hang_busily", DisagreementKind::Timeout, "did not end in time"}};
const auto name_of_misbehaviour = [](const auto& info) {
  return std::string(info.param.misbehaviour);
};
INSTANTIATE_TEST_SUITE_P(Table, EachMisbehaviour, testing::ValuesIn(quick_misbehaviours),
                         name_of_misbehaviour);
INSTANTIATE_TEST_SUITE_P(Slow, EachMisbehaviour, testing::ValuesIn(hangs), name_of_misbehaviour);
INSTANTIATE_TEST_SUITE_P(Table, EachQuickMisbehaviour, testing::ValuesIn(quick_misbehaviours),
                         name_of_misbehaviour);

TEST_P(EachMisbehaviour, IsAVerdictOnItsCaseAndOnNoOther) {
  const Misbehaviour misbehaviour(GetParam().misbehaviour);
  const auto target = library()->new_target();
  EXPECT_EQ(cases::check(*target, case_of_groups(1), {}).outcome, Outcome::Agree);
  for (int i = 0; i < 2; ++i) {
    const Verdict disagreement = cases::check(*target, case_of_groups(3), {});
    EXPECT_EQ(disagreement.outcome, Outcome::Disagree);
    EXPECT_EQ(disagreement.kind, GetParam().kind) << disagreement.reason;
    EXPECT_THAT(disagreement.reason, HasSubstr(GetParam().evidence));
    const Verdict next = cases::check(*target, case_of_groups(2), {});
    EXPECT_EQ(next.outcome, Outcome::Agree) << next.reason;
  }
}

TEST_P(EachMisbehaviour, IsPinnedToItsCaseAmongSeveralAskedForAtOnce) {
  const Misbehaviour misbehaviour(GetParam().misbehaviour);
  const auto target = library()->new_target();
  const std::vector<Case> cases{case_of_groups(1), case_of_groups(3), case_of_groups(2)};
  const auto seen = target->run_cases(cases);
  ASSERT_EQ(seen.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Verdict verdict = cases::judged({cases[i], oracle::Profile::Documented}, seen[i], {});
    const bool misbehaves = cases[i].groups == 3;
    EXPECT_EQ(verdict.outcome, misbehaves ? Outcome::Disagree : Outcome::Agree) << verdict.reason;
    if (!misbehaves) continue;
    EXPECT_EQ(verdict.kind, GetParam().kind) << verdict.reason;
  }
}

/// Each try of a case that hangs waits for its end: a minute in all.
TEST_P(EachQuickMisbehaviour, ShrinksToASmallCaseThatStillDoesIt) {
  const Misbehaviour misbehaviour(GetParam().misbehaviour);
  const auto target = library()->new_target();
  const auto check_case = [&](const Case& test_case) {
    return cases::check(*target, test_case, {});
  };
  const cases::Shrunk shrunk = cases::shrink(case_of_groups(3), check_case);
  EXPECT_TRUE(shrunk.finished);
  EXPECT_EQ(shrunk.verdict.kind, GetParam().kind);
  EXPECT_EQ(shrunk.test_case.groups, 3);
  EXPECT_LT(oracle::mac_count(shrunk.test_case).value_or(0),
            oracle::mac_count(case_of_groups(3)).value_or(0) / 10);
}

/// What small calls took says nothing of a large one: it has the timeout twice.
TEST(IsolatedTarget, HurriesNoLargeCall) {
  const Misbehaviour misbehaviour("hang");
  constexpr std::chrono::seconds timeout{4};
  const auto target = misbehaving_library({.timeout = timeout, .learns = true})->new_target();
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(cases::check(*target, case_of_groups(1), {}).outcome, Outcome::Agree);
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(target->run_case(case_of_groups(3, 500)).timed_out);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 2 * timeout);
}

/// Alone, or first of several: the verdict comes from a new child.
TEST(IsolatedTarget, IsNotCalledLateForOneStallThatDoesNotComeAgain) {
  const Misbehaviour misbehaviour("stall_once");
  const std::vector<Case> cases{case_of_groups(3), case_of_groups(1)};
  for (const std::size_t count : {1U, 2U}) {
    const tests::ScratchFolder folder;
    ::setenv("GRADPROOF_STALLED", (folder.path() / "stalled").c_str(), 1);
    const auto target = misbehaving_library(little_time)->new_target();
    const auto seen = target->run_cases(std::span(cases).first(count));
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "stalled"));
    for (std::size_t i = 0; i < count; ++i) {
      const Verdict verdict = cases::judged({cases[i], oracle::Profile::Documented}, seen[i], {});
      EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
    }
  }
  ::unsetenv("GRADPROOF_STALLED");
}

/// Who killed it cannot be told: others kill processes too. So the calls run again, and only one
/// that a new server dies of each time is a finding. The kill takes effect at an unknown moment:
/// the call may be over by then, and the next one be hit, which is right.
TEST(IsolatedTarget, ContinuesWhereTheTargetKillsTheServerOfAllChildren) {
  const Misbehaviour misbehaviour("kill_the_server");
  const auto target = misbehaving_library()->new_target();
  EXPECT_EQ(cases::check(*target, case_of_groups(1), {}).outcome, Outcome::Agree);
  const Verdict killing = cases::check(*target, case_of_groups(3), {});
  if (killing.outcome != Outcome::Agree) {
    EXPECT_EQ(killing.kind, DisagreementKind::Crash) << killing.reason;
    EXPECT_THAT(killing.reason, HasSubstr("killed the process that started its own"));
  }
  ::usleep(100'000);
  for (int i = 0; i < 3; ++i) {
    const Verdict next = cases::check(*target, case_of_groups(1), {});
    EXPECT_EQ(next.outcome, Outcome::Agree) << next.reason;
  }
}

TEST(IsolatedTarget, LosesDeviceMemoryOnlyWhereItLeaks) {
  const Misbehaviour misbehaviour("leak");
  const auto target = misbehaving_library()->new_target();
  const cases::Law* const law = cases::law_named("no_leak");
  ASSERT_NE(law, nullptr);
  EXPECT_EQ(cases::check_law(*law, *target, case_of_groups(1), {}).outcome, Outcome::Agree);
  const Verdict leaking = cases::check_law(*law, *target, case_of_groups(3), {});
  EXPECT_EQ(leaking.kind, DisagreementKind::Leak) << leaking.reason;
}

TEST(IsolatedTarget, RunsNoneOfTheLibrarysCodeInThisProcess) {
  const auto library = misbehaving_library();
  EXPECT_FALSE(library->devices().empty());
  const auto target = library->new_target();
  EXPECT_EQ(cases::check(*target, case_of_groups(3), {}).outcome, Outcome::Agree);
  std::ifstream maps("/proc/self/maps");
  const std::string text{std::istreambuf_iterator<char>(maps), {}};
  ASSERT_THAT(text, HasSubstr("libc.so"));
  EXPECT_THAT(text, testing::Not(HasSubstr("misbehaving_library")));
  EXPECT_THAT(text, testing::Not(HasSubstr("libopapi")));
}

TEST(IsolatedTarget, SeesWhatATargetInThisProcessSees) {
  const auto isolated = IsolatedLibrary::load({});  // before this process has loaded anything
  const auto inside = LoadedLibrary::load({});
  ASSERT_TRUE(inside && isolated);
  const auto one = (*inside)->new_target();
  const auto other = (*isolated)->new_target();
  const auto source = cases::CaseSource::of({});
  ASSERT_TRUE(source);
  for (std::uint64_t i = 0; i < 400; ++i) {
    for (const Case& run : cases::runs_of({(*source)(21, i), oracle::Profile::Documented}, {})) {
      const Observation a = one->run_case(run);
      const Observation b = other->run_case(run);
      ASSERT_EQ(a.unsupported, b.unsupported) << corpus::to_json_line(run);
      ASSERT_EQ(a.failure, b.failure);
      ASSERT_FALSE(b.signal || b.timed_out || b.ended);
      ASSERT_EQ(a.phase_one, b.phase_one);
      ASSERT_EQ(a.phase_two, b.phase_two);
      ASSERT_EQ(a.synchronise, b.synchronise);
      ASSERT_EQ(a.workspace_size, b.workspace_size);
      ASSERT_EQ(a.message, b.message);
      ASSERT_EQ(a.repeated, b.repeated);
      for (std::size_t output = 0; output < 3; ++output) {
        ASSERT_EQ(a.outputs.at(output).bits, b.outputs.at(output).bits);
        ASSERT_EQ(a.outputs.at(output).before, b.outputs.at(output).before);
      }
    }
  }
}

/// Whether a child takes machine settings shows in the bits of a sum that cores share.
TEST(IsolatedTarget, IsToldOnWhichMachineItRuns) {
  const auto isolated = IsolatedLibrary::load({});
  ASSERT_TRUE(isolated) << isolated.error();
  ASSERT_TRUE((*isolated)->takes_machine_settings());
  const auto target = (*isolated)->new_target();
  cases::Convolution sizes;
  sizes.batch = 4;
  sizes.axes = {{.big = 18, .kernel = 3}, {.big = 18, .kernel = 3}};
  const Case test_case = *oracle::with_recipe(cases::plain_case(sizes, cases::Frame{}),
                                              corpus::Distribution::Uniform, 7);
  std::set<std::vector<std::byte>> patterns;
  RunSettings settings;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    settings.machine.schedule_seed = seed;
    const Observation seen = target->run_case(test_case, settings);
    ASSERT_EQ(seen.phase_two, corpus::Status::Success) << seen.message;
    patterns.insert(seen.outputs.at(1).bits);
  }
  EXPECT_GE(patterns.size(), 2U);
  EXPECT_FALSE(misbehaving_library()->takes_machine_settings())
      << "it has the operator, not the machine";
}

std::int32_t process_of(const Target& target) {
  return dynamic_cast<const ChildTarget&>(target).process();
}

TEST(IsolatedTarget, SurvivesItsChildBeingKilledFromOutside) {
  const auto target = misbehaving_library()->new_target();
  EXPECT_EQ(cases::check(*target, case_of_groups(1), {}).outcome, Outcome::Agree);
  const auto process = process_of(*target);
  ASSERT_GT(process, 0);
  ::kill(process, SIGKILL);
  const Verdict killed = cases::check(*target, case_of_groups(1), {});
  if (killed.outcome != Outcome::Agree) {
    EXPECT_THAT(killed.reason, HasSubstr("signal 9"));
  }
  EXPECT_EQ(cases::check(*target, case_of_groups(1), {}).outcome, Outcome::Agree);
  EXPECT_NE(process_of(*target), process);
}

TEST(IsolatedTarget, LeavesNoProcessBehind) {
  std::int32_t process = 0;
  {
    const auto target = misbehaving_library()->new_target();
    cases::check(*target, case_of_groups(1), {});
    process = process_of(*target);
    ASSERT_EQ(::kill(process, 0), 0);
  }
  EXPECT_EQ(::kill(process, 0), -1);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child of this process is left";
}

TEST(IsolatedTarget, ServesManyThreadsAtOnce) {
  const Misbehaviour misbehaviour("segfault");
  const auto library = misbehaving_library();
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto target = library->new_target();
      for (int call = 0; call < 30; ++call) {
        const bool misbehaves = call % 5 == 2;
        const Verdict verdict = cases::check(*target, case_of_groups(misbehaves ? 3 : 1), {});
        right += (verdict.kind == DisagreementKind::Crash) == misbehaves ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 120);
}

}  // namespace
}  // namespace gradproof::targets
