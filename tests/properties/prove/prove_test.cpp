// `gradproof prove` as a user runs it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

class Prove : public CommandLine {
 protected:
  Prove() {
    write("tiny.json", tiny);
    write("plane.json", plane);
  }
  /// On the kernel with this fault.
  Ran with_fault(const std::string& fault, const std::string& options) const {
    return shell(
        fmt::format("GRADPROOF_FAULT={} {} prove --seed 1 --jobs 1 --profile documented --hf32 "
                    "even --adder ieee "
                    "--target {} {}",
                    fault, GRADPROOF_PROGRAM, GRADPROOF_FAULTY_LIBRARIES, options));
  }
};

TEST_F(Prove, StatesTheClaimWithItsAssumptions) {
  const Ran ran = gradproof("prove --scope tiny.json --seed 1 --jobs 2");
  EXPECT_EQ(ran.code, 0) << ran.output;
  for (const char* part :
       {"claim     simulated; FLOAT:0 on Ascend910B", "scope     tiny: spatial axes 1",
        "below 2^-40", "oblivious:", "bilinear:", "bounded work:", "one in turn of: zeros",
        "not found errors in calls outside the scope"}) {
    EXPECT_THAT(ran.output, HasSubstr(part));
  }
  EXPECT_THAT(ran.output, HasSubstr("proved    3136 calls"));
  EXPECT_TRUE(exists("gradproof-out/prove/proof.json"));
}

TEST_F(Prove, RefutesAWrongIndexAndPrintsTheMap) {
  const Ran ran = with_fault("dilation_for_stride_in_w", "--scope plane.json --attacks no");
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("not proved: "));
  EXPECT_THAT(ran.output, HasSubstr("index map of the finding's case"));
  EXPECT_THAT(ran.output, testing::ContainsRegex("grad(Input|Weight)\\[[0-9,]+\\] (takes "
                                                 "gradOutput\\[[0-9,]+\\] x|does not take)"));
}

TEST_F(Prove, NeedsAttacksForKernelsThatLookAtValues) {
  struct Planted {
    const char *fault, *attack;
  };
  for (const auto& [fault, attack] : {Planted{"products_of_operands_above_10000_lost", "no"},
                                      Planted{"zero_operands_clear_the_sum", "no"}}) {
    const Ran blind = with_fault(fault, fmt::format("--scope plane.json --attacks {}", attack));
    EXPECT_EQ(blind.code, 0) << fault << '\n' << blind.output;
    EXPECT_THAT(blind.output, HasSubstr("attacks   none")) << fault;
    const Ran attacked = with_fault(fault, "--scope plane.json --attacks all");
    EXPECT_EQ(attacked.code, 1) << fault << '\n' << attacked.output;
  }
}

TEST_F(Prove, ShardsProveTogetherWhatOneProcessProves) {
  const std::string work = "prove --scope tiny.json --seed 4 --jobs 1 --out ";
  const Ran whole = gradproof(work + "whole");
  ASSERT_EQ(whole.code, 0) << whole.output;
  for (int i = 1; i <= 3; ++i) {
    const Ran shard = gradproof(fmt::format("{}part{} --shard {}/3", work, i, i));
    ASSERT_EQ(shard.code, 0) << shard.output;
    EXPECT_THAT(shard.output, Not(HasSubstr("proved    ")));
  }
  const auto claim = [](const Ran& ran) { return ran.output.substr(ran.output.find("claim  ")); };
  const Ran merged = gradproof("report part1 part2 part3");
  EXPECT_EQ(merged.code, 0) << merged.output;
  const std::string one = claim(whole), all = claim(merged);
  EXPECT_EQ(one.substr(0, one.find("prove:")), all.substr(0, all.find("report:")));
  const Ran lacking = gradproof("report part1 part3");
  EXPECT_EQ(lacking.code, 4) << lacking.output;
  EXPECT_THAT(lacking.output, Not(HasSubstr("proved    ")));
}

TEST_F(Prove, ResumesWhereItWasInterrupted) {
  const std::string command =
      std::string(GRADPROOF_PROGRAM) + " prove --scope small --seed 2 --jobs 1";
  // Its first lines of results come late: the position in the journal does not.
  const Ran first = shell(command +
                          " & child=$!; until grep -qs '\"blocks\": *[1-9]' "
                          "gradproof-out/prove/journal.jsonl; do sleep 0.1; done; sleep 1; "
                          "kill -INT $child; wait $child");
  EXPECT_EQ(first.code, 130) << first.output;
  EXPECT_THAT(first.output, HasSubstr("not proved: the run did not come to its end"));
  const Ran second = shell(command + " & child=$!; sleep 2; kill -INT $child; wait $child");
  EXPECT_THAT(second.output, HasSubstr("resuming: 4064340 calls of scope small, seed 2"));
}

TEST_F(Prove, RefusesWhatMakesNoSense) {
  write("bad.json", R"({"extents": "4..1"})");
  struct Wrong {
    const char *options, *complaint;
  };
  for (const auto& [options, complaint] :
       {Wrong{"--scope bad.json", "--scope: bad.json: extents: 4..1 is empty"},
        Wrong{"--scope tinny", "--scope: tinny: is neither small nor blocks"},
        Wrong{"--mode FLOAT:7", "--mode: \"FLOAT:7\": cubeMathType is 0, 1, 2 or 3"},
        Wrong{"--mode FLOATY", "--mode: "},
        Wrong{"--mode HIFLOAT8", "--mode: the rules refuse every call of HIFLOAT8:0 on Ascend910B"},
        Wrong{"--attacks some", "--attacks: \"some\" is none of turn, all, no"},
        Wrong{"--soc Ascend910B,Ascend950", "--soc: prove takes one product"},
        Wrong{"--shard 3/2", "--shard"}}) {
    const Ran ran = gradproof(std::string("prove ") + options);
    EXPECT_EQ(ran.code, 2) << options << '\n' << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(complaint)) << options;
  }
}

}  // namespace
}  // namespace gradproof::tests
