#include "properties/league/league_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "properties/faults/child_process.h"
#include "properties/generators/random_case.h"
#include "properties/report/report.h"
#include "tests/properties/report/schema_check.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::properties {
namespace {

using testing::HasSubstr;

// The table, of a league made up: two baselines, four faults.

constexpr auto integers = static_cast<std::size_t>(Fill::SmallIntegers);
constexpr auto hundredth = static_cast<std::size_t>(Fill::ZeroToHundredth);
constexpr auto grid = static_cast<std::size_t>(Fill::ExactGrid);
constexpr auto sparse = static_cast<std::size_t>(Fill::SparseFullMantissa);

Contest contest_of(const Panel& panel, const std::string& name, bool reaches_values) {
  Contest contest;
  contest.fault = {name, "stride", "a.cpp"};
  contest.cases = 90;
  contest.reaches_values = reaches_values;
  contest.found.assign(panel.size(), std::vector<FoundAt>(fill_rows().size()));
  return contest;
}

League made_up(const Panel& panel) {
  League league{panel, {}, {}, 7, 1};
  league.course.cases = 90;
  league.course.legal_cases = 60;
  league.course.records.assign(panel.size(), std::vector<CleanRecord>(fill_rows().size()));
  for (auto& record : league.course.records[2]) record.kernel = {50, 3};
  league.course.records[2][hundredth].other_orders = {40, 1};
  league.course.records[2][hundredth].alarm = FalseAlarm{(*CaseSource::of({}))(5, 0), "fused", 5};
  Contest everybody = contest_of(panel, "everybody_s", true);
  everybody.found[0][grid] = 20;
  everybody.found[0][sparse] = 10;
  everybody.found[1][integers] = 12;
  everybody.found[2][hundredth] = 14;
  Contest ours = contest_of(panel, "ours_alone", true);
  ours.found[0][sparse] = 50;
  ours.found[1][sparse] = 4;  // benchdnn's verdict, but not its data
  Contest status = contest_of(panel, "a_status", false);
  status.found_without_data = 3;
  league.contests = {everybody, ours, status, contest_of(panel, "hidden", false)};
  return league;
}

const Panel& two_baselines() {
  static const Panel panel({baseline_named("benchdnn"), baseline_named("miopen")});
  return panel;
}

TEST(LeagueTable, CountsWhatIsEachOnesTrade) {
  const League league = made_up(two_baselines());
  const Standing ours = standing_of(league, Panel::gradproof);
  EXPECT_EQ(ours.found, 2U);
  EXPECT_EQ(ours.missed, 0U);
  EXPECT_EQ(ours.found_in_a_third, 1U) << "10 <= 90 / 3 < 50";
  EXPECT_EQ(ours.median_cases, 30);
  const Standing benchdnn = standing_of(league, 1);
  EXPECT_EQ(benchdnn.found, 1U);
  EXPECT_EQ(benchdnn.missed, 1U) << "status and hidden faults are not held against it";
  EXPECT_EQ(benchdnn.found_on_our_data, 1U);
  const Standing miopen = standing_of(league, 2);
  EXPECT_EQ(miopen.kernel.judged, 50U) << "under its own fill alone";
  EXPECT_EQ(miopen.kernel.rejected, 3U);
  EXPECT_EQ(miopen.other_orders.rejected, 1U);
  EXPECT_EQ(league_last_line(league),
            "league: 4 seeded, 2 reach values; gradproof found 2 with 0 false alarms, the best "
            "baseline 1; 1 are not for baselines to see, 1 not reached");
  EXPECT_FALSE(is_lost(league));
}

TEST(LeagueTable, IsLostByAFalseAlarmOrAFaultThatABaselineFinds) {
  League alarmed = made_up(two_baselines());
  alarmed.course.records[0][sparse].other_orders = {1, 1};
  EXPECT_TRUE(is_lost(alarmed));
  League beaten = made_up(two_baselines());
  beaten.contests[1].found[0][sparse].reset();
  EXPECT_FALSE(is_lost(beaten)) << "no other contestant found it on data of its own";
  beaten.contests[1].found[1][integers] = 80;
  EXPECT_TRUE(is_lost(beaten));
}

TEST(LeagueTable, StandsInEveryReportAsTheSchemaSays) {
  const std::string text = league_as_json(made_up(two_baselines()));
  const auto tables = league_report_tables(text);
  ASSERT_TRUE(tables) << tables.error();
  ASSERT_EQ(tables->size(), 3U);
  const ReportTable& league = tables->front();
  ASSERT_EQ(league.rows.size(), 3U);
  EXPECT_EQ(league.rows[0].cells[0], "gradproof");
  EXPECT_EQ(league.rows[1].cells[0], "benchdnn") << "as many found as miopen, no false alarms";
  EXPECT_THAT(league.rows[2].cells, testing::Contains("3 of 50"));
  EXPECT_TRUE(league.rows[2].is_bad);
  EXPECT_THAT(league.lead.front(), HasSubstr("1 show only elsewhere"));
  const ReportTable& by_fill = tables->at(1);
  EXPECT_THAT(by_fill.rows[2].cells, testing::Contains("[1 / 4]")) << "its own fills in brackets";
  const ReportTable& by_fault = tables->at(2);
  EXPECT_EQ(by_fault.rows[0].cells,
            (std::vector<std::string>{"everybody_s", "stride", "values", "10", "12", "14"}));
  EXPECT_TRUE(by_fault.rows[3].is_bad) << "not found by Gradproof";

  ReportHead head;
  head.command = "report";
  const Report report = report_of(head, {}, {}, *tables);
  EXPECT_THAT(html_report(report), HasSubstr("<h1>League of verdicts</h1>"));
  EXPECT_THAT(html_report(report), HasSubstr("Who found which fault"));
  EXPECT_THAT(markdown_report(report), HasSubstr("| **miopen** | 1 | 1 | 0 | 3 of 50 | 1 of 40 |"));
  std::ifstream stream(GRADPROOF_SOURCES "/docs/report.schema.json");
  const SchemaCheck check(nlohmann::json::parse(stream));
  nlohmann::json instance = nlohmann::json::parse(json_report(report));
  EXPECT_EQ(check(instance), "");
  EXPECT_EQ(instance["league"]["contestants"][2]["falseAlarm"]["kernel"], "fused");
  instance["league"]["contestants"][0].erase("found");
  EXPECT_NE(check(instance), "");
}

TEST(LeagueTable, RefusesWhatIsNoneWithAReason) {
  for (const char* text : {"", "[]", "{}", "{\"seeded\": \"many\"}"}) {
    const auto tables = league_report_tables(text);
    ASSERT_FALSE(tables) << text;
    EXPECT_THAT(tables.error(), HasSubstr("not a league of verdicts"));
  }
}

// `gradproof league` itself, in a folder of its own.

class LeagueCommand : public testing::Test {
 protected:
  ProcessEnd gradproof(std::vector<std::string> words) const {
    words.insert(words.begin(), GRADPROOF_PROGRAM);
    return run_process(words, {}, std::chrono::minutes(2));
  }
  ProcessEnd league(std::vector<std::string> options) const {
    options.insert(options.begin(), {"league", "--seed", "7", "--out", folder_.string()});
    return gradproof(options);
  }
  nlohmann::json table() const {
    std::ifstream stream(folder_ / "league" / "league.json");
    return nlohmann::json::parse(stream, nullptr, false);
  }

  tests::ScratchFolder folder_;
};

TEST_F(LeagueCommand, SaysWhoFindsWhatWhateverTheNumberOfWorkers) {
  const std::vector<std::string> options{
      "--fault",          "hf32_for_float,dilation_for_stride_in_w,rule_stride_01_missing",
      "--cases",          "150",
      "--only",           "benchdnn,hipdnn",
      "--time-per-fault", "60s",
      "--jobs",           "1"};
  const ProcessEnd end = league(options);
  EXPECT_EQ(end.exit_code, 0) << end.last_output;
  EXPECT_THAT(end.last_output, HasSubstr("3 seeded, 2 reach values; gradproof found 2 with 0"));
  nlohmann::json first = table();
  ASSERT_TRUE(first.is_object());
  ASSERT_EQ(first["contestants"].size(), 3U);
  const auto& hf32 = first["faults"][0]["foundAt"];
  EXPECT_TRUE(hf32.contains("gradproof"));
  EXPECT_FALSE(hf32.contains("benchdnn"));
  EXPECT_EQ(first["faults"][2]["class"], "other");
  auto parallel = options;
  parallel.back() = "3";
  EXPECT_EQ(league(parallel).exit_code, 0);
  nlohmann::json second = table();
  for (auto* json : {&first, &second}) {
    for (auto& fault : (*json)["faults"]) fault.erase("seconds");
  }
  EXPECT_EQ(first, second);

  const std::string page = (folder_ / "page.html").string();
  EXPECT_EQ(gradproof({"report", folder_.string(), "--html", page}).exit_code, 0);
  std::ifstream stream(page);
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(stream), {}),
              HasSubstr("League of verdicts"));
}

TEST_F(LeagueCommand, HoldsAFaultInThePlainLoopsAgainstThePlainLoops) {
  // No call of this course meets the fault; but cores and loops add in different orders.
  const ProcessEnd end =
      league({"--fault", "path_3x3_loses_the_last_row_at_width_7_of_8", "--cases", "600", "--only",
              "benchdnn", "--time-per-fault", "60s"});
  EXPECT_EQ(end.exit_code, 0) << end.last_output;
  EXPECT_THAT(end.last_output, HasSubstr("1 seeded, 0 reach values"));
}

TEST_F(LeagueCommand, RefusesWhatItDoesNotKnow) {
  const ProcessEnd baseline = league({"--only", "benchdnn,somebody"});
  EXPECT_EQ(baseline.exit_code, 2);
  EXPECT_THAT(baseline.last_output, HasSubstr("\"somebody\" is no baseline; there are benchdnn"));
  const ProcessEnd fault = league({"--fault", "gremlins"});
  EXPECT_EQ(fault.exit_code, 2);
  EXPECT_THAT(fault.last_output, HasSubstr("\"gremlins\" is no seeded fault"));
  EXPECT_EQ(league({"--time-per-fault", "soon"}).exit_code, 2);
}

}  // namespace
}  // namespace gradproof::properties
