// --machine: what a machine file changes, and what is said of one that cannot be used.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/properties/cli/command_line.h"
#include "tests/support/shell.h"

namespace gradproof::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A machine for gradWeight; `library` and parts of it may be others.
std::string machine(const std::string& library,
                    const std::string& tree = R"({"family":"sequential"})",
                    const std::string& loops = "", const std::string& bits = "24") {
  return R"({"schema":"gradproof-machine-1","library":")" + library +
         R"(","soc":"Ascend910B","threads":1,"call":null,"gradients":[{"gradient":"gradWeight",)" +
         R"("operands":{"format":"FLOAT","significand_bits":24,"rounding":"nearest_even"},)" +
         R"("product":"rounded","tree":)" + tree + R"(,"order":{"loops":[)" + loops +
         R"(],"counts_absent":false},"node":{"rounding":"nearest_even","accumulator_bits":)" +
         bits +
         R"(,"extra_bits":null},"subnormals":{"operands":"kept","products":"kept","sums":"kept",)" +
         R"("results":"kept"},"overflow":"infinity","output_formats":["FLOAT"],)" +
         R"("output_rounding":"nearest_even"}]})";
}

TEST_F(CommandLine, RefusesAMachineThatItCannotUse) {
  write("good.jsonl", case_line());
  write("cut.json", machine("simulated").substr(0, 60));
  write("key.json", "{\"colour\":1," + machine("simulated").substr(1));
  write("tree.json",
        machine("simulated", R"({"family":"explicit","leaves":3,"nodes":[[0,0],[1,3]]})"));
  write("size.json", machine("simulated", R"({"family":"lanes"})"));
  write("axis.json", machine("simulated", R"({"family":"sequential"})", R"("kh")"));
  write("bits.json", machine("simulated", R"({"family":"sequential"})", "", "14"));
  write("other.json", machine("libdnnl.so.3"));
  write("good.json", machine("simulated"));
  const std::string begin =
      R"({"schema":"gradproof-machine-1","library":"mine","soc":"Ascend910B",)"
      R"("threads":0,"call":null,"gradients":[],"algorithms":[)";
  write("algorithm.json", begin + R"({"gradient":"gradWeight","algorithm":"winograd_f5x5"}]})");
  write("none.json", begin + "]}");
  const std::vector<std::pair<std::string, std::string>> calls{
      {"--machine absent.json", "absent.json: can't be opened: No such file"},
      {"--machine cut.json", "cut.json"},
      {"--machine key.json", "colour"},
      {"--machine tree.json", "part 0 is added twice"},
      {"--machine size.json", "lanes needs a size of at least 1"},
      {"--machine axis.json", "gradWeight has no axis \"kh\"; it has n, od, oh, ow"},
      {"--machine bits.json", "gradWeight is added with 14 bits"},
      {"--machine algorithm.json", "unknown algorithm \"winograd_f5x5\"; known are direct"},
      {"--machine none.json", "it speaks of no gradient"},
      {"--machine good.json --machine adder=ieee", "and so does adder=; give one"},
      {"--machine algorithm=winograd_f3x3_2x2", "fingerprint.md#the-machine-file"},
      {"--machine other.json --target ./libmine.so",
       "it was measured on libdnnl.so.3, and the target is ./libmine.so"}};
  for (const auto& [arguments, culprit] : calls) {
    const Ran ran = gradproof("replay good.jsonl " + arguments);
    EXPECT_EQ(ran.code, 2) << arguments << ": " << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(culprit)) << arguments;
  }
}

/// Such a file says nothing of additions.
TEST_F(CommandLine, TakesAnAdderBesideAFileOfAlgorithmsAlone) {
  write("good.jsonl", case_line());
  write("mine.json", R"({"schema":"gradproof-machine-1","algorithms":[{"gradient":"gradWeight",)"
                     R"("algorithm":"winograd_f3x3_2x2"}]})");
  const Ran ran = gradproof("replay good.jsonl --machine mine.json --machine adder=block");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("does not follow gradWeight: winograd_f3x3_2x2"));
}

/// The command of a case draws what the run has drawn.
TEST_F(CommandLine, DrawsLayersForTheAlgorithmsOfAFile) {
  const std::string begin = std::string(GRADPROOF_PROGRAM) +
                            " list cases --soc Ascend950 --dtype FLOAT --rank 4 --kind valid "
                            "--cases 60 --seed 7 ";
  const auto drawn = [&](const std::string& options) { return shell(begin + options).output; };
  EXPECT_NE(drawn("--set tiles=all"), drawn("--set tiles=ascend950"));
  EXPECT_NE(drawn("--set tiles=ascend950"), drawn("--set tiles=none"));
  EXPECT_EQ(drawn("--set tiles=none"), drawn(""));
  EXPECT_THAT(drawn("--set tiles=some"), HasSubstr("\"some\" is none of none, ascend950 and all"));
  const Ran ran = gradproof(
      "verify --profile released --soc Ascend950 --dtype FLOAT --rank 4 --kind valid --cases 9 "
      "--seed 7 --no-stored --out run");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(results("run").at(0)["repro"].get<std::string>(),
              HasSubstr("--kind valid --set tiles=ascend950 | gradproof replay -"));
}

/// The third run is one of dense data; the machine's bound is named with the worst element.
TEST_F(CommandLine, JudgesDenseDataByTheOrderOfTheMachine) {
  write("good.jsonl", case_line());
  write("good.json", machine("simulated"));
  const Ran ran = gradproof("replay good.jsonl --machine good.json --out run");
  EXPECT_EQ(ran.code, 0) << ran.output;
  const auto lines = results("run");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[2]["recipe"], "uniform");
  EXPECT_EQ(lines[2]["repro"], "gradproof replay good.jsonl --machine good.json --recipe uniform");
}

TEST_F(CommandLine, SaysWhatTheSimulatedBackendDoesNotFollow) {
  write("good.jsonl", case_line());
  write("lanes.json", machine("a drawing", R"({"family":"lanes","size":8})"));
  const Ran ran = gradproof("replay good.jsonl --machine lanes.json");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output,
              HasSubstr("the simulated backend does not follow gradWeight: the order of "
                        "additions (lanes of 8)"));
  EXPECT_THAT(ran.last_line(), HasSubstr("2 agreed"));
}

/// Products of FLOATs are rounded as the machine says: the bits of a sum differ.
TEST_F(CommandLine, ComputesLikeTheMachineAsFarAsItCan) {
  std::string fused = machine("a drawing");
  fused.replace(fused.find("\"rounded\""), 9, "\"fused\"");
  write("fused.json", fused);
  write("rounded.json", machine("a drawing"));
  const std::string call =
      "explain --tolerance --input 1,1,4,4 --weight 1,1,3,3 --soc 910B --json --machine ";
  EXPECT_EQ(gradproof(call + "fused.json").code, 0);
  EXPECT_EQ(gradproof(call + "rounded.json").code, 0);
  EXPECT_THAT(gradproof(call + "rounded.json").output, HasSubstr("\"roundings\":4"));
}

TEST_F(CommandLine, PrintsTolerancesAndTheirCases) {
  const std::string call =
      "explain --tolerance --input 1,2,6,6 --weight 3,2,3,3 --dtype bf16 --soc 910B";
  const Ran text = gradproof(call);
  EXPECT_EQ(text.code, 0) << text.output;
  EXPECT_THAT(text.output, HasSubstr("torch.testing.assert_close(result, exact, rtol=0.00391"));
  EXPECT_THAT(text.output, HasSubstr("numpy.testing.assert_allclose(result, exact, rtol="));
  EXPECT_THAT(text.output, HasSubstr("by simulated"));
  const Ran stored =
      shell(std::string(GRADPROOF_PROGRAM) + " " + call + " --code case > worst.jsonl && " +
            std::string(GRADPROOF_PROGRAM) + " replay worst.jsonl");
  EXPECT_EQ(stored.code, 0) << stored.output;
  EXPECT_THAT(stored.last_line(), HasSubstr("2 agreed, 0 disagreed"));
}

TEST_F(CommandLine, RefusesTolerancesOfWhatHasNone) {
  const std::vector<std::pair<std::string, std::string>> calls{
      {"explain --tolerance", "give either a case file"},
      {"explain --tolerance --input 1,2,6,6 --weight 3,2,3,3 --range 5", "--range: \"5\""},
      {"explain --tolerance --input 1,2,6,6 --weight 3,2,3,3 --range 0,1e30",
       "outside of 2^-20 to 2^20"},
      {"explain --tolerance --input 1,2,6,6 --weight 3,2,3,3 --stride 0", "not legal on"},
      {"explain --tolerance absent.jsonl", "absent.jsonl"}};
  for (const auto& [arguments, culprit] : calls) {
    const Ran ran = gradproof(arguments);
    EXPECT_EQ(ran.code, 2) << arguments << ": " << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(culprit)) << arguments;
    EXPECT_THAT(ran.output, Not(HasSubstr("rtol"))) << arguments;
  }
}

TEST_F(CommandLine, GivesTolerancesOfTheCallsBehindOneThatHasNone) {
  const std::string call =
      std::string(GRADPROOF_PROGRAM) + " explain --input 1,2,6,6 --weight 3,2,3,3";
  const Ran ran =
      shell("(" + call + " --stride 0 --code case; " + call + " --code case) > two.jsonl; " +
            std::string(GRADPROOF_PROGRAM) + " explain --tolerance two.jsonl");
  EXPECT_EQ(ran.code, 2) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("not legal on"));
  EXPECT_THAT(ran.output, HasSubstr("rtol"));
}

}  // namespace
}  // namespace gradproof::tests
