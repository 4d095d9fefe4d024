#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "properties/cases/generators/random_case.h"
#include "properties/findings/report/report.h"
#include "properties/findings/results/json_reader.h"
#include "properties/runs/faults/fault_table.h"
#include "tests/properties/report/made_up_runs.h"
#include "tests/properties/report/schema_check.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::findings {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Two faults, one of which was missed, with letters in them that mean something in HTML and in
/// Markdown.
runs::FaultTrials two_trials() {
  runs::FaultTrials trials;
  runs::Trial& found = trials.seeded.emplace_back();
  found.fault = {"stride_for_dilation", "stride", "operators/a.cpp"};
  found.found = runs::FaultFound{.seconds = 0.25,
                                 .shrink_seconds = 0.5,
                                 .signature = "disagree-value",
                                 .by = "exact_grid",
                                 .macs = 3,
                                 .non_zeros = 2,
                                 .reason = "gradInput[0]: computed 1, exact 2",
                                 .diagnosis = {"something", "stride_w is <taken> | as 1"},
                                 .repro = "gradproof replay x"};
  runs::Trial& missed = trials.seeded.emplace_back();
  missed.fault = {"the_missed_one", "tail", "cube/b.cpp"};
  missed.seconds = 1;
  trials.clean.seconds = 61;
  return trials;
}

ReportHead head_alone() {
  ReportHead head;
  head.command = "report";
  return head;
}

TEST(FaultReport, ShowsWhatWasFoundHowAndWhatWasMissed) {
  const auto table = runs::fault_report_table(runs::faults_as_json(two_trials()));
  ASSERT_TRUE(table) << table.error();
  ASSERT_EQ(table->rows.size(), 2U);
  using Cells = std::vector<std::string>;
  EXPECT_EQ(table->rows[0].cells,
            (Cells{"stride_for_dilation", "stride (operators/a.cpp)", "exact_grid", "0.25 s", "3",
                   "2", "0.50 s", "stride_w is <taken> | as 1"}));
  EXPECT_FALSE(table->rows[0].is_bad);
  EXPECT_EQ(table->rows[1].cells, (Cells{"the_missed_one", "tail (cube/b.cpp)", "not found", "", "",
                                         "", "", "not found"}));
  EXPECT_TRUE(table->rows[1].is_bad);
  EXPECT_THAT(table->notes.front(), HasSubstr("61 s: nothing disagreed"));
  EXPECT_THAT(table->lead.front(), HasSubstr("2 seeded, 1 found"));
}

TEST(FaultReport, IsRenderedAloneAndWithRuns) {
  const auto table = *runs::fault_report_table(runs::faults_as_json(two_trials()));
  const Report alone = report_of(head_alone(), {}, {}, {table});
  EXPECT_EQ(alone.health, std::nullopt);
  const std::string page = html_report(alone);
  EXPECT_THAT(page, HasSubstr("<h1>Seeded faults</h1>"));
  const json shown = embedded_in(page)["page"];
  EXPECT_FALSE(shown["has_runs"]);
  EXPECT_EQ(shown["tables"][0]["rows"][0]["cells"][7], "stride_w is <taken> | as 1");
  EXPECT_EQ(shown["tables"][0]["rows"][1]["cells"][0], "the_missed_one");
  EXPECT_TRUE(shown["tables"][0]["rows"][1]["is_bad"]);
  const std::string markdown = markdown_report(alone);
  EXPECT_THAT(markdown, HasSubstr("| stride\\_for\\_dilation | stride (operators/a.cpp) | "));
  EXPECT_THAT(markdown, HasSubstr("stride\\_w is &lt;taken> \\| as 1 |\n"));
  EXPECT_THAT(markdown, HasSubstr("| **the\\_missed\\_one** |"));
  const Report with_runs = report_of(head_alone(), summary_of(0, 50), {}, {table});
  const json with_both = embedded_in(html_report(with_runs));
  EXPECT_TRUE(with_both["page"]["has_runs"]);
  EXPECT_EQ(with_both["page"]["tables"], shown["tables"]);
  EXPECT_THAT(markdown_report(with_runs),
              HasSubstr("11 disagreements in 24 judged cases of 31 different calls"));
  EXPECT_THAT(markdown_report(with_runs), HasSubstr("## Seeded faults"));
}

TEST(FaultReport, StandsInColumnsOnATerminal) {
  const std::string text =
      text_section(*runs::fault_report_table(runs::faults_as_json(two_trials())));
  EXPECT_THAT(text, HasSubstr("fault                makes wrong               found by    "));
  EXPECT_THAT(text, HasSubstr("\nthe_missed_one       tail (cube/b.cpp)         not found "));
  EXPECT_THAT(text, HasSubstr("exact_grid  0.25 s     3          2        0.50 s"));
}

TEST(FaultReport, IsCutByRowsWhereMarkdownHasNoRoom) {
  ReportTable table = *runs::fault_report_table(runs::faults_as_json(two_trials()));
  for (int i = 0; i < 5000; ++i) table.rows.push_back(table.rows.front());
  const std::string text = markdown_report(report_of(head_alone(), {}, {}, {table}));
  EXPECT_LT(text.size(), 64'000U);
  EXPECT_THAT(text, HasSubstr("more rows are in report.html"));
  EXPECT_THAT(text, HasSubstr("nothing disagreed"));
}

TEST(FaultReport, IsWhatTheSchemaSays) {
  std::ifstream stream(GRADPROOF_SOURCES "/docs/report.schema.json");
  const SchemaCheck check(json::parse(stream));
  const auto table = *runs::fault_report_table(runs::faults_as_json(two_trials()));
  const json instance = json::parse(json_report(report_of(head_alone(), {}, {}, {table})));
  EXPECT_EQ(check(instance), "");
  EXPECT_EQ(instance["faults"]["faults"][0]["secondsToFind"], 0.25);
  json broken = instance;
  broken["faults"]["faults"][1].erase("found");
  EXPECT_NE(check(broken), "");
}

TEST(FaultReport, RefusesWhatIsNoneWithAReason) {
  for (const char* text : {"", "[]", "{}", "{\"seeded\": \"many\"}", "\xFF"}) {
    const auto table = runs::fault_report_table(text);
    ASSERT_FALSE(table) << text;
    EXPECT_THAT(table.error(), HasSubstr("not a table of seeded faults"));
  }
}

}  // namespace
}  // namespace gradproof::findings
