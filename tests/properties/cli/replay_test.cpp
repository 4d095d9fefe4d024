// The program's replay and shrink: cases from files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

#include "tests/properties/cli/command_line.h"
#include "tests/support/shell.h"

namespace gradproof::tests {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

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
  EXPECT_EQ(ran.code, 4) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("health: nothing was judged"));
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
  ASSERT_EQ(gradproof("verify --no-stored --cases 20 --seed 3").code, 0);
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

TEST_F(CommandLine, RefusesAnOutputFolderThatCannotBeWritten) {
  write("good.jsonl", case_line());
  write("occupied", "a file");
  for (const std::string folder : {"occupied", "occupied/out", "/proc/gradproof-out"}) {
    const Ran ran = gradproof("replay good.jsonl --out " + folder);
    EXPECT_EQ(ran.code, 2) << folder;
    EXPECT_THAT(ran.output, HasSubstr(folder));
  }
}

TEST_F(CommandLine, ShrinksOnlyWhatFails) {
  write("good.jsonl", case_line());
  const Ran good = gradproof("replay --shrink good.jsonl");
  EXPECT_EQ(good.code, 0);
  EXPECT_THAT(good.output, HasSubstr("no case of good.jsonl disagrees"));
  write("wrong.jsonl", case_line(R"(,"expect":{"status":161002})"));
  const Ran wrong =
      shell(std::string(GRADPROOF_PROGRAM) + " replay --shrink wrong.jsonl 2>/dev/null");
  EXPECT_EQ(wrong.code, 1);
  const auto shrunk = nlohmann::json::parse(wrong.output);
  EXPECT_EQ(shrunk["input"]["shape"], nlohmann::json({1, 1, 1}));
}

}  // namespace
}  // namespace gradproof::tests
