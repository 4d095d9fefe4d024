#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "properties/findings/results/results_line.h"
#include "properties/findings/results/results_line_reader.h"
#include "properties/runs/campaign/ledger.h"
#include "tests/properties/campaign/drawn_record.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::runs {
namespace {

using testing::HasSubstr;

TEST(ResultsLine, IsJsonWithTheContractsKeys) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    findings::RunRecord record = drawn_record(i);
    record.verdict.outputs[0].mare = std::numeric_limits<double>::infinity();
    record.verdict.outputs[0].compared = true;
    record.verdict.reason = "quotes \" and \\ and \x01 and \xff";
    record.repro = "gradproof replay x.jsonl";
    const auto json = nlohmann::json::parse(
        findings::results_line(record, {"simulated", "documented"}, 0), nullptr, false);
    ASSERT_FALSE(json.is_discarded());
    for (const char* key : {"id", "target", "profile", "law", "verdict", "admitted", "rules",
                            "outputs", "milliseconds", "repro"}) {
      EXPECT_TRUE(json.contains(key)) << key;
    }
    EXPECT_EQ(json["profile"], "documented");
    EXPECT_TRUE(json["outputs"]["gradInput"]["mare"].is_null());
    const bool disagrees = record.verdict.outcome == Outcome::Disagree;
    EXPECT_EQ(json.contains("case"), disagrees);
    EXPECT_EQ(json.contains("kind"), disagrees);
  }
}

/// A resumed run counts its earlier lines as if they had just been judged.
TEST(ResultsLine, ComesBackAsTheVerdictThatASummaryCounts) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    findings::RunRecord record = drawn_record(i);
    record.verdict.law = "exactness";
    if (record.verdict.outcome == Outcome::Disagree) {
      record.test_case = (*cases::CaseSource::of({}))(3, i);
      record.verdict.culprit = corpus::OutputRole::GradWeight;
    }
    const auto line =
        findings::parse_results_line(findings::results_line(record, {"fake", "documented"}, 0));
    ASSERT_TRUE(line) << line.error();
    EXPECT_EQ(line->id, record.test_case.id);
    EXPECT_EQ(line->verdict.signature(), record.verdict.signature());
    findings::RunRecord restored{record.test_case, line->verdict, line->repro};
    findings::Summary once, again, read;
    once.add(record);
    again.add(restored);
    read.add(*line);
    // An agreement's reason is not written and not counted.
    EXPECT_EQ(once, again) << i;
    EXPECT_EQ(once, read) << i;
  }
  EXPECT_FALSE(findings::parse_results_line("{"));
  EXPECT_FALSE(findings::parse_results_line("{}"));
}

TEST(Ledger, EntersBlocksInTheirOrderWhicheverComesFirst) {
  const tests::ScratchFolder folder;
  auto results = findings::ResultsFile::open(folder.path());
  ASSERT_TRUE(results);
  Ledger ledger(*results, {"fake", "documented"}, std::nullopt);
  EXPECT_TRUE(ledger.enter(2, {drawn_record(4)}).empty());
  EXPECT_TRUE(ledger.enter(1, {drawn_record(2), drawn_record(3)}).empty());
  EXPECT_EQ(ledger.summary().cases(), 0U);
  ledger.enter(0, {drawn_record(0), drawn_record(1)});
  EXPECT_EQ(ledger.summary(), summary_of(0, 5));
  std::istringstream lines(text_of(results->path()));
  std::string line;
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(nlohmann::json::parse(line)["id"], std::to_string(i));
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(Ledger, ClosesAtItsLimitAndNamesEachSignatureOnce) {
  const tests::ScratchFolder folder;
  auto results = findings::ResultsFile::open(folder.path());
  ASSERT_TRUE(results);
  Ledger ledger(*results, {"fake", "documented"}, 30);
  std::vector<findings::RunRecord> records;
  for (std::uint64_t i = 0; i < 50; ++i) records.push_back(drawn_record(i));
  std::set<std::string> seen;
  for (const findings::RunRecord& record : ledger.enter(0, records)) {
    EXPECT_TRUE(seen.insert(record.verdict.signature()).second);
  }
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_TRUE(ledger.is_closed());
  EXPECT_EQ(ledger.summary(), summary_of(0, 30));
}

TEST(Ledger, EntersWhatWaitsWhenABlockNeverComes) {
  const tests::ScratchFolder folder;
  auto results = findings::ResultsFile::open(folder.path());
  ASSERT_TRUE(results);
  Ledger ledger(*results, {"fake", "documented"}, std::nullopt);
  ledger.enter(3, {drawn_record(3)});
  EXPECT_EQ(ledger.summary().cases(), 0U);
  ledger.finish();
  EXPECT_EQ(ledger.summary().cases(), 1U);
}

TEST(ResultsFile, SaysWhatCannotBeWritten) {
  const auto under_a_file = findings::ResultsFile::open("/etc/passwd/out");
  ASSERT_FALSE(under_a_file);
  EXPECT_THAT(under_a_file.error(), HasSubstr("/etc/passwd/out"));
  const auto nowhere = findings::ResultsFile::open("/proc/gradproof-out");
  ASSERT_FALSE(nowhere);
  const tests::ScratchFolder folder;
  fs::create_symlink("/dev/full", folder.path() / "results.jsonl");
  auto full = findings::ResultsFile::open(folder.path());
  ASSERT_TRUE(full);
  EXPECT_THAT(full->append("{}\n").value_or(""), HasSubstr("No space left"));
}

}  // namespace
}  // namespace gradproof::runs
