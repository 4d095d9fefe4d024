// `gradproof prove` as a user runs it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "tests/properties/cli/command_line.h"

namespace gradproof::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string tiny =
    R"({"name": "tiny", "axes": [1], "extents": "1..3", "kernels": "1..2", "paddings": "0..1",
        "channels": [1, 2], "groups": [1], "batch": [1]})";
/// Small enough for seconds, with strides, dilations, groups and both directions.
const std::string plane =
    R"({"name": "plane", "axes": [2], "extents": [3], "kernels": [2], "paddings": "0..1",
        "batch": [1], "masks": "full"})";

/// The paragraph, without what stands before and after it.
std::string claim(const Ran& ran) {
  const std::string text =
      ran.output.substr(std::min(ran.output.find("claim  "), ran.output.size()));
  return text.substr(0, text.rfind('\n', text.size() - 2) + 1);
}

class Prove : public CommandLine {
 protected:
  Prove() {
    write("tiny.json", tiny);
    write("plane.json", plane);
  }
  /// On docs/examples/my_kernel.cpp with this mistake.
  Ran with_mistake(const std::string& mistake, const std::string& options) const {
    return gradproof(
        fmt::format("prove plane.json --seed 1 --jobs 1 --target {}/libmy_kernel_{}.so {}",
                    GRADPROOF_KERNEL_FOLDER, mistake, options));
  }
};

TEST_F(Prove, StatesTheClaimWithItsAssumptions) {
  const Ran ran = gradproof("prove tiny.json --seed 1 --jobs 2");
  EXPECT_EQ(ran.code, 0) << ran.output;
  for (const char* part :
       {"claim     simulated; FLOAT:0 on Ascend910B", "scope     tiny: spatial axes 1",
        "below 2^-40", "oblivious:", "bilinear:", "bounded work:", "one in turn of: zeros",
        "not found errors in calls outside the scope"}) {
    EXPECT_THAT(ran.output, HasSubstr(part));
  }
  EXPECT_THAT(ran.output, HasSubstr("proved    2912 calls"));
  EXPECT_TRUE(exists("gradproof-out/prove/proof.json"));
}

TEST_F(Prove, RefutesAWrongIndexAndPrintsTheMap) {
  const Ran ran = with_mistake("MISTAKE", "--set attacks=no");
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("not proved: "));
  EXPECT_THAT(ran.output, HasSubstr("index map of the finding's case"));
  EXPECT_THAT(ran.output, testing::ContainsRegex("grad(Input|Weight)\\[[0-9,]+\\] (takes "
                                                 "gradOutput\\[[0-9,]+\\] x|does not take)"));
}

TEST_F(Prove, NeedsAttacksForKernelsThatLookAtValues) {
  for (const char* mistake : {"WRONG_ABOVE_10000", "SKIPS_ZEROS_WRONGLY"}) {
    const Ran blind = with_mistake(mistake, "--set attacks=no");
    EXPECT_EQ(blind.code, 0) << mistake << '\n' << blind.output;
    EXPECT_THAT(blind.output, HasSubstr("attacks   none")) << mistake;
    const Ran attacked = with_mistake(mistake, "--set attacks=turn");
    EXPECT_EQ(attacked.code, 1) << mistake << '\n' << attacked.output;
    EXPECT_THAT(attacked.output, HasSubstr("not proved: ")) << mistake;
  }
}

TEST_F(Prove, ShardsProveTogetherWhatOneProcessProves) {
  const std::string work = "prove tiny.json --seed 4 --jobs 1 --out ";
  const Ran whole = gradproof(work + "whole");
  ASSERT_EQ(whole.code, 0) << whole.output;
  for (int i = 1; i <= 3; ++i) {
    const Ran shard = gradproof(fmt::format("{}part{} --shard {}/3", work, i, i));
    ASSERT_EQ(shard.code, 0) << shard.output;
    EXPECT_THAT(shard.output, Not(HasSubstr("proved    ")));
  }
  const Ran merged = gradproof("report part1 part2 part3");
  EXPECT_EQ(merged.code, 0) << merged.output;
  EXPECT_EQ(claim(merged), claim(whole));
  const Ran lacking = gradproof("report part1 part3");
  EXPECT_EQ(lacking.code, 4) << lacking.output;
  EXPECT_THAT(lacking.output, Not(HasSubstr("proved    ")));
}

TEST_F(Prove, ResumesWhereItWasInterrupted) {
  write("line.json", R"({"name": "line", "axes": [1], "batch": [1], "groups": [1]})");
  const std::string command = "prove line.json --seed 2 --jobs 1";
  const Ran whole = gradproof(command + " --out whole");
  ASSERT_EQ(whole.code, 0) << whole.output;
  // The first position is noted after some thousand runs.
  const Ran first = shell(std::string(GRADPROOF_PROGRAM) + " " + command +
                          " & child=$!; until grep -qs '\"blocks\":[1-9]' "
                          "gradproof-out/prove/journal.jsonl; do sleep 0.01; done; "
                          "kill -INT $child; wait $child");
  ASSERT_EQ(first.code, 130) << first.output;
  EXPECT_THAT(first.output, HasSubstr("not proved: the run did not come to its end"));
  const Ran second = gradproof(command);
  EXPECT_EQ(second.code, 0) << second.output;
  EXPECT_THAT(second.output, HasSubstr("resuming: 8344 calls of scope line, seed 2"));
  EXPECT_EQ(claim(second), claim(whole));
}

TEST_F(Prove, RefusesWhatMakesNoSense) {
  write("bad.json", R"({"extents": "4..1"})");
  struct Wrong {
    const char *options, *complaint;
  };
  for (const auto& [options, complaint] :
       {Wrong{"bad.json", "bad.json: extents: 4..1 is empty"},
        Wrong{"tinny", "tinny: is neither small nor blocks"},
        Wrong{"--cube-math-type 7", "--cube-math-type: \"7\": cubeMathType is 0, 1, 2 or 3"},
        Wrong{"--dtype FLOATY", "--dtype: "},
        Wrong{"--dtype HIFLOAT8",
              "--dtype: the rules refuse every call of HIFLOAT8:0 on Ascend910B"},
        Wrong{"--set attacks=some", "--set: attacks: \"some\" is none of turn, all, no"},
        Wrong{"--soc Ascend910B,Ascend950", "--soc: prove takes one product"},
        Wrong{"--shard 3/2", "--shard"}}) {
    const Ran ran = gradproof(std::string("prove ") + options);
    EXPECT_EQ(ran.code, 2) << options << '\n' << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(complaint)) << options;
  }
}

}  // namespace
}  // namespace gradproof::tests
