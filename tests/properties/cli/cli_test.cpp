#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/properties/cli/command_line.h"
#include "tests/support/shell.h"

namespace gradproof::tests {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

TEST_F(CommandLine, ShowsItsVersionAndHelp) {
  EXPECT_EQ(gradproof("--version").code, 0);
  EXPECT_THAT(gradproof("--version").output,
              MatchesRegex("gradproof [0-9.]+( \\([0-9a-f]{12}\\))?\nvectors: .+ \\(test data\\), "
                           ".+ \\(oracle\\)\n"));
  const Ran help = gradproof("--help");
  EXPECT_EQ(help.code, 0);
  for (const char* command : {"verify", "replay", "explain", "judge", "prove", "list"}) {
    EXPECT_THAT(help.output, HasSubstr(command));
  }
  EXPECT_EQ(gradproof("verify --help").code, 0);
}

TEST_F(CommandLine, CallsBadUsageBadUsage) {
  const std::vector<std::pair<std::string, std::string>> calls{
      {"", "subcommand"},
      {"frobnicate", "frobnicate"},
      {"verify --frobnicate", "frobnicate"},
      {"verify --time soon", "--time: \"soon\""},
      {"verify --no-stored --cases 1.5", "--cases: \"1.5\""},
      {"verify --no-stored --cases 3x", "--cases: \"3x\""},
      {"verify --dtype FLOAT,FOO", "--dtype: \"FOO\""},
      {"verify --soc Ascend910C", "--soc: \"Ascend910C\""},
      {"verify --rank 6", "--rank: \"6\""},
      {"verify --transposed maybe", "--transposed: \"maybe\""},
      {"verify --kind some", "--kind: \"some\""},
      {"verify --recipe cake", "--recipe: \"cake\""},
      {"verify --law gravity", "--law: \"gravity\" is no law; `gradproof list laws` shows them"},
      {"replay --law gravity -", "--law: \"gravity\""},
      {"verify --law lifting --kind invalid", "--law: lifting"},
      {"verify --rule STRIDE-99", "STRIDE-99"},
      {"verify --jobs 0", "--jobs: \"0\""},
      {"verify --shard 3/2", "--shard: \"3/2\""},
      {"verify --shard 2", "--shard: \"2\""},
      {"verify --profile strict", "--profile: \"strict\""},
      {"verify --machine adder=exact", "--machine: adder: \"exact\""},
      {"verify --machine hf32=nearest", "--machine: hf32: \"nearest\""},
      {"verify --set results=none", "--set: results: \"none\" is none of all, failures"},
      {"verify --machine specials=yes", "--machine: specials: \"yes\" is none of judged, ignored"},
      {"verify --soc Ascend910B, --cases 1", "--soc: \"Ascend910B,\""},
      {"verify --soc Ascend910B --dtype HIFLOAT8 --kind valid", "admits no valid call"},
      {"verify --soc Ascend310 --kind valid", "admits no valid call"},
      {"list cases", "--cases"},
      {"list dreams", "dreams"},
      {"list rulez", "nearest: rules"},
      {"verfy", "there is no command \"verfy\"; nearest: verify; "},
      {"verify --tme 5s", "verify: there is no option \"--tme\"; nearest: --time; "},
      {"report --wrote html=x .", "nearest: --write"},
      {"report --write htlm=x .", "--write: \"htlm\" is no key of report here; nearest: html"},
      {"verify --rule CH-99", "nearest: CH-0"},
      {"explain CH-99", "\"CH-99\" is no rule; nearest: CH-0"},
      {"explain --brief 161002", "explain: there is no --brief any more: "},
      {"replay", "case files"}};
  for (const auto& [arguments, culprit] : calls) {
    const Ran ran = gradproof(arguments);
    EXPECT_EQ(ran.code, 2) << arguments << ": " << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(culprit)) << arguments;
  }
  EXPECT_FALSE(exists("gradproof-out"));
}

TEST_F(CommandLine, NamesFileLineAndKeyOfWhatItCannotRead) {
  write("bad.jsonl", case_line() + "\n" + case_line(R"(,"colour":"red")"));
  const Ran unknown = gradproof("replay bad.jsonl");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.output, ContainsRegex("bad.jsonl:3: .*colour"));

  write("cut.jsonl", case_line() + case_line().substr(0, 70) + "\n");
  EXPECT_EQ(gradproof("replay cut.jsonl").code, 2);
  EXPECT_THAT(gradproof("replay cut.jsonl").output, HasSubstr("cut.jsonl:2:"));

  std::string typed = case_line();
  typed.replace(typed.find("[1,1,4,4]"), 9, "[1,\"1\",4,4]");
  write("typed.jsonl", typed);
  EXPECT_THAT(gradproof("replay typed.jsonl").output, HasSubstr("typed.jsonl:1: input.shape"));

  const Ran missing = gradproof("replay absent.jsonl");
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.output, HasSubstr("absent.jsonl"));
  write("empty.jsonl", "\n");
  EXPECT_THAT(gradproof("replay empty.jsonl").output, HasSubstr("holds no case"));
  // One bad file among good ones: nothing at all has run.
  write("good.jsonl", case_line());
  EXPECT_EQ(gradproof("replay good.jsonl bad.jsonl").code, 2);
  EXPECT_FALSE(exists("gradproof-out"));
}

TEST_F(CommandLine, PrintsCommandsThatAShellCanRun) {
  const std::string wrong = case_line(R"(,"expect":{"status":161002})");
  write("wrong.jsonl", wrong);
  const std::string folder = "\"sp ace/o'ut\"";
  const Ran ran =
      shell("mkdir 'sp ace' && cp wrong.jsonl \"sp ace/it's.jsonl\" && " +
            std::string(GRADPROOF_PROGRAM) +
            " replay \"sp ace/it's.jsonl\" --status-only --profile documented --out " + folder);
  ASSERT_EQ(ran.code, 1) << ran.output;
  const std::string label = "\n  replay  ";
  const std::size_t at = ran.output.find(label + "gradproof replay ");
  ASSERT_NE(at, std::string::npos) << ran.output;
  const std::size_t begin = at + label.size();
  const std::string printed = ran.output.substr(begin, ran.output.find('\n', begin) - begin);
  EXPECT_THAT(printed, HasSubstr("--profile documented"));
  const auto runs = [&](const std::string& command) {
    return shell(GRADPROOF_PROGRAM + command.substr(std::string("gradproof").size()));
  };
  const Ran again = runs(printed);
  EXPECT_EQ(again.code, 1) << printed << again.output;
  EXPECT_THAT(again.last_line(), HasSubstr("1 disagreed")) << printed;
  const std::string recorded = results("sp ace/o'ut")[0]["repro"];
  EXPECT_EQ(runs(recorded).code, 1) << recorded;
}

TEST_F(CommandLine, SaysThatTheOutputWasLost) {
  for (const char* command : {"verify --no-stored --cases 20 --seed 3", "list laws", "explain 0"}) {
    const Ran ran = shell(std::string(GRADPROOF_PROGRAM) + " " + command + " 2>&1 > /dev/full");
    EXPECT_EQ(ran.code, 5) << command;
    EXPECT_THAT(ran.output, HasSubstr("gradproof: ")) << command;
  }
}

TEST_F(CommandLine, BeginsEveryErrorWithItsName) {
  for (const char* command : {"", "verify --colour", "list", "replay", "verify --time", "banana"}) {
    EXPECT_THAT(gradproof(command).output, StartsWith("gradproof: ")) << command;
  }
}

TEST_F(CommandLine, TakesShortOptions) {
  const Ran ran = gradproof("verify --no-stored --cases 5 -s 3 -j 1 -t 60s -q -o short");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, StartsWith("verify: 5 cases: "));
  EXPECT_TRUE(exists("short/report.html"));
  EXPECT_EQ(gradproof("-V").output, gradproof("--version").output);
}

TEST_F(CommandLine, ExplainsCodesRulesAndModules) {
  EXPECT_THAT(gradproof("explain 161002 EZ1001").output,
              AllOf(HasSubstr("161002: ACLNN_ERR_PARAM_INVALID"), HasSubstr("EZ1001: ")));
  EXPECT_EQ(gradproof("explain RNAGE-03").code, 2);
  const Ran module = gradproof(
      "explain --input 2, 3, 24, 24 \"Conv2d(3, 6, kernel_size=(3, 3))\" --soc Ascend910B3 "
      "--range -1,1");
  EXPECT_THAT(module.output, AllOf(StartsWith("call: 0 (ACLNN_SUCCESS) on Ascend910B\n"),
                                   HasSubstr("data uniform on [-1, 1]: rtol "),
                                   testing::Not(HasSubstr("Python:"))));
  EXPECT_EQ(gradproof("explain --input 1,1,3 --weight 1,1,3 --range 1").code, 2);
}

TEST_F(CommandLine, AnswersInChineseWhereItIsAskedForOrTheLocaleSaysSo) {
  const std::string call = " explain --input 1,1,8 --weight 1,1,3 --stride 0 --soc 昇腾910B";
  const auto in = [&](const std::string& environment, const std::string& options) {
    return shell("env -u LC_ALL -u LC_MESSAGES -u LANG " + environment + " " + GRADPROOF_PROGRAM +
                 call + options)
        .output;
  };
  const auto chinese = HasSubstr("STRIDE-01：步长 stride 的每个值须大于等于 1");
  const auto english = HasSubstr("STRIDE-01: stride[0] is 0");
  EXPECT_THAT(in("", ""), english);
  EXPECT_THAT(in("", " --lang zh"), chinese);
  EXPECT_THAT(in("LANG=zh_CN.UTF-8", ""), chinese);
  EXPECT_THAT(in("LANG=zh_CN.UTF-8", " --lang en"), english);
  EXPECT_THAT(in("LC_ALL=C LANG=zh_CN.UTF-8", ""), english);
  EXPECT_THAT(in("LC_ALL=zh_CN.GBK", ""), english);  // what we print would not be readable
  EXPECT_EQ(gradproof("explain 161002 --lang xx").code, 2);
  EXPECT_THAT(gradproof("list rules --lang zh").output, HasSubstr("步长 stride 的每个值"));
}

TEST_F(CommandLine, SaysThatAWordIsNothingItKnows) {
  const Ran ran = gradproof("explain nothing_of_the_kind");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.output, HasSubstr("\"nothing_of_the_kind\" is no file, code, rule or parameter"));
}

TEST_F(CommandLine, RefusesATargetThatCannotBeLoaded) {
  write("good.jsonl", case_line());
  const Ran absent = gradproof("replay good.jsonl --target /nowhere/libnone.so");
  EXPECT_EQ(absent.code, 3);
  EXPECT_THAT(absent.output, HasSubstr("/nowhere/libnone.so cannot be loaded"));
  write("text.so", "not a library");
  EXPECT_EQ(gradproof("replay good.jsonl --target ./text.so").code, 3);
}

/// A list that is not there is no empty list.
TEST_F(CommandLine, SaysWhereTheLibrariesWithSeededFaultsAreMissing) {
  fs::copy_file(GRADPROOF_PROGRAM, folder_ / "gradproof");
  const Ran ran = shell("./gradproof list faults");
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.output, HasSubstr("no libraries with seeded faults in " + folder_.string()));
}

TEST_F(CommandLine, ListsWhatItKnows) {
  EXPECT_THAT(gradproof("list rules").output, AllOf(HasSubstr("STRIDE-01"), HasSubstr("EMPTY-14")));
  EXPECT_THAT(gradproof("list laws").output, HasSubstr("exactness"));
  EXPECT_THAT(gradproof("list laws --json").output, HasSubstr("transposed_duality"));
  EXPECT_THAT(gradproof("list formats").output, HasSubstr("NCDHW"));
  EXPECT_THAT(gradproof("list products").output, HasSubstr("Ascend910_93"));
  EXPECT_THAT(gradproof("list recipes").output, HasSubstr("sparse_full_mantissa"));
  const Ran rules = gradproof("list rules --json");
  EXPECT_EQ(rules.code, 0);
  EXPECT_GT(nlohmann::json::parse(rules.output).size(), 60U);
}

TEST_F(CommandLine, ExplainsWhyACallIsRefused) {
  std::string line = case_line();
  line.replace(line.find("\"stride\":[1,1]"), 14, "\"stride\":[0,1]");
  write("stride.jsonl", line);
  const Ran words = gradproof("explain stride.jsonl");
  EXPECT_EQ(words.code, 0);
  EXPECT_THAT(words.output, AllOf(HasSubstr("STRIDE-01"), HasSubstr("161002")));
  const Ran all = gradproof("explain stride.jsonl --soc all --json");
  EXPECT_EQ(std::count(all.output.begin(), all.output.end(), '\n'), 7);
  const auto json = nlohmann::json::parse(all.output.substr(0, all.output.find('\n')));
  EXPECT_EQ(json["rules"][0]["id"], "STRIDE-01");
  EXPECT_THAT(all.output, HasSubstr("PROD-01"));  // of the products without a convolution
}

TEST_F(CommandLine, ExplainsACallThatIsTyped) {
  const std::string typed =
      "--input 2,3,12,12 --weight 4,3,3,3 --stride 2 --padding 1 --bias --soc Ascend910B";
  const Ran legal = gradproof("explain " + typed);
  EXPECT_EQ(legal.code, 0);
  EXPECT_THAT(legal.output, AllOf(HasSubstr("call: 0 (ACLNN_SUCCESS) on Ascend910B"),
                                  HasSubstr("gradWeight [4, 3, 3, 3]"), HasSubstr("workspace ")));
  EXPECT_LE(std::count(legal.output.begin(), legal.output.end(), '\n'), 20);
  EXPECT_THAT(gradproof("explain --code python " + typed).output, StartsWith("import torch\n"));
  EXPECT_THAT(gradproof("explain --code c " + typed).output,
              HasSubstr("aclnnConvolutionBackwardGetWorkspaceSize("));
  const Ran refused = gradproof("explain --input 2,3,12,12 --weight 4,2,3,3 --groups 1");
  EXPECT_THAT(refused.output, AllOf(HasSubstr("CH-02"), HasSubstr("one change makes it legal: ")));
  for (const auto& [call, culprit] : std::vector<std::pair<std::string, std::string>>{
           {"", "give either a case file"},
           {"--weight 4,3,3,3", "--input: give the shape of input"},
           {"--input 2,x --weight 4,3,3,3", "--input: \"2,x\""},
           {"--input 2,3,12 --weight 4,3,3 --transposed maybe", "--transposed: \"maybe\""}}) {
    const Ran wrong = gradproof("explain " + call);
    EXPECT_EQ(wrong.code, 2) << call;
    EXPECT_THAT(wrong.output, HasSubstr(culprit));
  }
}

}  // namespace
}  // namespace gradproof::tests
