// What is the host's doing and no verdict, and what a target does to the host.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "properties/cases/check/check.h"
#include "properties/targets/isolation/isolated_library.h"
#include "properties/targets/session/host_shortage.h"
#include "properties/targets/target/target.h"
#include "tests/properties/isolation/misbehaviour.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shell.h"

namespace gradproof::targets {
namespace {

using corpus::DisagreementKind;
using corpus::Outcome;
using corpus::Verdict;
using testing::HasSubstr;

class Host : public testing::Test {
 protected:
  Host() { ::setenv("GRADPROOF_STALLED", (folder_.path() / "notes").c_str(), 1); }
  ~Host() override { ::unsetenv("GRADPROOF_STALLED"); }

  static std::unique_ptr<Target> target() {
    auto library = IsolatedLibrary::load({GRADPROOF_MISBEHAVING_LIBRARY},
                                         {.timeout = std::chrono::milliseconds(1500)});
    EXPECT_TRUE(library) << library.error();
    return library ? (*library)->new_target() : nullptr;
  }
  static Verdict verdict_on(Target& target, int groups) {
    return cases::check(target, case_of_groups(groups), {});
  }

  tests::ScratchFolder folder_;
};

TEST_F(Host, MayKillACallsProcessAndTheCallIsJudgedInAnother) {
  const Misbehaviour misbehaviour("killed_twice");
  const auto target = this->target();
  const Verdict verdict = verdict_on(*target, 3);
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
}

TEST_F(Host, IsNotBlamedForATargetThatKillsItselfInEachProcess) {
  const Misbehaviour misbehaviour("kill_itself");
  const auto target = this->target();
  const Verdict verdict = verdict_on(*target, 3);
  EXPECT_EQ(verdict.kind, DisagreementKind::Crash) << verdict.reason;
  EXPECT_THAT(verdict.reason, HasSubstr("signal 9"));
}

/// No call hangs where it runs alone: what was asked before it must be asked again.
TEST_F(Host, IsNotBlamedForAHangThatTakesEarlierCalls) {
  const Misbehaviour misbehaviour("hang_every_fifth_time");
  const auto target = this->target();
  int late = 0;
  for (int i = 0; i < 6; ++i) {
    const Verdict verdict = verdict_on(*target, 1);
    if (verdict.outcome == Outcome::Agree) continue;
    EXPECT_THAT(verdict.reason, HasSubstr("did not end in time, twice"));
    ++late;
  }
  EXPECT_GE(late, 1);
}

TEST_F(Host, HearsOneAnswerWhereATargetForksAndReturnsTwice) {
  const Misbehaviour misbehaviour("return_twice");
  const auto target = this->target();
  for (int i = 0; i < 3; ++i) {
    const Verdict verdict = verdict_on(*target, 3);
    EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  }
}

TEST_F(Host, GoesOnWhereATargetStopsTheProcessThatStartedItsOwn) {
  const Misbehaviour misbehaviour("stop_the_server");
  const auto target = this->target();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(verdict_on(*target, 3).outcome, Outcome::Agree);
}

TEST_F(Host, KeepsNoProcessOfATarget) {
  const Misbehaviour misbehaviour("leave_a_process");
  auto target = this->target();
  EXPECT_EQ(verdict_on(*target, 3).outcome, Outcome::Agree);
  ::usleep(200'000);  // until it has said which one it is
  target.reset();
  std::ifstream notes(folder_.path() / "notes");
  std::vector<pid_t> processes;
  for (pid_t process = 0; notes >> process;) processes.push_back(process);
  ASSERT_FALSE(processes.empty());
  for (const pid_t process : processes) {
    EXPECT_EQ(::kill(process, 0), -1) << process;
  }
}

/// What is printed is the program's own: a target could forge the last line.
TEST_F(Host, IsGivenATargetsPrintsOnTheStandardError) {
  const std::string command =
      "GRADPROOF_MISBEHAVIOUR=print " GRADPROOF_PROGRAM
      " verify --target " GRADPROOF_MISBEHAVING_LIBRARY
      " --no-stored --seed 1 --jobs 1 --cases 400 --kind valid --max-macs 20000 ";
  const auto out = tests::run_in_shell(command + "2>/dev/null", folder_.path());
  EXPECT_THAT(out.output, testing::Not(HasSubstr("forged")));
  const auto error = tests::run_in_shell(command + "--out again 2>&1 >/dev/null", folder_.path());
  EXPECT_THAT(error.output, HasSubstr("verify: forged"));
}

TEST_F(Host, IsAskedForWhatItDoesNotGive) {
  EXPECT_EQ(host_shortage(0), std::nullopt);
  const auto lacking = host_shortage(std::uint64_t{1} << 60U);
  ASSERT_TRUE(lacking);
  EXPECT_THAT(*lacking, HasSubstr("memory"));
}

}  // namespace
}  // namespace gradproof::targets
