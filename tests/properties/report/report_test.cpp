#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "oracle/numbers/number_format.h"
#include "properties/cases/generators/random_case.h"
#include "properties/findings/report/markup.h"
#include "properties/findings/report/report.h"
#include "properties/findings/results/exact_total.h"
#include "properties/findings/results/json_reader.h"
#include "tests/properties/report/made_up_runs.h"
#include "tests/properties/report/schema_check.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::findings {
namespace {

using corpus::Outcome;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

TEST(Markup, LeavesNothingThatMeansSomething) {
  EXPECT_EQ(escaped("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
  EXPECT_EQ(escaped("\x01 \xff \xC3\xA9"), "\\x01 \\xff \xC3\xA9");
  for (const auto in : {in_a_cell, in_code, in_code_lines}) {
    EXPECT_THAT(in("\x1b[31m"), AnyOf(HasSubstr("\\x1b"), HasSubstr("\\\\x1b")));
  }
  EXPECT_EQ(grouped(1234567),
            "1\xE2\x80\xAF"
            "234\xE2\x80\xAF"
            "567");
}

/// One output, one finding: small enough to be read here.
Report small_report() {
  Summary summary;
  summary.outcomes = {3, 1, 0, 0, 0, 0};
  summary.disagreements["disagree-value-exactness-gradInput"] = 1;
  summary.examples["disagree-value-exactness-gradInput"] = {"{}", "1 < 2 & \"so\"",
                                                            "gradproof replay x"};
  summary.disagreeing_modes["disagree-value-exactness-gradInput"] = {{"Ascend950", "FLOAT", 0}};
  summary.modes[{"Ascend950", "FLOAT", 0}] = {3, 1, 0, 0, 0, 0};
  corpus::OutputEvidence evidence;
  evidence.compared_elements = 4;
  evidence.mare = evidence.mere = evidence.rmse = 0.5;
  evidence.bound_ratio = 2, evidence.ulp_max = 8;
  evidence.ulp_histogram = {3, 0, 0, 0, 1};
  evidence.standards = {{.name = "relative error (FLOAT)", .met = false}};
  summary.tolerance[{{"Ascend950", "FLOAT", 0}, "FLOAT", corpus::OutputRole::GradInput, 5}].add(
      evidence, Outcome::Disagree);
  ReportHead head{.command = "verify",
                  .target = "simulated",
                  .profile = "documented",
                  .seeds = {5},
                  .seconds = 1.5,
                  .interrupted = false,
                  .notes = {"a|note"},
                  .runs = {{.program = "gradproof 1",
                            .command_line = "gradproof verify",
                            .host = {"here", "Linux", "x", 2},
                            .libraries = {{"/l.so", 3, "ab", "cd"}},
                            .toolkit = "",
                            .profile = "documented",
                            .seed = 5,
                            .started = "then",
                            .ended = "now"}}};
  auto findings = findings_for_report(summary, {"/nowhere"});
  return report_of(std::move(head), std::move(summary), std::move(findings));
}

TEST(MarkdownReport, ShowsTheSmallReport) {
  EXPECT_EQ(markdown_report(small_report()),
            R"(# Gradproof: 1 finding, 1 disagreement in 4 judged cases

1 disagreement in 4 judged cases of 0 different calls: 1 product, 1 kind of dtype, 0 rules both kept and broken, every element of 1 gradient.

`verify` of `simulated`, profile documented, 1.5 s

> a\|note

| verdict | cases |
|---|--:|
| agree | 3 |
| disagree | 1 |
| refused | 0 |
| not\_comparable | 0 |
| skipped | 0 |
| vacuous | 0 |

## Findings

### disagree-value-exactness-gradInput

1 case. 1 &lt; 2 & "so"


```
gradproof replay x
```

## Largest error / bound

1 is the bound; report.html has each product and mode.

| computed in | outputs | elements | gradInput | gradWeight | gradBias | max ULP |
|---|--:|--:|--:|--:|--:|--:|
| FLOAT | 1 | 4 | 2 | - | - | 8 |

## Where these results come from

- program: `gradproof 1`
- command: `gradproof verify`
- host: `here, Linux, 2 cores`
- processor: `x`
- library: `/l.so, 3 bytes, SHA-256 ab, build id cd`
- profile: `documented`
- seed: `5`
- time: `then to now`
)");
}

TEST(MarkdownReport, FitsACommentHoweverMuchThereIs) {
  Summary summary = summary_of(0, 3000);
  for (int i = 0; i < 500; ++i) {
    summary.disagreements[fmt::format("signature-{}", i)] = 1;
    summary.examples[fmt::format("signature-{}", i)] = {std::string(5000, 'x'), "why", "how"};
  }
  auto findings = findings_for_report(summary, {});
  const Report report = report_of({}, summary, std::move(findings));
  EXPECT_LT(markdown_report(report).size(), 65'536U);
  EXPECT_LT(html_report(report).size(), 4'000'000U);
}

/// Runs of every product, type and mode, all of which agree.
Report clean_report() {
  Summary summary = summary_of(0, 20'000);
  summary.disagreements.clear();
  summary.outcomes.at(to_size(Outcome::Disagree)) = 0;
  return report_of({.command = "verify", .target = "simulated", .profile = "documented"}, summary,
                   {});
}

TEST(MarkdownReport, OfACleanRunFitsAJobsSummary) {
  const std::string text = markdown_report(clean_report());
  EXPECT_LE(std::ranges::count(text, '\n'), 60) << text;
  EXPECT_THAT(text, HasSubstr("| computed in |"));
}

TEST(TerminalReport, OfACleanRunHasAFewLinesThatFitATerminal) {
  const Report report = clean_report();
  const std::string text = terminal_report(report);
  std::istringstream lines(text);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_LE(count, 10) << text;  // the folder and the last line follow
  EXPECT_GE(count, 3) << text;
  for (const char* word : {"MC/DC", "vacuous", "triples", "error / bound", "P("}) {
    EXPECT_THAT(text, Not(HasSubstr(word))) << "a word that needs the glossary";
  }
  EXPECT_EQ(text.find("error / bound (largest"), std::string::npos);
  EXPECT_THAT(terminal_tables(report), HasSubstr("error / bound (largest"));
}

TEST(ScopeSentence, ClaimsNoMoreThanWasJudged) {
  EXPECT_EQ(scope_sentence(report_of({}, {}, {})),
            "No case was judged: this report shows nothing about the target.");
  Summary skipped;
  skipped.outcomes.at(to_size(Outcome::Skipped)) = 7;
  EXPECT_THAT(scope_sentence(report_of({}, skipped, {})), HasSubstr("No case was judged"));
  EXPECT_EQ(headline(report_of({}, skipped, {})), "No case was judged");
  skipped.outcomes.at(to_size(Outcome::Agree)) = 2;
  EXPECT_THAT(scope_sentence(report_of({}, skipped, {})),
              HasSubstr("No disagreement in 2 judged cases of 0 different calls"));
}

TEST(JunitReport, ShowsTheSmallReport) {
  EXPECT_EQ(junit_report(small_report()),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="gradproof verify" time="1.500">
  <properties>
    <property name="verdict" value="1 disagreement in 4 judged cases of 0 different calls: 1 product, 1 kind of dtype, 0 rules both kept and broken, every element of 1 gradient."/>
    <property name="program" value="gradproof 1"/>
    <property name="command" value="gradproof verify"/>
    <property name="host" value="here, Linux, 2 cores"/>
    <property name="processor" value="x"/>
    <property name="library" value="/l.so, 3 bytes, SHA-256 ab, build id cd"/>
    <property name="profile" value="documented"/>
    <property name="seed" value="5"/>
    <property name="time" value="then to now"/>
  </properties>
  <testsuite name="modes" tests="1" failures="1" errors="0">
    <testcase classname="gradproof.modes" name="Ascend950 FLOAT cubeMathType 0">
      <failure message="1 case disagreed"/>
    </testcase>
  </testsuite>
  <testsuite name="findings" tests="1" failures="1" errors="0">
    <testcase classname="gradproof.findings" name="disagree-value-exactness-gradInput">
      <failure message="1 &lt; 2 &amp; &quot;so&quot;">1 &lt; 2 &amp; &quot;so&quot;
gradproof replay x
</failure>
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST(OpenMetrics, CountTheSmallReport) {
  Report report = small_report();
  report.head.parts_to_come = 7;
  EXPECT_EQ(openmetrics_report(report), R"(# TYPE gradproof_cases counter
# HELP gradproof_cases Cases by outcome.
gradproof_cases_total{outcome="agree"} 3
gradproof_cases_total{outcome="disagree"} 1
gradproof_cases_total{outcome="refused"} 0
gradproof_cases_total{outcome="not_comparable"} 0
gradproof_cases_total{outcome="skipped"} 0
gradproof_cases_total{outcome="vacuous"} 0
# TYPE gradproof_findings gauge
# HELP gradproof_findings Distinct causes of disagreements.
gradproof_findings 1
# TYPE gradproof_parts_to_come gauge
# HELP gradproof_parts_to_come Parts that have not begun or not ended.
gradproof_parts_to_come 7
# TYPE gradproof_healthy gauge
# HELP gradproof_healthy 1 where the cases prove what they seem to.
gradproof_healthy 1
# EOF
)");
}

TEST(HtmlReport, NeedsNothingFromElsewhereAndEscapesWhatItShows) {
  const std::string html = html_report(small_report());
  for (const char* foreign : {"http:", "https:", "src=", "@import", "url("}) {
    EXPECT_THAT(html, Not(HasSubstr(foreign)));
  }
  EXPECT_THAT(html, Not(HasSubstr("{{")));
  EXPECT_THAT(html, Not(HasSubstr("1 < 2")));
  EXPECT_EQ(embedded_in(html)["findings"][0]["reason"], "1 < 2 & \"so\"");
}

TEST(HtmlReport, HoldsWhatReportJsonHoldsAndWhatThePageShowsInAddition) {
  auto summary = summary_of(0, 200);
  auto findings = findings_for_report(summary, {});
  ReportHead head;
  head.command = "verify";
  head.target = "<t>";
  const Report report = report_of(head, summary, findings);
  const std::string html = html_report(report);
  json page = embedded_in(html);
  ASSERT_FALSE(report.findings.empty());
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    EXPECT_EQ(page["findings"][i]["case"], report.findings[i].case_text);
    EXPECT_EQ(page["findings"][i]["modes"].size(), report.findings[i].modes.size());
  }
  EXPECT_EQ(page["coverage"]["rules"][0]["demand"], report.rules[0].demand);
  EXPECT_EQ(page["page"]["points"].size(), report.points.size());
  EXPECT_EQ(page["page"]["pairs"].size(), page["page"]["classes"].size());
  json plain = json::parse(json_report(report));
  page.erase("page");
  for (json& rule : page["coverage"]["rules"]) {
    for (const char* shown : {"demand", "why_never_decides", "why_never_kept"}) rule.erase(shown);
  }
  for (json* of : {&page, &plain}) {
    for (json& finding : (*of)["findings"]) {
      finding.erase("case");
      finding.erase("modes");
      finding.erase("call");
      finding.erase("data");
    }
  }
  EXPECT_EQ(page, plain);
  EXPECT_THAT(html, HasSubstr("gradproof verify of &lt;t&gt; "));
}

TEST(JsonReport, IsWhatTheSchemaSays) {
  std::ifstream stream(GRADPROOF_SOURCES "/docs/report.schema.json");
  const SchemaCheck check(json::parse(stream));
  auto summary = summary_of(0, 200);
  auto findings = findings_for_report(summary, {});
  const json instance =
      json::parse(json_report(report_of({.command = "verify",
                                         .target = "t",
                                         .profile = "p",
                                         .seeds = {1},
                                         .seconds = 1,
                                         .interrupted = true,
                                         .notes = {"n"}},
                                        std::move(summary), std::move(findings))));
  EXPECT_EQ(check(instance), "");
  EXPECT_GT(instance["tolerance"].size(), 10U);
  for (const char* key : {"schema", "tolerance", "findings"}) {
    json broken = instance;
    broken.erase(key);
    EXPECT_NE(check(broken), "") << key;
  }
  json broken = instance;
  broken["tolerance"][0]["outputs"] = -1;
  EXPECT_EQ(check(broken), "$.tolerance[].outputs: minimum");
  broken = instance;
  broken["findings"][0]["more"] = 1;
  EXPECT_EQ(check(broken), "$.findings[]: does not know more");
}

}  // namespace
}  // namespace gradproof::findings
