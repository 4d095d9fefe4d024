// explain --log, and a module.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/properties/cli/command_line.h"

namespace gradproof::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string layer = "\"Conv2d(3, 64, kernel_size=(7,7), stride=(2,2), padding=(3,3))\"";

TEST_F(CommandLine, ExplainsALayerGivenByTorch) {
  const Ran ran = gradproof("explain --soc 910B " + layer + " --input 1,3,224,224");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.output,
              AllOf(StartsWith("call: 0 (ACLNN_SUCCESS)"), HasSubstr("gradWeight [64, 3, 7, 7]")));
  EXPECT_EQ(gradproof("explain \"Linear(3, 4)\" --input 1,3").code, 2);
}

TEST_F(CommandLine, ExplainsTheCallsOfALog) {
  write("log.txt",
        "mb1 is a batch\nbenchdnn --conv --dir=BWD_D mb1ic4ih8oc3oh6kh3ph0 on Ascend910B3\n");
  const Ran ran = gradproof("explain --log log.txt");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.output,
              AllOf(StartsWith("log: a call\n"), HasSubstr("product: Ascend910B3, Ascend910B\n"),
                    HasSubstr("\nlog-line-2: 0 (ACLNN_SUCCESS) on Ascend910B\n"),
                    Not(HasSubstr("Python:"))));
  const Ran replayed =
      shell(std::string(GRADPROOF_PROGRAM) + " explain --log - --code case < log.txt | " +
            GRADPROOF_PROGRAM + " replay - --quiet");
  EXPECT_THAT(replayed.last_line(), StartsWith("replay: 2 cases: 2 agreed"));
}

TEST_F(CommandLine, PrintsALogsReadingForPrograms) {
  write("log.txt",
        "call aclnnConvolutionBackward failed, detail:EZ1001: 161002\nConv2d(3, 4, 3)\n");
  const Ran ran = gradproof("explain --json --log log.txt --input 1,3,8,8 --soc 910B");
  std::istringstream lines(ran.output);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  const auto reading = nlohmann::json::parse(line);
  EXPECT_EQ(reading["operators"][0]["name"], "aclnnConvolutionBackward");
  EXPECT_EQ(reading["codes"], nlohmann::json({"EZ1001", "161002"}));
  EXPECT_EQ(reading["calls"][0]["complete"], true);
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(nlohmann::json::parse(line)["id"], "log-line-2");
}

TEST_F(CommandLine, RefusesWhatIsNoLog) {
  write("binary", std::string("\0\1\2", 3));
  write("empty", "");
  const std::pair<const char*, const char*> bad[] = {{"binary", "NUL bytes"},
                                                     {"empty", "is empty"},
                                                     {".", "is a folder"},
                                                     {"absent", "No such file"},
                                                     {"/dev/zero", "is a device"}};
  for (const auto& [file, words] : bad) {
    const Ran ran = gradproof(std::string("explain --log ") + file);
    EXPECT_EQ(ran.code, 2) << file;
    EXPECT_THAT(ran.output, HasSubstr(words));
  }
  EXPECT_THAT(gradproof("explain --log empty --weight 1,1,1,1").output, HasSubstr("--input alone"));
}

TEST_F(CommandLine, RunsNothingOfALog) {
  write("log.txt",
        "$(touch made) `touch made`; touch made\ninput=[1,1,4,4] weight=[1,1,3,3] stride=1 "
        "padding=0 \x1b[2J\x1b]0;x\x07\n");
  const Ran ran = gradproof("explain --log log.txt");
  EXPECT_EQ(ran.code, 0);
  EXPECT_FALSE(exists("made"));
  EXPECT_THAT(ran.output, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace gradproof::tests
