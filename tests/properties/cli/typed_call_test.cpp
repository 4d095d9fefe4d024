// A call that is typed once: explain shows it as a case or as code, replay runs it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

#include "tests/properties/cli/command_line.h"
#include "tests/support/shell.h"

namespace gradproof::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string call = "--input 1,2,5,5 --weight 3,2,3,3 --padding 1 --dtype bf16";

TEST_F(CommandLine, ExplainsATypedCallAsACaseThatReplayRuns) {
  const Ran shown = gradproof("explain --case " + call);
  ASSERT_EQ(shown.code, 0) << shown.output;
  const auto problem = nlohmann::json::parse(shown.output);
  EXPECT_EQ(problem["weight"]["dtype"], "BF16");
  write("typed.jsonl", shown.output);
  const Ran ran = gradproof("replay typed.jsonl");
  EXPECT_THAT(ran.last_line(), StartsWith("replay: 2 cases: 2 agreed, 0 disagreed"));
}

TEST_F(CommandLine, ReplaysATypedCallOnEachProduct) {
  EXPECT_THAT(gradproof("replay " + call).last_line(),
              StartsWith("replay: 2 cases: 2 agreed, 0 disagreed"));
  const Ran ran = gradproof(
      "replay --soc Ascend910B3,Ascend950 --out kept \"Conv2d(2, 3, 3)\" --input 1,2,5,5");
  EXPECT_THAT(ran.last_line(), StartsWith("replay: 4 cases: 4 agreed, 0 disagreed")) << ran.output;
  EXPECT_EQ(results("kept").front()["soc"], "Ascend910B");
  EXPECT_EQ(results("kept").back()["soc"], "Ascend950");
  const std::string again = results("kept").back()["repro"];
  EXPECT_THAT(again, HasSubstr("soc:Ascend950"));
  const std::string words = again.substr(again.find(' ') + 1);
  EXPECT_THAT(gradproof(words).last_line(), StartsWith("replay: 2 cases: 2 agreed"));
}

TEST_F(CommandLine, ShowsTheCodeOfATypedCallAlone) {
  EXPECT_THAT(gradproof("explain --code python " + call).output,
              AllOf(StartsWith("import torch\n"), HasSubstr("convolution_backward"),
                    Not(HasSubstr("aclnn"))));
  EXPECT_THAT(
      gradproof("explain --code c " + call).output,
      AllOf(HasSubstr("aclnnConvolutionBackwardGetWorkspaceSize"), Not(HasSubstr("torch"))));
  const Ran ran = gradproof("explain --code rust " + call);
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.output, HasSubstr("--code: \"rust\" is neither c nor python"));
}

TEST_F(CommandLine, WantsEitherFilesOrATypedCall) {
  write("good.jsonl", case_line());
  for (const std::string& wrong : {std::string("replay"), "replay good.jsonl " + call}) {
    const Ran ran = gradproof(wrong);
    EXPECT_EQ(ran.code, 2) << wrong;
    EXPECT_THAT(ran.output, HasSubstr("give either case files"));
  }
  const Ran ran = gradproof("replay good.jsonl --soc Ascend950");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.output, HasSubstr("--soc: a case file says itself"));
}

}  // namespace
}  // namespace gradproof::tests
