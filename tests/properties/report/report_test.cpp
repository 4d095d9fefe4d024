#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>

#include "corpus/case_json.h"
#include "oracle/numbers/number_format.h"
#include "properties/faults/fault_table.h"
#include "properties/generators/random_case.h"
#include "properties/report/markup.h"
#include "properties/report/report.h"
#include "properties/results/exact_total.h"
#include "properties/results/json_reader.h"
#include "properties/results/merge.h"
#include "properties/results/results_line.h"
#include "properties/results/shard_record.h"
#include "tests/properties/report/schema_check.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::properties {
namespace {

namespace fs = std::filesystem;
using corpus::Outcome;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// A run of a generated case whose verdict is made up: deterministic, and of every kind.
RunRecord made_up(std::uint64_t i) {
  static const CaseSource source = *CaseSource::of({});
  std::uint64_t state = (i + 1) * 0x9E3779B97F4A7C15;
  const auto draw = [&](std::uint64_t bound) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return (state >> 33) % bound;
  };
  RunRecord record{source(11, i % 50), {}, fmt::format("gradproof replay {}", i)};
  record.first_run = draw(3) > 0;
  corpus::Verdict& verdict = record.verdict;
  verdict.outcome = static_cast<Outcome>(draw(outcome_count));
  verdict.law = "exactness";
  verdict.reason = fmt::format("reason {}", draw(3));
  if (verdict.outcome == Outcome::Disagree) {
    verdict.kind = corpus::DisagreementKind::Value;
    verdict.culprit = static_cast<corpus::OutputRole>(draw(3));
  }
  for (auto& evidence : verdict.outputs) {
    if (draw(3) == 0) continue;
    evidence.compared = true;
    evidence.compared_elements = 1 + draw(1000);
    evidence.ulp_histogram.at(draw(16)) = evidence.compared_elements;
    evidence.ulp_max = static_cast<double>(draw(500));
    evidence.bound_ratio = static_cast<double>(draw(1000)) / 997;
    evidence.mare = static_cast<double>(draw(1000)) / 7e5;
    evidence.mere = evidence.mare / 3;
    evidence.rmse = static_cast<double>(draw(1000)) * 1e-3;
    evidence.compute_format = oracle::name_of(static_cast<oracle::NumberFormat>(draw(3)));
    evidence.reduction_length = draw(100'000);
    evidence.sums_are_exact = draw(2) == 0;
    evidence.standards = {{.name = "relative error (FLOAT)", .met = draw(2) == 0}};
  }
  return record;
}

const LineHeading plain_heading{"simulated", "documented", 7};

std::string lines_of(std::uint64_t begin, std::uint64_t end, const LineHeading& heading) {
  std::string text;
  for (std::uint64_t i = begin; i < end; ++i) {
    text += results_line(made_up(i), heading, i) + '\n';
  }
  return text;
}

Summary summary_of(std::uint64_t begin, std::uint64_t end) {
  Summary summary;
  for (std::uint64_t i = begin; i < end; ++i) summary.add(made_up(i));
  return summary;
}

RC_GTEST_PROP(ExactTotal, DoesNotCareForOrderOrGrouping, ()) {
  auto values = *rc::gen::container<std::vector<double>>(
      rc::gen::map(rc::gen::pair(rc::gen::inRange(1, 1 << 30), rc::gen::inRange(-1074, 900)),
                   [](const auto& parts) { return std::ldexp(parts.first, parts.second); }));
  ExactTotal forward, backward, left, right;
  for (const double value : values) forward.add(value);
  const std::size_t half = values.size() / 2;
  for (std::size_t i = 0; i < values.size(); ++i) (i < half ? left : right).add(values[i]);
  std::ranges::reverse(values);
  for (const double value : values) backward.add(value);
  right.merge(left);
  RC_ASSERT(forward == backward);
  RC_ASSERT(forward == right);
}

TEST(ExactTotal, KeepsWhatDoublesDrop) {
  ExactTotal total;
  total.add(0x1p100);
  for (int i = 0; i < 4; ++i) total.add(0x1p-1074);
  ExactTotal large;
  large.add(0x1p100);
  EXPECT_NE(total, large);
  EXPECT_EQ(large.mean(2), 0x1p99);
  ExactTotal small;
  for (int i = 0; i < 1000; ++i) small.add(0.1);
  EXPECT_DOUBLE_EQ(small.mean(1000), 0.1);
  small.add(std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isinf(small.mean(1001)));
  ExactTotal most;
  for (int i = 0; i < 8; ++i) most.add(std::numeric_limits<double>::max());
  EXPECT_EQ(most.mean(8), std::numeric_limits<double>::max());
}

TEST(ExactTotal, IsRoundedOnceWhateverLongDoubleIs) {
  ExactTotal tie;
  for (const double part : {1.0, 0x1p-53}) tie.add(part);
  EXPECT_EQ(tie.mean(1), 1.0);
  tie.add(0x1p-70);  // beyond the 64 bits of an x87's significand
  EXPECT_EQ(tie.mean(1), 1 + 0x1p-52);
  for (const double value : {1.0, 0.1, 1e300, 3e-300, 5e-324}) {
    ExactTotal one;
    one.add(value);
    for (const std::uint64_t count : {1U, 3U, 10U, 4'000'000'007U}) {
      if (value / static_cast<double>(count) < 0x1p-1000) continue;
      EXPECT_EQ(one.mean(count), value / static_cast<double>(count)) << value << " / " << count;
    }
  }
}

TEST(LengthBucket, BeginsAtTheFourthsOfDecades) {
  EXPECT_EQ(length_bucket(0), 0);
  EXPECT_EQ(length_bucket(1), 0);
  EXPECT_EQ(length_bucket(2), 1);
  EXPECT_EQ(length_bucket(9), 3);
  for (int decade = 1, edge = 10; decade < 9; ++decade, edge *= 10) {
    EXPECT_EQ(length_bucket(static_cast<std::uint64_t>(edge)), 4 * decade);
    EXPECT_EQ(length_bucket(static_cast<std::uint64_t>(edge) - 1), 4 * decade - 1);
  }
}

TEST(RatioHistogram, HasQuantilesWithinNinePercent) {
  RatioHistogram histogram;
  for (int i = 1; i <= 1000; ++i) histogram.add(i * 1e-3);
  for (int i = 0; i < 5000; ++i) histogram.add(0);
  for (const double q : {0.01, 0.25, 0.5, 0.99}) {
    EXPECT_GE(histogram.quantile(q), q);
    EXPECT_LE(histogram.quantile(q), 1.1 * q);
  }
  RatioHistogram infinite;
  infinite.add(std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isinf(infinite.quantile(0.5)));
  EXPECT_EQ(RatioHistogram{}.quantile(0.5), 0);
}

TEST(Tolerance, AddsUpWhatTheRowsSay) {
  corpus::OutputEvidence one, two;
  one.compared_elements = 3;
  one.mere = 0.5, one.mare = 1, one.rmse = 2, one.bound_ratio = 0.25, one.ulp_max = 4;
  one.ulp_histogram = {1, 0, 1, 1};
  one.sums_are_exact = true;
  two.compared_elements = 1;
  two.mere = 0.1, two.mare = 0.1, two.rmse = 4, two.bound_ratio = 0.75;
  two.ulp_histogram = {1};
  two.sums_are_exact = true;
  Tolerance sum;
  sum.add(one, Outcome::Agree);
  sum.add(two, Outcome::Disagree);
  EXPECT_DOUBLE_EQ(sum.mere(), (3 * 0.5 + 0.1) / 4);
  EXPECT_DOUBLE_EQ(sum.rmse(), std::sqrt((3 * 4.0 + 16.0) / 4));
  EXPECT_EQ(sum.mare, 1);
  EXPECT_EQ(sum.worst_ratio, 0.75);
  EXPECT_EQ(sum.exact_outputs, 2U);
  EXPECT_EQ(sum.exact_equal, 1U);
  EXPECT_EQ(sum.ulp_quantile(0.5), 0);
  EXPECT_EQ(sum.ulp_quantile(0.75), 2);
  EXPECT_EQ(sum.ulp_quantile(1), 4);
  EXPECT_EQ(sum.outcomes, (std::array<std::uint64_t, 6>{1, 1, 0, 0, 0, 0}));
}

TEST(MergedResults, AreTheSummaryOfTheRunThatWroteThem) {
  const tests::ScratchFolder folder;
  const auto merged = merge_results({folder.write("a", lines_of(0, 300, plain_heading))});
  ASSERT_TRUE(merged) << merged.error();
  EXPECT_EQ(merged->summary, summary_of(0, 300));
  EXPECT_EQ(merged->seeds, std::set<std::uint64_t>{7});
  EXPECT_TRUE(merged->cuts.empty());
}

TEST(MergedResults, CountALineOnceInWhateverFileAndOrder) {
  const tests::ScratchFolder folder;
  const auto a = folder.write("a", lines_of(0, 100, plain_heading));
  const auto b = folder.write("b", lines_of(60, 200, plain_heading));
  const auto twice =
      folder.write("twice", lines_of(0, 60, plain_heading) + lines_of(0, 60, plain_heading));
  const Summary whole = summary_of(0, 200);
  for (const auto& files : std::vector<std::vector<fs::path>>{
           {a, b}, {b, a}, {a, a, b}, {b, twice, a, b}, {twice, b}}) {
    const auto merged = merge_results(files);
    ASSERT_TRUE(merged) << merged.error();
    EXPECT_EQ(merged->summary, whole);
  }
  EXPECT_NE(merge_results({a})->summary, whole);
}

TEST(MergedResults, ReachUpToACutAndReportIt) {
  const tests::ScratchFolder folder;
  const std::string lines = lines_of(0, 20, plain_heading);
  const std::size_t last = lines.rfind('\n', lines.size() - 2) + 1;
  for (const std::size_t left : {last + 1, last + 30, lines.size() - 2}) {
    const auto merged = merge_results({folder.write("cut", lines.substr(0, left))});
    ASSERT_TRUE(merged) << merged.error();
    EXPECT_EQ(merged->summary, summary_of(0, 19));
    ASSERT_EQ(merged->cuts.size(), 1U);
    EXPECT_THAT(merged->cuts[0], HasSubstr("cut: is cut off within line 20; the 19 lines"));
  }
  const auto whole = merge_results({folder.write("whole", lines.substr(0, lines.size() - 1))});
  EXPECT_EQ(whole->summary, summary_of(0, 20)) << "only the line end is missing";
}

TEST(MergedResults, NameAMissingShard) {
  const tests::ScratchFolder folder;
  LineHeading heading = plain_heading;
  heading.shard_count = 3;
  std::vector<fs::path> files;
  for (const std::uint64_t index : {1, 3}) {
    heading.shard_index = index;
    files.push_back(
        folder.write(fmt::format("{}", index), lines_of(10 * index, 10 * index + 5, heading)));
  }
  const auto merged = merge_results(files);
  ASSERT_TRUE(merged) << merged.error();
  EXPECT_THAT(merged->missing_shards,
              testing::Contains("shard 2/3 of the run of seed 7 on simulated is missing"));
  heading.shard_index = 2;
  files.push_back(folder.write("2", lines_of(20, 25, heading)));
  const std::string unknown = "no shards.jsonl next to them";
  EXPECT_THAT(merge_results(files)->missing_shards,
              testing::AllOf(testing::SizeIs(3), testing::Each(HasSubstr(unknown))));
  std::string records;
  for (const std::uint64_t index : {2, 1, 3, 1}) {
    const DealtWork work{"verify", "any", heading.target, "documented", heading.seed, 3};
    records += shard_record_line({work, index, 5}) + '\n';
  }
  folder.write("shards.jsonl", records);
  EXPECT_THAT(merge_results(files)->missing_shards, testing::IsEmpty());
  folder.write("shards.jsonl", "{\"shard\":[4,3]}\n");
  EXPECT_THAT(merge_results(files).error(), HasSubstr("shards.jsonl:1: "));
}

TEST(MergedResults, RefuseOtherSchemasWithBothVersions) {
  const tests::ScratchFolder folder;
  std::string lines = lines_of(0, 3, plain_heading);
  const std::string own = "\"schema\":\"" + results_schema() + '"';
  lines.replace(lines.find(own), own.size(), "\"schema\":\"99-abc\"");
  const auto merged = merge_results({folder.write("newer", lines)});
  ASSERT_FALSE(merged);
  EXPECT_THAT(merged.error(),
              HasSubstr("newer:1: schema 99-abc, but this program reads " + results_schema()));
  const auto older = merge_results({folder.write(
      "older", R"({"id":"a","law":"status","verdict":"agree","outputs":{},"repro":""})"
               "\n")});
  ASSERT_FALSE(older);
  EXPECT_THAT(older.error(), HasSubstr("older:1: schema none, but"));
}

TEST(MergedResults, NameTheLineThatIsNone) {
  const tests::ScratchFolder folder;
  const std::string line = results_line(made_up(1), plain_heading, 1);
  EXPECT_THAT(merge_results({folder.path() / "absent"}).error(),
              HasSubstr("absent: cannot be read: No such file"));
  for (const std::string& wrong :
       {std::string("no json"), line + "}", line.substr(0, line.size() - 1), std::string("{}"),
        std::string("[]"), std::string(100'000, '['),
        std::string("{\"x\":") + std::string(1000, '[')}) {
    const auto merged =
        merge_results({folder.write("wrong", fmt::format("{0}\n{1}\n{0}", line, wrong))});
    ASSERT_FALSE(merged) << wrong.substr(0, 80);
    EXPECT_THAT(merged.error(), HasSubstr("wrong:2: "));
  }
}

/// A reader of untrusted files must end with an error message, whatever it reads.
TEST(MergedResults, SurviveDamageOfEveryByte) {
  const std::string line = results_line(made_up(2), plain_heading, 1);
  for (std::size_t at = 0; at < line.size(); ++at) {
    for (const char damage : {'"', '\\', '{', ']', '9', '\0', '\xff'}) {
      std::string text = line;
      text[at] = damage;
      const auto read = parse_results_line(text);
      EXPECT_TRUE(read || !read.error().empty());
    }
    EXPECT_FALSE(parse_results_line(std::string_view(line).substr(0, at)));
  }
}

TEST(JsonReader, AgreesWithALibraryOnTexts) {
  for (const std::string text :
       {"plain", "quote \" slash \\ / tab \t line \n \x01", "\xC3\xA9\xF0\x9F\x98\x80"}) {
    for (const bool is_ascii : {false, true}) {
      const std::string written = json(text).dump(-1, ' ', is_ascii);
      EXPECT_EQ(JsonReader(written).text(), text) << written;
    }
  }
}

TEST(Markup, LeavesNothingThatMeansSomething) {
  EXPECT_EQ(escaped("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
  EXPECT_EQ(escaped("\x01 \xff \xC3\xA9"), "\xEF\xBF\xBD \xEF\xBF\xBD \xC3\xA9");
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
                  .notes = {"a|note"}};
  auto findings = findings_for_report(summary, {"/nowhere"});
  return report_of(std::move(head), std::move(summary), std::move(findings));
}

TEST(MarkdownReport, ShowsTheSmallReport) {
  EXPECT_EQ(markdown_report(small_report()),
            R"(# Gradproof: 4 runs, 1 findings

`verify` of `simulated`, profile documented, 1.5 s

> a\|note

| verdict | runs |
|---|--:|
| agree | 3 |
| disagree | 1 |
| refused | 0 |
| not\_comparable | 0 |
| skipped | 0 |
| vacuous | 0 |

## Findings

### disagree-value-exactness-gradInput

1 runs. 1 \< 2 & "so"


```
gradproof replay x
```
```
{}
```

## Tolerance by precision mode

| SoC | dtype | cube | computed in | gradient | outputs | elements | worst e/bound | typical | max ULP | p99 ULP | MARE | MERE | RMSE | exact grid equal | standards met |
|---|---|--:|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|
| Ascend950 | FLOAT | 0 | FLOAT | gradInput | 1 | 4 | 2 | 2 | 8 | 8 | 0.5 | 0.5 | 0.5 | 0/0 | relative error (FLOAT): 0/1 |
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

TEST(JunitReport, ShowsTheSmallReport) {
  EXPECT_EQ(junit_report(small_report()),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="gradproof verify" time="1.500">
  <testsuite name="modes" tests="1" failures="1" errors="0">
    <testcase classname="gradproof.modes" name="Ascend950 FLOAT cubeMathType 0">
      <failure message="1 runs disagree"/>
    </testcase>
  </testsuite>
  <testsuite name="findings" tests="1" failures="1" errors="0">
    <testcase classname="gradproof.findings" name="disagree-value-exactness-gradInput">
      <failure message="1 &lt; 2 &amp; &quot;so&quot;">1 &lt; 2 &amp; &quot;so&quot;
gradproof replay x
{}</failure>
    </testcase>
  </testsuite>
</testsuites>
)");
}

/// The JSON that the page is drawn from.
json embedded_in(const std::string& html) {
  const std::string before = "<script type=\"application/json\" id=\"report\">";
  const std::size_t begin = html.find(before) + before.size();
  return json::parse(html.substr(begin, html.find("</script>", begin) - begin));
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

/// Two faults, one of which was missed, with letters in them that mean something in HTML and in
/// Markdown.
FaultTrials two_trials() {
  FaultTrials trials;
  Trial& found = trials.planted.emplace_back();
  found.fault = {"stride_for_dilation", "stride", "operators/a.cpp"};
  found.found = FaultFound{.seconds = 0.25,
                           .shrink_seconds = 0.5,
                           .signature = "disagree-value",
                           .by = "exact_grid",
                           .macs = 3,
                           .non_zeros = 2,
                           .reason = "gradInput[0]: computed 1, exact 2",
                           .diagnosis = {"something", "stride_w is <taken> | as 1"},
                           .repro = "gradproof replay x"};
  Trial& missed = trials.planted.emplace_back();
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
  const auto table = fault_report_table(faults_as_json(two_trials()));
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
  EXPECT_THAT(table->lead.front(), HasSubstr("2 planted, 1 found"));
}

TEST(FaultReport, IsRenderedAloneAndWithRuns) {
  const auto table = *fault_report_table(faults_as_json(two_trials()));
  const Report alone = report_of(head_alone(), {}, {}, {table});
  EXPECT_EQ(alone.health, std::nullopt);
  const std::string page = html_report(alone);
  EXPECT_THAT(page, HasSubstr("<h1>Planted faults</h1>"));
  const json shown = embedded_in(page)["page"];
  EXPECT_FALSE(shown["has_runs"]);
  EXPECT_EQ(shown["tables"][0]["rows"][0]["cells"][7], "stride_w is <taken> | as 1");
  EXPECT_EQ(shown["tables"][0]["rows"][1]["cells"][0], "the_missed_one");
  EXPECT_TRUE(shown["tables"][0]["rows"][1]["is_bad"]);
  const std::string markdown = markdown_report(alone);
  EXPECT_THAT(markdown, HasSubstr("| stride\\_for\\_dilation | stride (operators/a.cpp) | "));
  EXPECT_THAT(markdown, HasSubstr("stride\\_w is \\<taken> \\| as 1 |\n"));
  EXPECT_THAT(markdown, HasSubstr("| **the\\_missed\\_one** |"));
  const Report with_runs = report_of(head_alone(), summary_of(0, 50), {}, {table});
  const json with_both = embedded_in(html_report(with_runs));
  EXPECT_TRUE(with_both["page"]["has_runs"]);
  EXPECT_EQ(with_both["page"]["tables"], shown["tables"]);
  EXPECT_THAT(markdown_report(with_runs), HasSubstr("# Gradproof: 50 runs"));
  EXPECT_THAT(markdown_report(with_runs), HasSubstr("## Planted faults"));
}

TEST(FaultReport, StandsInColumnsOnATerminal) {
  const std::string text = text_section(*fault_report_table(faults_as_json(two_trials())));
  EXPECT_THAT(text, HasSubstr("fault                makes wrong               found by    "));
  EXPECT_THAT(text, HasSubstr("\nthe_missed_one       tail (cube/b.cpp)         not found "));
  EXPECT_THAT(text, HasSubstr("exact_grid  0.25 s     3          2        0.50 s"));
}

TEST(FaultReport, IsCutByRowsWhereMarkdownHasNoRoom) {
  ReportTable table = *fault_report_table(faults_as_json(two_trials()));
  for (int i = 0; i < 5000; ++i) table.rows.push_back(table.rows.front());
  const std::string text = markdown_report(report_of(head_alone(), {}, {}, {table}));
  EXPECT_LT(text.size(), 64'000U);
  EXPECT_THAT(text, HasSubstr("more rows are in report.html"));
  EXPECT_THAT(text, HasSubstr("nothing disagreed"));
}

TEST(FaultReport, IsWhatTheSchemaSays) {
  std::ifstream stream(GRADPROOF_SOURCES "/docs/report.schema.json");
  const SchemaCheck check(json::parse(stream));
  const auto table = *fault_report_table(faults_as_json(two_trials()));
  const json instance = json::parse(json_report(report_of(head_alone(), {}, {}, {table})));
  EXPECT_EQ(check(instance), "");
  EXPECT_EQ(instance["faults"]["faults"][0]["secondsToFind"], 0.25);
  json broken = instance;
  broken["faults"]["faults"][1].erase("found");
  EXPECT_NE(check(broken), "");
}

TEST(FaultReport, RefusesWhatIsNoneWithAReason) {
  for (const char* text : {"", "[]", "{}", "{\"planted\": \"many\"}", "\xFF"}) {
    const auto table = fault_report_table(text);
    ASSERT_FALSE(table) << text;
    EXPECT_THAT(table.error(), HasSubstr("not a table of planted faults"));
  }
}

}  // namespace
}  // namespace gradproof::properties
