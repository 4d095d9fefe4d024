#include "properties/findings/report/report.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <limits>
#include <utility>

#include "tests/properties/report/made_up_runs.h"
#include "tests/properties/report/schema_check.h"

namespace gradproof::findings {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const Mode half{"Ascend950", "FLOAT16", 1};

ReportFinding finding_of(const std::string& signature, std::uint64_t cases,
                         const std::vector<std::string>& others = {}) {
  ReportFinding made;
  made.signature = signature;
  made.reason = "reason of " + signature;
  made.case_text = "{}";
  made.cases = cases;
  for (const std::string& other : others) made.others.push_back({other, "", "", 1});
  return made;
}

Report report_with(std::vector<ReportFinding> findings) {
  Report report;
  report.head = {.command = "report", .target = "t", .profile = "documented", .seeds = {1}};
  report.findings = std::move(findings);
  return report;
}

Report report_with_row(double worst, double typical, std::uint64_t outputs) {
  Report report = report_with({});
  ReportRow row;
  row.key = {half, "FLOAT16", corpus::OutputRole::GradWeight, 0};
  row.worst_ratio = worst;
  row.typical_ratio = typical;
  row.outputs = outputs;
  report.rows.push_back(row);
  return report;
}

CallTimes times_of(double seconds, int calls) {
  CallTimes times;
  for (int i = 0; i < calls; ++i) times[half].add(seconds);
  return times;
}

Comparison comparison_of(const Report& now, const Report& before) {
  return compared(now, {}, "earlier", before, {});
}

std::vector<std::string> names(const std::vector<FindingChange>& changes) {
  std::vector<std::string> all;
  for (const FindingChange& change : changes) all.push_back(change.signature);
  return all;
}

TEST(Comparison, TellsNewGoneAndRemainingFindingsByWhatTheyShare) {
  const Report before = report_with({finding_of("a", 5, {"b", "c"}), finding_of("lost", 7)});
  const Report now = report_with({finding_of("c", 9), finding_of("fresh", 2)});
  const Comparison comparison = comparison_of(now, before);
  EXPECT_THAT(names(comparison.appeared), ElementsAre("fresh"));
  EXPECT_THAT(names(comparison.gone), ElementsAre("lost"));
  ASSERT_THAT(names(comparison.remaining), ElementsAre("c"));
  EXPECT_EQ(comparison.remaining[0].cases_before, 5U);
  EXPECT_EQ(comparison.remaining[0].cases_now, 9U);
  EXPECT_EQ(comparison_sentence(comparison),
            "1 new finding, 1 gone, 1 remaining; 0 modes slower; 0 rows nearer to the bound");
}

TEST(Comparison, CountsErrorsThatHaveGrownByAFourth) {
  const auto rows = [](double before, double now, std::uint64_t outputs = 30) {
    return comparison_of(report_with_row(0.9, now, outputs), report_with_row(0.8, before, outputs))
        .nearer.size();
  };
  EXPECT_EQ(rows(0.4, 0.5), 1U);
  EXPECT_EQ(rows(0.4, 0.49), 0U);
  EXPECT_EQ(rows(0.4, 0.5, 29), 0U) << "too few to say";
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(rows(infinite, infinite), 0U);
  EXPECT_EQ(rows(0.4, infinite), 1U);
}

TEST(Comparison, CountsAnErrorThatPassesTheBoundHoweverFewOutputsThereAre) {
  const auto passes = [](double before, double now) {
    return !comparison_of(report_with_row(now, 0, 1), report_with_row(before, 0, 1)).nearer.empty();
  };
  EXPECT_TRUE(passes(1, 1.01));
  EXPECT_FALSE(passes(0.5, 1));
  EXPECT_FALSE(passes(1.01, 2)) << "it was beyond before";
}

TEST(Comparison, CountsModesWhoseMedianCallTakesAFourthLonger) {
  const auto slower = [](double before, double now, int calls) {
    return compared(report_with({}), times_of(now, calls), "earlier", report_with({}),
                    times_of(before, calls))
        .slower;
  };
  ASSERT_THAT(slower(0.010, 0.020, 100), SizeIs(1));
  EXPECT_EQ(slower(0.010, 0.020, 100)[0].mode, half);
  EXPECT_THAT(slower(0.010, 0.020, 99), IsEmpty());
  EXPECT_THAT(slower(0.010, 0.011, 100), IsEmpty());
  EXPECT_THAT(slower(0.020, 0.010, 100), IsEmpty());
}

TEST(Comparison, SaysWhatElseDiffers) {
  Report before = report_with({}), now = report_with({});
  EXPECT_THAT(comparison_of(now, before).notes, IsEmpty());
  now.head.seeds = {2};
  now.head.profile = "released";
  EXPECT_THAT(comparison_of(now, before).notes,
              ElementsAre("profile differs: \"documented\" before, \"released\" now",
                          "seed differs: \"1\" before, \"2\" now"));
}

TEST(Trend, HasTheFiguresOfARun) {
  Report report = report_with_row(0.7, 0.2, 5);
  report.summary.outcomes = {4, 2, 1, 0, 0, 0};
  report.findings = {finding_of("a", 2)};
  report.head.runs = {{.program = "",
                       .command_line = "",
                       .host = {},
                       .libraries = {},
                       .toolkit = "",
                       .profile = "",
                       .started = "2026-02-02",
                       .ended = ""},
                      {.program = "",
                       .command_line = "",
                       .host = {},
                       .libraries = {},
                       .toolkit = "",
                       .profile = "",
                       .started = "2026-01-01",
                       .ended = ""}};
  const TrendPoint point = trend_point("folder", report, times_of(0.01, 3));
  EXPECT_EQ(point.started, "2026-01-01");
  EXPECT_EQ(point.cases, 7U);
  EXPECT_EQ(point.judged, 6U);
  EXPECT_EQ(point.disagreements, 2U);
  EXPECT_EQ(point.findings, 1U);
  EXPECT_THAT(point.worst, ElementsAre(-1, 0.7, -1));
  EXPECT_NEAR(point.seconds, 0.01, 0.001);
}

/// Hundreds of changes, a hostile name, and all that may be absent present.
Report compared_report() {
  std::vector<ReportFinding> many;
  for (int i = 0; i < 300; ++i) many.push_back(finding_of(fmt::format("<b>|{}", i), 1));
  Report report = report_of({.command = "report", .target = "t", .profile = "p"},
                            summary_of(0, 200), std::move(many));
  const Report before = report_with_row(0.5, 0.1, 50);
  report.rows = report_with_row(2, 0.4, 50).rows;
  report.baseline = compared(report, times_of(0.02, 100), "<script>", before, times_of(0.01, 100));
  report.trend = {trend_point("<script>", before, {}), trend_point("now", report, {})};
  return report;
}

TEST(ComparisonText, IsShortAndHarmless) {
  const std::string text = comparison_markdown(compared_report());
  EXPECT_LE(std::ranges::count(text, '\n'), 40);
  EXPECT_THAT(text, HasSubstr("300 new findings, 0 gone"));
  EXPECT_THAT(text, HasSubstr("and 295 more"));
  EXPECT_THAT(text, HasSubstr("median call "));
  EXPECT_THAT(text, HasSubstr("worst 0.5 -> 2, typical 0.1 -> 0.4"));
  EXPECT_THAT(text, HasSubstr("## Compared with &lt;script>"));
  EXPECT_THAT(text, HasSubstr("| &lt;script> | -"));
  EXPECT_THAT(text, HasSubstr("new: &lt;b>\\|0 (0 cases before, 1 now)"));
  EXPECT_EQ(comparison_markdown(report_with({})), "");
  EXPECT_EQ(comparison_lines(report_with({})), "");
}

TEST(ComparisonJson, IsWhatTheSchemaSays) {
  std::ifstream stream(GRADPROOF_SOURCES "/docs/report.schema.json");
  const SchemaCheck check(json::parse(stream));
  const json instance = json::parse(json_report(compared_report()));
  EXPECT_EQ(check(instance), "");
  EXPECT_EQ(instance["baseline"]["new"].size(), 300U);
  EXPECT_EQ(instance["baseline"]["slower"].size(), 1U);
  EXPECT_EQ(instance["trend"][0]["worst"]["gradWeight"], 0.5);
  json broken = instance;
  broken["baseline"]["slower"][0]["seconds_now"] = "x";
  EXPECT_NE(check(broken), "");
}

// ---- Laws

TEST(LawLines, CountEachLawAndBeginWithTheBrokenOnes) {
  Summary summary;
  RunRecord record = made_up(0);
  for (const auto& [law, outcome] : {std::pair("adjoint", Outcome::Agree),
                                     {"scaling", Outcome::Disagree},
                                     {"exactness", Outcome::Agree},
                                     {"exactness", Outcome::Vacuous}}) {
    record.verdict.law = law;
    record.verdict.outcome = outcome;
    summary.add(record);
  }
  const Report report =
      report_of({.command = "verify", .target = "t", .profile = "p"}, summary, {});
  ASSERT_GT(report.laws.size(), 20U) << "laws that were never asked are there too";
  EXPECT_EQ(report.laws[0].name, "scaling");
  EXPECT_EQ(report.laws[1].name, "exactness");
  EXPECT_THAT(report.laws[1].outcomes, ElementsAre(1, 0, 0, 0, 0, 1));
  EXPECT_EQ(report.laws[2].name, "adjoint");
  EXPECT_THAT(report.laws[3].outcomes, testing::Each(0U));
  for (const LawLine& law : report.laws) EXPECT_THAT(law.words, Not(IsEmpty())) << law.name;
  Summary twice = summary;
  twice.merge(summary);
  EXPECT_EQ(twice.laws["exactness"][0], 2U);
}

}  // namespace
}  // namespace gradproof::findings
