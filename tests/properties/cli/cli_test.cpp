#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/scratch_folder.h"
#include "tests/support/shell.h"

namespace {

namespace fs = std::filesystem;
using gradproof::tests::Ran;
using gradproof::tests::run_in_shell;
using gradproof::tests::ScratchFolder;
using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

/// One folder a test, as the working directory of what it runs.
class CommandLine : public testing::Test {
 protected:
  Ran shell(const std::string& command) const { return run_in_shell(command, folder_.path()); }
  Ran gradproof(const std::string& arguments) const {
    return shell(std::string(GRADPROOF_PROGRAM) + " " + arguments);
  }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  std::string read(const std::string& name) const { return folder_.read(name); }
  bool exists(const std::string& name) const { return fs::exists(folder_ / name); }
  std::vector<nlohmann::json> results(const std::string& folder = "gradproof-out") const {
    std::vector<nlohmann::json> lines;
    std::istringstream text(read(folder + "/results.jsonl"));
    for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
  }

  ScratchFolder folder_;
};

const std::string small_case =
    R"({"id":"small","api":"aclnnConvolutionBackward","soc":"Ascend910B",)"
    R"("gradOutput":{"shape":[1,1,2,2],"dtype":"FLOAT","format":"NCHW"},)"
    R"("input":{"shape":[1,1,4,4],"dtype":"FLOAT","format":"NCHW"},)"
    R"("weight":{"shape":[1,1,3,3],"dtype":"FLOAT","format":"NCHW"},)"
    R"("biasSizes":[1],"stride":[1,1],"padding":[0,0],"dilation":[1,1],"transposed":false,)"
    R"("outputPadding":[0,0],"groups":1,"outputMask":[true,true,true],"cubeMathType":0,)"
    R"("gradInput":{"shape":[1,1,4,4],"dtype":"FLOAT","format":"NCHW"},)"
    R"("gradWeight":{"shape":[1,1,3,3],"dtype":"FLOAT","format":"NCHW"},)"
    R"("gradBias":{"shape":[1],"dtype":"FLOAT","format":"ND"}EXPECT})";

std::string case_line(const std::string& ending = "") {
  std::string line = small_case;
  return line.replace(line.find("EXPECT"), 6, ending) + "\n";
}

TEST_F(CommandLine, ShowsItsVersionAndHelp) {
  EXPECT_EQ(gradproof("--version").code, 0);
  EXPECT_THAT(gradproof("--version").output,
              MatchesRegex("gradproof [0-9.]+( \\([0-9a-f]{12}\\))?\nvectors: .+ \\(test data\\), "
                           ".+ \\(oracle\\)\n"));
  const Ran help = gradproof("--help");
  EXPECT_EQ(help.code, 0);
  for (const char* command : {"verify", "replay", "shrink", "explain", "generate", "list"}) {
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
      {"verify --stored no --cases 1.5", "--cases: \"1.5\""},
      {"verify --stored no --cases 3x", "--cases: \"3x\""},
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
      {"verify --adder exact", "--adder: \"exact\""},
      {"verify --hf32 nearest", "--hf32: \"nearest\""},
      {"verify --soc Ascend910B, --cases 1", "--soc: \"Ascend910B,\""},
      {"verify --soc Ascend910B --dtype HIFLOAT8 --kind valid", "admits no valid call"},
      {"verify --soc Ascend310 --kind valid", "admits no valid call"},
      {"generate", "--cases"},
      {"list dreams", "dreams"},
      {"replay", "FILE"}};
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

TEST_F(CommandLine, ReplaysACaseUnderTheDefaultRecipes) {
  write("good.jsonl", case_line());
  const Ran ran = gradproof("replay good.jsonl --out gradproof-out");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(
      ran.last_line(),
      ContainsRegex("^replay: 2 cases: 2 agreed, 0 disagreed, 0 refused, 0 not comparable, 0 "
                    "vacuous, 0 skipped; seed 0; [0-9]+\\.[0-9] s$"));
  const auto lines = results();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0]["recipe"], "exact_grid");
  EXPECT_EQ(lines[1]["recipe"], "sparse_full_mantissa");
  EXPECT_EQ(lines[0]["repro"], "gradproof replay good.jsonl");
  EXPECT_EQ(
      gradproof("replay good.jsonl --recipe exact_grid --out other --quiet").output.find("cube"),
      std::string::npos);
  EXPECT_EQ(results("other").size(), 1U);
}

TEST_F(CommandLine, SkipsWhatIsTooLargeAndSaysSo) {
  write("good.jsonl", case_line());
  const Ran ran = gradproof("replay good.jsonl --max-macs 3e1");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.output, HasSubstr("more than 30 multiply-accumulates"));
  EXPECT_THAT(ran.last_line(), HasSubstr("1 cases: 0 agreed"));
  EXPECT_THAT(ran.last_line(), HasSubstr("1 skipped"));
  EXPECT_THAT(gradproof("replay good.jsonl --max-macs 36").last_line(), HasSubstr("2 agreed"));
}

TEST_F(CommandLine, HoldsACaseToTheStatusItExpects) {
  write("wrong.jsonl", case_line(R"(,"expect":{"status":161002})"));
  const Ran ran = gradproof("replay wrong.jsonl --status-only -o gradproof-out");
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.last_line(), HasSubstr("1 disagreed"));
  const auto lines = results();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["verdict"], "disagree");
  EXPECT_EQ(lines[0]["kind"], "expectation");
  ASSERT_TRUE(lines[0].contains("case"));
  // The finding replays to the same disagreement, by the command that the line gives.
  const std::string repro = lines[0]["repro"];
  ASSERT_THAT(repro, StartsWith("gradproof replay "));
  const Ran again = gradproof(repro.substr(10) + " --out again");
  EXPECT_EQ(again.code, 1) << again.output;
  EXPECT_EQ(results("again")[0]["kind"], "expectation");
}

TEST_F(CommandLine, ReplaysWithoutWritingAnything) {
  ASSERT_EQ(gradproof("verify --stored no --cases 20 --seed 3").code, 0);
  const std::string report = read("gradproof-out/report.json");
  const std::string lines = read("gradproof-out/results.jsonl");
  write("wrong.jsonl", case_line(R"(,"expect":{"status":161002})"));
  const Ran ran =
      shell("mkdir tmp && TMPDIR=$PWD/tmp " + std::string(GRADPROOF_PROGRAM) +
            " replay wrong.jsonl --status-only && false; code=$?; ls -A tmp; exit $code");
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("nothing was written; --out FOLDER keeps the finding"));
  EXPECT_THAT(ran.last_line(), StartsWith("replay: 1 cases: "));  // nothing is left in tmp
  EXPECT_EQ(read("gradproof-out/report.json"), report);
  EXPECT_EQ(read("gradproof-out/results.jsonl"), lines);
  EXPECT_FALSE(exists("gradproof-out/findings/disagree-expectation.json"));
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
  const std::size_t at = ran.output.find("\n  gradproof replay ");
  ASSERT_NE(at, std::string::npos) << ran.output;
  const std::size_t begin = at + 3;
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
  for (const char* command : {"verify --stored no --cases 20 --seed 3", "list laws", "explain 0"}) {
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
  const Ran ran = gradproof("verify --stored no --cases 5 -s 3 -j 1 -t 60s -q -o short");
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
      "explain --input 2, 3, 24, 24 \"Conv2d(3, 6, kernel_size=(3, 3))\" --soc Ascend910B3 --brief "
      "--range -1,1");
  EXPECT_THAT(module.output,
              AllOf(StartsWith("call: 0 (ACLNN_SUCCESS) on Ascend910B\n"),
                    HasSubstr("within magnitude 1: rtol "), testing::Not(HasSubstr("Python:"))));
  EXPECT_EQ(gradproof("explain --input 1,1,3 --weight 1,1,3 --range 1").code, 2);
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

TEST_F(CommandLine, RefusesAnOutputFolderThatCannotBeWritten) {
  write("good.jsonl", case_line());
  write("occupied", "a file");
  for (const std::string folder : {"occupied", "occupied/out", "/proc/gradproof-out"}) {
    const Ran ran = gradproof("replay good.jsonl --out " + folder);
    EXPECT_EQ(ran.code, 2) << folder;
    EXPECT_THAT(ran.output, HasSubstr(folder));
  }
}

TEST_F(CommandLine, StopsWhereTheResultsNoLongerFit) {
  // 200 KiB: the trial before the run passes, the run itself does not fit.
  const Ran ran = shell("ulimit -f 200; " + std::string(GRADPROOF_PROGRAM) +
                        " verify --stored no --cases 100000 --seed 4 --quiet");
  EXPECT_EQ(ran.code, 5) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("results.jsonl: cannot be written"));
}

TEST_F(CommandLine, GivesTheSameCasesAndVerdictsForEveryNumberOfJobs) {
  for (const std::string jobs : {"1", "2", "5"}) {
    const Ran ran = gradproof(
        fmt::format("verify --stored no --cases 400 --seed 12 --jobs {0} --out jobs{0}", jobs));
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_THAT(ran.last_line(), StartsWith("verify: 400 cases: "));
    EXPECT_THAT(ran.last_line(), HasSubstr("; seed 12; "));
  }
  auto one = results("jobs1"), two = results("jobs2"), five = results("jobs5");
  for (auto* lines : {&one, &two, &five}) {
    for (auto& line : *lines) line.erase("milliseconds");
  }
  EXPECT_EQ(one, two);
  EXPECT_EQ(one, five);
}

TEST_F(CommandLine, GeneratesTheCasesThatVerifyRuns) {
  const Ran many = gradproof("generate --cases 30 --seed 12 --soc Ascend910B --kind valid");
  ASSERT_EQ(many.code, 0);
  EXPECT_EQ(many.output,
            gradproof("generate --cases 30 --seed 12 --soc Ascend910B --kind valid").output);
  EXPECT_NE(many.output,
            gradproof("generate --cases 30 --seed 13 --soc Ascend910B --kind valid").output);
  EXPECT_THAT(
      many.output,
      EndsWith(gradproof("generate --cases 1 --first 29 --seed 12 --soc Ascend910B --kind valid")
                   .output));

  EXPECT_EQ(gradproof("verify --stored no --cases 20 --seed 12 --soc Ascend910B --kind valid").code,
            0);
  auto line = results().back();
  std::string repro = line["repro"];
  ASSERT_THAT(repro, AllOf(StartsWith("gradproof generate "), HasSubstr("| gradproof replay -")));
  for (std::size_t at = 0; (at = repro.find("gradproof ", at)) != std::string::npos; at += 60) {
    repro.replace(at, 9, GRADPROOF_PROGRAM);
    break;
  }
  repro.replace(repro.find("| gradproof") + 2, 9, GRADPROOF_PROGRAM);
  const Ran again = shell(repro + " --out again");
  EXPECT_EQ(again.code, 0) << again.output;
  bool found = false;
  for (auto& other : results("again")) {
    found |= other["id"] == line["id"] && other["recipe"] == line["recipe"] &&
             other["outputs"] == line["outputs"] && other["verdict"] == line["verdict"];
  }
  EXPECT_TRUE(found) << line.dump() << '\n' << read("again/results.jsonl");
}

TEST_F(CommandLine, DrawsInsideItsSelectionAndShards) {
  const Ran ran = gradproof(
      "generate --cases 40 --seed 3 --soc Ascend950 --dtype BF16 --rank 5 --transposed yes --kind "
      "valid");
  std::istringstream lines(ran.output);
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    EXPECT_EQ(json["soc"], "Ascend950");
    EXPECT_EQ(json["input"]["dtype"], "BF16");
    EXPECT_EQ(json["input"]["shape"].size(), 5U);
    EXPECT_EQ(json["transposed"], true);
  }
  EXPECT_EQ(gradproof("verify --stored no --cases 30 --seed 3 --shard 1/2 --out one").code, 0);
  EXPECT_EQ(shell("GTEST_SHARD_INDEX=1 GTEST_TOTAL_SHARDS=2 " + std::string(GRADPROOF_PROGRAM) +
                  " verify --stored no --cases 30 --seed 3 --out two")
                .code,
            0);
  for (const auto& one : results("one")) {
    for (const auto& two : results("two")) EXPECT_NE(one["id"], two["id"]);
  }
}

/// A shell command that interrupts a run once it has written verdicts, however long that takes.
std::string interrupted(const std::string& options, const std::string& signal = "INT") {
  return std::string(GRADPROOF_PROGRAM) + " verify --stored no --time 120s " + options +
         " & child=$!; "
         "until [ \"$(cat gradproof-out/results.jsonl 2>/dev/null | wc -l)\" -gt 10 ]; "
         "do sleep 0.1; done; kill -" +
         signal + " $child; wait $child";
}

TEST_F(CommandLine, EndsInOrderOnCtrlC) {
  const Ran ran = shell(interrupted("--seed 2"));
  EXPECT_EQ(ran.code, 130) << ran.output;
  EXPECT_THAT(ran.last_line(), ContainsRegex("^verify: [1-9][0-9]* cases: "));
  EXPECT_GT(results().size(), 10U);
  EXPECT_THAT(ran.output, HasSubstr("interrupted; the same command with --seed 2 resumes the run"));
}

TEST_F(CommandLine, EndsInOrderOnTerminate) {
  const Ran ran = shell(interrupted("--seed 2", "TERM"));
  EXPECT_EQ(ran.code, 143) << ran.output;
  EXPECT_THAT(ran.last_line(), ContainsRegex("^verify: [1-9][0-9]* cases: "));
}

TEST_F(CommandLine, VerifiesTheCheapStoredCasesFirst) {
  EXPECT_EQ(gradproof("verify --cases 2000 --seed 1 --law status").code, 0);
  std::set<std::string> ids;
  for (const auto& line : results()) ids.insert(line["id"]);
  // Ours; published ones of each file, a tiling class asked about a large problem.
  for (const char* id : {"channels-15", "atk-000", "ut-030", "ttk-000", "example-1d", "v2-000",
                         "tiling-117", "tiling-150"}) {
    EXPECT_TRUE(ids.contains(id)) << id;
  }
  // Too many multiply-accumulates; too large tensors.
  EXPECT_FALSE(ids.contains("ut-000"));
  EXPECT_FALSE(ids.contains("tiling-138"));
  EXPECT_TRUE(std::ranges::any_of(ids, [](const auto& id) { return id.starts_with("1-"); }));
}

TEST_F(CommandLine, ShowsWhereTheRunHasBeen) {
  const Ran ran = gradproof("verify --stored no --cases 200 --seed 3 --table");
  EXPECT_THAT(ran.output, ContainsRegex("legal pairs of classes +[1-9][0-9]* of [1-9][0-9]*\n"));
  EXPECT_THAT(ran.output, ContainsRegex("rules broken or used +[1-9][0-9]* of [1-9][0-9]*\n"));
  EXPECT_THAT(ran.last_line(), ContainsRegex("^verify: 200 cases: "));
}

TEST_F(CommandLine, PrintsTheSeedThatItChose) {
  const Ran ran = gradproof("verify --stored no --cases 5");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.output, ContainsRegex("seed [0-9]+\n"));
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
  const Ran legal = gradproof(
      "explain --input 2,3,12,12 --weight 4,3,3,3 --stride 2 --padding 1 --bias --soc Ascend910B");
  EXPECT_EQ(legal.code, 0);
  EXPECT_THAT(legal.output, AllOf(HasSubstr("call: 0 (ACLNN_SUCCESS) on Ascend910B"),
                                  HasSubstr("gradWeight [4, 3, 3, 3]"), HasSubstr("workspace "),
                                  HasSubstr("torch.ops.aten.convolution_backward("),
                                  HasSubstr("aclnnConvolutionBackwardGetWorkspaceSize(")));
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

TEST_F(CommandLine, ShrinksOnlyWhatFails) {
  write("good.jsonl", case_line());
  const Ran good = gradproof("shrink good.jsonl");
  EXPECT_EQ(good.code, 0);
  EXPECT_THAT(good.output, HasSubstr("no case of good.jsonl disagrees"));
  write("wrong.jsonl", case_line(R"(,"expect":{"status":161002})"));
  const Ran wrong = shell(std::string(GRADPROOF_PROGRAM) + " shrink wrong.jsonl 2>/dev/null");
  EXPECT_EQ(wrong.code, 1);
  const auto shrunk = nlohmann::json::parse(wrong.output);
  EXPECT_EQ(shrunk["input"]["shape"], nlohmann::json({1, 1, 1}));
}

TEST_F(CommandLine, WritesReportsThatReportMakesAgainFromTheResults) {
  const Ran ran = gradproof("verify --stored no --cases 300 --seed 5");
  ASSERT_EQ(ran.code, 0) << ran.output;
  const Ran merged = gradproof(
      "report gradproof-out gradproof-out/results.jsonl --html h --markdown m --junit x --json j");
  EXPECT_EQ(merged.code, 0) << merged.output;
  EXPECT_THAT(merged.last_line(), StartsWith("report: 300 cases: "));
  auto at_the_end = nlohmann::json::parse(read("gradproof-out/report.json"));
  auto made_again = nlohmann::json::parse(read("j"));
  EXPECT_EQ(at_the_end["cases"], 300);
  for (auto* report : {&at_the_end, &made_again}) {
    report->erase("command");
    report->erase("seconds");
  }
  EXPECT_EQ(at_the_end, made_again);
  EXPECT_THAT(read("gradproof-out/report.html"),
              AllOf(StartsWith("<!DOCTYPE"), EndsWith("</html>\n")));
  EXPECT_THAT(read("gradproof-out/junit.xml"), EndsWith("</testsuites>\n"));
  EXPECT_THAT(read("gradproof-out/report.md"),
              ContainsRegex("^# Gradproof: 29[0-9] runs judged, no disagreement\n"));
  EXPECT_THAT(read("h") + read("m") + read("x"), HasSubstr("Ascend910B"));
  EXPECT_THAT(gradproof("report --table gradproof-out").output,
              HasSubstr("legal pairs of classes"));
}

TEST_F(CommandLine, WritesReportsOfAnInterruptedRun) {
  const Ran ran = shell(interrupted("--seed 5 --quiet"));
  EXPECT_THAT(ran.output, HasSubstr("verify: "));
  const auto report = nlohmann::json::parse(read("gradproof-out/report.json"));
  EXPECT_EQ(report["interrupted"], true);
  EXPECT_EQ(report["cases"], results().size());
}

TEST_F(CommandLine, ReportsOnlyWhatItCanRead) {
  ASSERT_EQ(gradproof("verify --stored no --cases 40 --seed 5").code, 0);
  const std::string lines = read("gradproof-out/results.jsonl");
  write("cut.jsonl", lines.substr(0, lines.size() - 40));
  const Ran cut = gradproof("report cut.jsonl --markdown cut.md");
  EXPECT_EQ(cut.code, 0) << cut.output;
  EXPECT_THAT(cut.output, HasSubstr("cut.jsonl: is cut off within line 40"));
  EXPECT_THAT(read("cut.md"), HasSubstr("cut off within line 40"));
  write("wrong.jsonl", "{\"id\":1}\n" + lines);
  const Ran wrong = gradproof("report wrong.jsonl");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.output, HasSubstr("wrong.jsonl:1: "));
  std::string older = lines;
  older.replace(older.find("\"schema\":\"1-"), 12, "\"schema\":\"0-");
  write("older.jsonl", older);
  const Ran refused = gradproof("report older.jsonl");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.output, ContainsRegex("older.jsonl:1: schema 0-.*this program reads 1-"));
  EXPECT_EQ(gradproof("report /nowhere").code, 2);
  EXPECT_EQ(gradproof("report").code, 2);
  EXPECT_EQ(gradproof("report gradproof-out --html /nowhere/page.html").code, 2);
}

}  // namespace
