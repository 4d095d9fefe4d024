// "case" and "run" mean one thing each, whatever renders the report: a case has a verdict, a run is
// one of the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <utility>

#include "properties/findings/report/report.h"
#include "tests/properties/report/made_up_runs.h"

namespace gradproof::findings {
namespace {

using testing::ContainsRegex;
using testing::Not;

Report report_of_many_cases() {
  Summary summary = summary_of(0, 400);
  summary.profile_statuses["released, 0 (ACLNN_SUCCESS)"] = 3;
  auto findings = findings_for_report(summary, {});
  return report_of({.command = "verify", .target = "simulated", .profile = "documented"}, summary,
                   std::move(findings));
}

std::uint64_t sum_of(const json& counts) {
  std::uint64_t sum = 0;
  for (const auto& [name, count] : counts.items()) sum += count.get<std::uint64_t>();
  return sum;
}

TEST(OneWord, NoReportCountsVerdictsInRuns) {
  const Report report = report_of_many_cases();
  const std::string counted_in_runs = "[0-9] (judged )?runs?\\b|\\| runs \\|";
  for (const std::string& text :
       {terminal_report(report), terminal_tables(report), markdown_report(report),
        junit_report(report), headline(report), last_line("verify", report.summary, 1, 2)}) {
    EXPECT_THAT(text, Not(ContainsRegex(counted_in_runs)));
    EXPECT_THAT(text, ContainsRegex("cases"));
  }
  EXPECT_THAT(html_report(report),
              Not(ContainsRegex("(tile|column)\\(\"runs\"|\"run\", \"runs\"")));
}

TEST(OneWord, CasesOfTheDocumentAreThoseThatHaveAVerdict) {
  const json document = json::parse(json_report(report_of_many_cases()));
  EXPECT_EQ(document["cases"], 400);
  EXPECT_EQ(sum_of(document["verdicts"]), 400);
  std::uint64_t in_modes = 0, in_findings = 0;
  for (const json& mode : document["modes"]) in_modes += sum_of(mode["verdicts"]);
  for (const json& finding : document["findings"]) {
    in_findings += finding["cases"].get<std::uint64_t>();
  }
  EXPECT_EQ(in_modes, 400);
  EXPECT_EQ(in_findings, document["verdicts"]["disagree"]);
  EXPECT_LT(document["coverage"]["calls"], document["cases"]) << "a call has several cases";
  EXPECT_GT(document["coverage"]["calls"], 0);
}

}  // namespace
}  // namespace gradproof::findings
