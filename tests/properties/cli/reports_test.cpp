// The program's reports: written by a run, written again from its results.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

#include "tests/properties/cli/command_line.h"
#include "tests/support/shell.h"

namespace gradproof::tests {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST_F(CommandLine, WritesReportsThatReportMakesAgainFromTheResults) {
  const Ran ran = gradproof("verify --no-stored --cases 300 --seed 5");
  ASSERT_EQ(ran.code, 0) << ran.output;
  const Ran merged = gradproof(
      "report gradproof-out gradproof-out/results.jsonl --write html=h,markdown=m,junit=x,json=j");
  EXPECT_EQ(merged.code, 0) << merged.output;
  EXPECT_THAT(merged.last_line(), StartsWith("report: 300 cases: "));
  auto at_the_end = nlohmann::json::parse(read("gradproof-out/report.json"));
  auto made_again = nlohmann::json::parse(read("j"));
  EXPECT_EQ(at_the_end["cases"], 300);
  for (auto* report : {&at_the_end, &made_again}) {
    report->erase("command");
    report->erase("seconds");
    // What is still needed takes so long at the pace of the run, which the results do not have.
    for (auto& goal : (*report)["residual_risk"]["goals"]) goal.erase("seconds");
    (*report)["residual_risk"]["sentences"].erase(1);
  }
  EXPECT_EQ(at_the_end, made_again);
  EXPECT_THAT(read("gradproof-out/report.html"),
              AllOf(StartsWith("<!DOCTYPE"), EndsWith("</html>\n")));
  EXPECT_THAT(read("gradproof-out/junit.xml"), EndsWith("</testsuites>\n"));
  EXPECT_THAT(read("gradproof-out/report.md"),
              ContainsRegex("^# Gradproof: 29[0-9] cases judged, no disagreement\n"));
  EXPECT_THAT(read("h") + read("m") + read("x"), HasSubstr("Ascend910B"));
  EXPECT_THAT(gradproof("report --table gradproof-out").output,
              HasSubstr("legal pairs of classes"));
}

/// What a failing job's log shows first, whether the merge writes files or not.
TEST_F(CommandLine, MergesToALogThatSaysWhatIsWrong) {
  write("wrong.jsonl", case_line(R"(,"expect":{"status":161002})"));
  ASSERT_EQ(gradproof("replay wrong.jsonl --status-only --out part").code, 1);
  for (const char* files : {"", " --write html=h --write markdown=m"}) {
    const Ran merged = gradproof(std::string("report part") + files);
    EXPECT_EQ(merged.code, 1);
    EXPECT_THAT(merged.output, StartsWith("1 finding, 1 disagreement in 1 judged case\n"
                                          "finding 1 (1 case): "));
    EXPECT_THAT(merged.output, AllOf(HasSubstr("the case expects 161002"),
                                     HasSubstr("\n  call    input [1,1,1] FLOAT, weight [1,1,1]"),
                                     HasSubstr("\n  replay  gradproof replay part/findings/")));
    EXPECT_THAT(merged.output, testing::Not(HasSubstr("\"shape\"")));
    EXPECT_THAT(merged.last_line(), StartsWith("report: 1 cases: "));
  }
}

TEST_F(CommandLine, WritesReportsOfAnInterruptedRun) {
  const Ran ran = shell(interrupted("--seed 5 --quiet"));
  EXPECT_THAT(ran.output, HasSubstr("verify: "));
  const auto report = nlohmann::json::parse(read("gradproof-out/report.json"));
  EXPECT_EQ(report["interrupted"], true);
  EXPECT_EQ(report["cases"], results().size());
}

TEST_F(CommandLine, MissesLinesThatAFinishedRunWrote) {
  ASSERT_EQ(gradproof("verify --no-stored --cases 40 --seed 5").code, 0);
  const std::string lines = read("gradproof-out/results.jsonl");
  write("gradproof-out/results.jsonl", lines.substr(lines.find('\n') + 1));
  const Ran ran = gradproof("report gradproof-out");
  EXPECT_EQ(ran.code, 4) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("lines are missing; run it again"));
}

TEST_F(CommandLine, ComparesARunWithEarlierOnes) {
  for (const char* run : {"--seed 5 --out old", "--seed 6 --out new"}) {
    ASSERT_EQ(gradproof(std::string("verify --no-stored --cases 60 ") + run).code, 0);
  }
  const Ran compared = gradproof("report new --baseline old,old");
  EXPECT_EQ(compared.code, 0) << compared.output;
  EXPECT_THAT(compared.output, HasSubstr("since old: 0 new findings, 0 gone, 0 remaining"));
  EXPECT_THAT(compared.output, HasSubstr("seed differs: \"5\" before, \"6\" now"));
  ASSERT_EQ(gradproof("report new --baseline old --write json=j,markdown=m").code, 0);
  const auto report = nlohmann::json::parse(read("j"));
  EXPECT_EQ(report["baseline"]["name"], "old");
  EXPECT_EQ(report["trend"].size(), 2U);
  EXPECT_GT(report["trend"][0]["seconds"], 0);
  EXPECT_THAT(read("m"), HasSubstr("## Compared with old"));
  const Ran missing = gradproof("report new --baseline nowhere");
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.output, HasSubstr("--baseline: nowhere"));
}

TEST_F(CommandLine, ReportsOnlyWhatItCanRead) {
  ASSERT_EQ(gradproof("verify --no-stored --cases 40 --seed 5").code, 0);
  const std::string lines = read("gradproof-out/results.jsonl");
  write("cut.jsonl", lines.substr(0, lines.size() - 40));
  const Ran cut = gradproof("report cut.jsonl --write markdown=cut.md");
  EXPECT_EQ(cut.code, 0) << cut.output;
  EXPECT_THAT(cut.output, HasSubstr("cut.jsonl: is cut off within line 40"));
  EXPECT_THAT(read("cut.md"), HasSubstr("cut off within line 40"));
  write("wrong.jsonl", "{\"id\":1}\n" + lines);
  const Ran wrong = gradproof("report wrong.jsonl");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.output, HasSubstr("wrong.jsonl:1: "));
  std::string older = lines;
  older.replace(older.find("\"schema\":\"2-"), 12, "\"schema\":\"0-");
  write("older.jsonl", older);
  const Ran refused = gradproof("report older.jsonl");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.output, ContainsRegex("older.jsonl:1: schema 0-.*this program reads 2-"));
  EXPECT_EQ(gradproof("report /nowhere").code, 2);
  EXPECT_EQ(gradproof("report").code, 2);
  EXPECT_EQ(gradproof("report gradproof-out --write html=/nowhere/page.html").code, 2);
}

}  // namespace
}  // namespace gradproof::tests
