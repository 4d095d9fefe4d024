// A call that is typed once: explain shows it as a case or as code, replay runs it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <sstream>
#include <string>
#include <vector>

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
  const Ran shown = gradproof("explain --code case " + call);
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

TEST_F(CommandLine, ComputesATypedCallHoweverMuchWorkItIs) {
  const Ran ran = gradproof(
      "verify \"input:1,512,7,7 weight:512,512,3,3 padding:1\" --soc Ascend910B "
      "--recipe exact_grid --cases 1 --out kept");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(results("kept").front()["outputs"], testing::SizeIs(testing::Gt(0))) << ran.output;
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
  EXPECT_THAT(ran.output, HasSubstr("--code: \"rust\" is none of c, python, case"));
  const std::string forward = "'aclnnConvTbc(self=[9, 2, 4], weight=[3, 4, 6], bias=[6], pad=1)'";
  for (const char* command : {"explain --code c ", "verify "}) {
    const Ran other = gradproof(command + forward);
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.output, HasSubstr("aclnnConvTbc"));
  }
  EXPECT_THAT(gradproof("explain --code case " + forward).output, HasSubstr("\"pad\":1"));
  EXPECT_EQ(gradproof("replay " + forward).code, 0);
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

const std::string line = "\"input:1,2,5,5 weight:3,2,3,3 padding:1 dtype:bf16\"";

TEST_F(CommandLine, GeneratesATypedCallOnEachProduct) {
  const Ran ran = gradproof("list cases --soc Ascend910B,Ascend950 " + line);
  ASSERT_EQ(ran.code, 0) << ran.output;
  const auto shown = nlohmann::json::parse(gradproof("explain --code case " + call).output);
  std::istringstream lines(ran.output);
  std::vector<std::string> products;
  for (std::string text; std::getline(lines, text);) {
    const auto problem = nlohmann::json::parse(text);
    products.push_back(problem["soc"]);
    for (const char* key : {"gradOutput", "input", "weight", "padding"}) {
      EXPECT_EQ(problem[key], shown[key]) << key;
    }
  }
  EXPECT_THAT(products, testing::ElementsAre("Ascend910B", "Ascend950"));
}

/// Each time other data; what a finding prints makes the same again.
TEST_F(CommandLine, VerifiesATypedCallAloneUnderFreshData) {
  const Ran ran = gradproof("verify --cases 6 --seed 3 --jobs 1 --out typed " + line);
  ASSERT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.last_line(), StartsWith("verify: 6 cases: 6 agreed"));
  std::set<double> computed;
  for (const auto& result : results("typed")) {
    computed.insert(result["outputs"]["gradInput"]["rmse"].get<double>());
  }
  EXPECT_GE(computed.size(), 4U);
  EXPECT_THAT(std::string(results("typed").front()["repro"]), HasSubstr("dtype:bf16"));
}

TEST_F(CommandLine, TakesNoOptionThatATypedCallSaysItself) {
  const Ran narrowed = gradproof("verify --dtype FLOAT " + line);
  EXPECT_EQ(narrowed.code, 2);
  EXPECT_THAT(narrowed.output, HasSubstr("--dtype narrows what is generated"));
  const Ran file = gradproof("list cases good.jsonl");
  EXPECT_EQ(file.code, 2);
  EXPECT_THAT(file.output, HasSubstr("\"good.jsonl\" is no call"));
}

}  // namespace
}  // namespace gradproof::tests
