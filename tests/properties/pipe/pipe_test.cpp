// A program as the target: right, wrong, and every way in which it can fail.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "properties/targets/pipe/pipe_library.h"
#include "properties/targets/pipe/pipe_messages.h"
#include "tests/properties/cli/command_line.h"

namespace gradproof::tests {
namespace {

using testing::HasSubstr;

/// What the last line counts.
int agreed(const Ran& ran) {
  const std::string line = ran.last_line();
  const auto begin = line.find(" cases: ");
  return begin == std::string::npos ? 0 : std::stoi(line.substr(begin + 8));
}

class Pipes : public CommandLine {
 protected:
  static std::string target(const std::string& mistake) {
    return "--target 'pipe:" GRADPROOF_PIPE_PROGRAM " " + mistake + "'";
  }
  Ran verified(const std::string& mistake, const std::string& options) const {
    return gradproof("verify " + target(mistake) + " --seed 1 --no-stored " + options);
  }
};

TEST_F(Pipes, ARightProgramAgrees) {
  const Ran ran = verified("", "--cases 800 --dtype FLOAT --soc Ascend910B");
  // Most of what is drawn is nothing for it: statuses, other modes, layouts.
  EXPECT_EQ(ran.code, 4) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("% of the cases were skipped"));
  EXPECT_THAT(ran.output, HasSubstr(" 0 disagreed"));
  EXPECT_GE(agreed(ran), 200) << ran.output;
}

TEST_F(Pipes, AWrongOneIsFoundAndTheReplayIsAWholeCommand) {
  const Ran ran = verified("stride", "--cases 2000 --dtype FLOAT --findings 1 --transposed no");
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("needs kernel_l 2 (1 agrees), stride_l 2 (1 agrees)"));
  const auto begin = ran.output.find("gradproof replay ");
  ASSERT_NE(begin, std::string::npos) << ran.output;
  const std::string command =
      ran.output.substr(begin + 10, ran.output.find('\n', begin) - begin - 10);
  EXPECT_EQ(gradproof(command).code, 1) << command;
}

TEST_F(Pipes, ATypeThatItDoesNotTakeIsNoFinding) {
  const Ran ran = verified("", "--cases 100 --dtype BF16 --soc Ascend910B");
  EXPECT_EQ(ran.code, 4) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("FLOAT alone"));
}

TEST_F(Pipes, ADeathIsTheFindingOfItsCallAndTheRunGoesOn) {
  const Ran ran =
      verified("crash", "--cases 40 --dtype FLOAT --soc Ascend910B --jobs 1 --findings 1");
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("signal 6"));
}

TEST_F(Pipes, AnExitIsAFinding) {
  const Ran ran = verified("exit", "--cases 40 --dtype FLOAT --soc Ascend910B --findings 1");
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("exit code 3"));
}

TEST_F(Pipes, AHangIsAFindingWithinItsTime) {
  const Ran ran = verified(
      "hang",
      "--cases 2 --dtype FLOAT --soc Ascend910B --jobs 1 --findings 1 --timeout 100ms --time 3s");
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("disagree-timeout"));
}

TEST_F(Pipes, AnswersThatEndEarlyAreCountedAndWaitedForThrice) {
  const Ran ran =
      verified("short",
               "--cases 40 --dtype FLOAT --soc Ascend910B --kind valid --recipe uniform "
               "--max-macs 2000 --jobs 1 --findings 1 --timeout 100ms --time 9s");
  EXPECT_EQ(ran.code, 1) << ran.output;
  const std::string results = read("gradproof-out/results.jsonl");
  EXPECT_THAT(results, HasSubstr("did not end in time: "));
  EXPECT_THAT(results, HasSubstr("bytes of its answer came; "));
  EXPECT_THAT(results, HasSubstr("three calls before it had no answer in time"));
}

TEST_F(Pipes, WhatIsNoAnswerIsQuoted) {
  const Ran ran =
      verified("nonsense", "--cases 2 --dtype FLOAT --soc Ascend910B --jobs 1 --findings 1");
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("begin with \"Done! Everything"));
}

TEST_F(Pipes, SuccessWithoutGradientsIsAFinding) {
  const Ran ran =
      verified("status", "--cases 40 --dtype FLOAT --soc Ascend910B --jobs 1 --findings 1");
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("returned status 0, success, without the gradients"));
}

TEST_F(Pipes, AnyCaseIsReplayedWithoutViews) {
  EXPECT_EQ(gradproof("list cases --dtype FLOAT --kind valid --rank 4 --cases 20 --seed 3 "
                      "> pipe_cases.jsonl")
                .code,
            0);
  const Ran ran = gradproof("replay pipe_cases.jsonl " + target("old"));
  EXPECT_NE(ran.code, 3) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr(" 0 disagreed"));
}

TEST_F(Pipes, AChangedOperandIsAFinding) {
  const Ran ran = verified("input", "--cases 40 --dtype FLOAT --soc Ascend910B --findings 1");
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("disagree-input_changed"));
}

TEST_F(Pipes, AProgramThatDoesNotGreetCannotBeUsed) {
  const Ran other = verified("version", "--cases 1");
  EXPECT_EQ(other.code, 3);
  EXPECT_THAT(other.output,
              HasSubstr("expected \"gradproof-pipe 1 NAME\", found \"gradproof-pipe 2 c\""));
  const Ran mute = verified("mute", "--cases 1");
  EXPECT_EQ(mute.code, 3);
  EXPECT_THAT(mute.output, HasSubstr("ended with exit code 7 before it greeted"));
  const Ran none = gradproof("verify --target pipe:./no-such-program --cases 1");
  EXPECT_EQ(none.code, 3);
  EXPECT_THAT(none.output, HasSubstr("ended with exit code 127 before it greeted"));
  const Ran talks = gradproof("verify --target 'pipe:echo Hello; cat >&2' --cases 1");
  EXPECT_EQ(talks.code, 3);
  EXPECT_THAT(talks.output, HasSubstr("found \"Hello\""));
}

TEST_F(Pipes, ViewsAreGivenAsTheyLieInMemory) {
  const std::string calls =
      "--cases 600 --dtype FLOAT --soc Ascend910B --findings 1 --set views=yes";
  const Ran right = verified("", calls);
  EXPECT_THAT(right.output, HasSubstr(" 0 disagreed"));
  EXPECT_GE(agreed(right), 100) << right.output;
  const Ran dense = verified("strides", "--cases 600 --dtype FLOAT --soc Ascend910B");
  EXPECT_THAT(dense.output, HasSubstr(" 0 disagreed"));
  const Ran wrong = verified("strides", calls);
  EXPECT_EQ(wrong.code, 1) << wrong.output;
  EXPECT_THAT(wrong.output, HasSubstr(" --set views=yes"));
  const Ran old = verified("old", calls);
  EXPECT_EQ(old.code, 3);
  EXPECT_THAT(old.output, HasSubstr("expected \"gradproof-pipe 1 views NAME\", found "
                                    "\"gradproof-pipe 1 pipe_program\": it takes no views"));
}

TEST_F(Pipes, ACallThatDiffersAtItsRepetitionIsFound) {
  // Elsewhere one result of the two can be wrong by itself.
  const std::string calls =
      "--cases 400 --dtype FLOAT --soc Ascend910B --recipe uniform --transposed no --jobs 1 "
      "--findings 1";
  EXPECT_THAT(verified("", calls + " --set repeat=yes").output, HasSubstr(" 0 disagreed"));
  const Ran ran = verified("random", calls + " --set repeat=yes");
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("gradBias differs between two runs of the same call"));
}

TEST_F(Pipes, AloneAreAskedBeyondCann) {
  for (const std::string option : {"--set views=yes", "--set repeat=yes", "--set domain=pytorch"}) {
    const Ran ran = gradproof("verify --cases 1 " + option);
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.output, HasSubstr("programs behind a pipe alone are asked so"));
  }
  EXPECT_EQ(gradproof("verify --cases 1 --dtype DOUBLE").code, 2);
  const Ran ran = verified("", "--cases 800 --dtype FLOAT --soc Ascend910B --set domain=any");
  EXPECT_THAT(ran.output, HasSubstr(" 0 disagreed"));
  EXPECT_GE(agreed(ran), 200) << ran.output;
}

TEST_F(Pipes, IsolationIsItsOwn) {
  const Ran ran = gradproof("verify " + target("") + " --in-process");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.output, HasSubstr("a process of its own"));
}

/// More than a pipe holds in both directions at once.
TEST_F(Pipes, NeitherSideWaitsForTheOther) {
  const Ran ran = verified(
      "", "--cases 60 --dtype FLOAT --soc Ascend910B --jobs 1 --max-macs 3000000 --timeout 20s");
  EXPECT_THAT(ran.output, HasSubstr(" 0 disagreed"));
  EXPECT_GE(agreed(ran), 20) << ran.output;
}

}  // namespace
}  // namespace gradproof::tests
