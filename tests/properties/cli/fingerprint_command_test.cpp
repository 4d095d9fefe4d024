// The program's fingerprint: files, exit codes, bad input.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "corpus/machine/machine_json.h"
#include "tests/properties/cli/command_line.h"
#include "tests/support/shell.h"

namespace gradproof::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* small_call = "fingerprint --input 1,8,5,5 --weight 4,8,3,3 --padding 1";

TEST_F(CommandLine, FingerprintsTheKernelAndComparesWithAnEarlierOne) {
  const Ran ran = gradproof(std::string(small_call) + " --bias --out one");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, AllOf(HasSubstr("gradInput: 36 products"), HasSubstr("gradBias: 25")));
  EXPECT_THAT(ran.last_line(), HasSubstr("3 of 3 gradients explained"));
  const auto machine = corpus::read_machine(folder_ / "one/machine.json");
  ASSERT_TRUE(machine) << machine.error().text();
  EXPECT_EQ(machine->gradients.size(), 3U);
  EXPECT_THAT(read("one/fingerprint.html"), HasSubstr("<svg"));

  const Ran again = gradproof(std::string(small_call) + " --bias --baseline one/machine.json");
  EXPECT_EQ(again.code, 0) << again.output;
  EXPECT_THAT(again.output, HasSubstr("nothing changed against one/machine.json"));
  const Ran other = gradproof(std::string(small_call) +
                              " --bias --cube-math-type USE_HF32 --baseline one/machine.json");
  EXPECT_EQ(other.code, 1) << other.output;
  EXPECT_THAT(other.output,
              HasSubstr("changed: gradInput: operands were FLOAT with 24 bits, rounded to nearest, "
                        "ties to even, now HF32 with 12 bits"));
}

TEST_F(CommandLine, KeepsAPartOfAFingerprintWhenCallsRunOut) {
  const Ran ran = gradproof(std::string(small_call) + " --cases 30 --out one");
  EXPECT_EQ(ran.code, 4) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("ended early: 30 calls were not enough"));
  EXPECT_TRUE(corpus::read_machine(folder_ / "one/machine.json"));
}

TEST_F(CommandLine, SaysWhatOfAFingerprintCannotBe) {
  const auto refused = [&](const std::string& options) {
    const Ran ran = gradproof("fingerprint " + options);
    EXPECT_EQ(ran.code, 2) << options << "\n" << ran.output;
    return ran.output;
  };
  EXPECT_THAT(refused("--baseline none.json"), HasSubstr("can't be opened"));
  EXPECT_THAT(refused("--set predict=0"), HasSubstr("--set: predict: \"0\""));
  EXPECT_THAT(refused("--cases many"), HasSubstr("--cases: \"many\""));
  EXPECT_THAT(refused("--soc Ascend910B,Ascend950"), HasSubstr("--soc: name one product"));
  EXPECT_THAT(refused("--dtype hifloat8 --input 1,8,5,5 --weight 4,8,3,3 --soc Ascend950"),
              HasSubstr("is HIFLOAT8; probes need FLOAT, FLOAT16 or BF16"));
  write("broken.json", "{\"schema\":\"gradproof-machine-1\"}");
  EXPECT_THAT(refused("--baseline broken.json"), HasSubstr("library"));
  const Ran unusable = gradproof("fingerprint --target ./none.so");
  EXPECT_EQ(unusable.code, 3) << unusable.output;
  const Ran illegal =
      gradproof("fingerprint --input 1,8,5,5 --weight 4,8,3,3 --soc Ascend910 --cube-math-type 0");
  EXPECT_EQ(illegal.code, 3) << illegal.output;
}

}  // namespace
}  // namespace gradproof::tests
