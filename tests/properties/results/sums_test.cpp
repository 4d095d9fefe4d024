// Runs that agree, counted together instead of a line each.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "properties/findings/results/merge.h"
#include "properties/findings/results/sums_line.h"
#include "properties/runs/campaign/ledger.h"
#include "tests/properties/report/made_up_runs.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::findings {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

bool disagrees(const RunRecord& record) { return record.verdict.outcome == Outcome::Disagree; }

/// The runs [begin, end) that do not disagree.
SumsLine sums_of(std::uint64_t begin, std::uint64_t end) {
  SumsLine sums{plain_heading, begin, {}, {}};
  for (std::uint64_t i = begin; i < end; ++i) {
    const RunRecord record = made_up(i);
    if (disagrees(record)) continue;
    sums.summary.add(record);
    note_time(sums.times, mode_of(record.test_case), record.verdict);
  }
  return sums;
}

TEST(SumsLine, ComesBackAsItWas) {
  SumsLine sums = sums_of(0, 300);
  RunRecord infinite = made_up(0);
  infinite.verdict.outcome = Outcome::Agree;
  infinite.verdict.outputs[0].compared = true;
  infinite.verdict.outputs[0].compared_elements = 1;
  infinite.verdict.outputs[0].mare = infinite.verdict.outputs[0].mere =
      std::numeric_limits<double>::infinity();
  infinite.verdict.tallies = {"a tally"};
  infinite.verdict.rules = {"STRIDE-01"};
  infinite.profile = oracle::Profile::Released;
  sums.summary.add(infinite);
  const std::string line = sums_line(sums);
  EXPECT_TRUE(is_sums_line(line));
  EXPECT_FALSE(is_sums_line(results_line(made_up(1), plain_heading, 1)));
  const auto read = parse_sums_line(line);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->summary, sums.summary);
  EXPECT_EQ(read->times, sums.times);
  EXPECT_FALSE(sums.times.empty());
  EXPECT_EQ(read->first, 0U);
  EXPECT_EQ(read->heading.seed, plain_heading.seed);
  EXPECT_EQ(sums_line(*read), line);
}

TEST(SumsLine, ThatIsDamagedIsRefusedInWords) {
  const std::string line = sums_line(sums_of(0, 20));
  for (std::size_t left = 1; left < line.size(); left += 101) {
    EXPECT_FALSE(parse_sums_line(line.substr(0, left)));
  }
  const auto replaced = [&](const std::string& what, const std::string& by) {
    std::string damaged = line;
    damaged.replace(damaged.find(what), what.size(), by);
    return parse_sums_line(damaged).error();
  };
  EXPECT_THAT(replaced(results_schema(), "99-abc"), HasSubstr("schema 99-abc, but this program"));
  EXPECT_THAT(replaced(R"("outcomes":[)", R"("outcomes":[77,1,)"),
              HasSubstr("beyond the end of its table"));
  EXPECT_THAT(replaced(R"("outcomes":[)", R"("outcomes":[1,)"), HasSubstr("without its count"));
  EXPECT_THAT(replaced(R"("triples":")", R"("triples":"0)"), HasSubstr("of another table"));
}

/// The file of a campaign of these runs.
fs::path recorded(const fs::path& folder, runs::Recording recording, std::uint64_t begin,
                  std::uint64_t end) {
  auto results = ResultsFile::open(folder);
  runs::Ledger ledger(*results, plain_heading, std::nullopt, recording);
  constexpr std::uint64_t block = 50;
  for (std::uint64_t i = begin; i < end; i += block) {
    std::vector<RunRecord> records;
    for (std::uint64_t run = i; run < std::min(i + block, end); ++run) {
      records.push_back(made_up(run));
    }
    ledger.enter((i - begin) / block, std::move(records));
  }
  ledger.finish();
  return results->path();
}

TEST(Recording, OfFailuresAloneLeavesReportsAsTheyAre) {
  constexpr std::uint64_t runs = 9000;
  const tests::ScratchFolder folder;
  const auto all = recorded(folder.path() / "all", runs::Recording::All, 0, runs);
  const auto failures = recorded(folder.path() / "failures", runs::Recording::Failures, 0, runs);
  const auto whole = merge_results({all}), sums = merge_results({failures});
  ASSERT_TRUE(whole && sums) << sums.error();
  EXPECT_EQ(whole->summary.cases(), runs);
  EXPECT_EQ(sums->summary, whole->summary);
  EXPECT_EQ(sums->times, whole->times);
  EXPECT_EQ(sums->seeds, whole->seeds);
  EXPECT_LT(fs::file_size(failures), fs::file_size(all));
}

TEST(Recording, IsCountedOnceAndNeverInBothForms) {
  const tests::ScratchFolder folder;
  const auto sums = recorded(folder.path() / "sums", runs::Recording::Failures, 0, 300);
  const auto shorter = recorded(folder.path() / "shorter", runs::Recording::Failures, 0, 200);
  const auto all = recorded(folder.path() / "all", runs::Recording::All, 0, 300);
  const Summary whole = merge_results({all})->summary;
  for (const auto& files :
       std::vector<std::vector<fs::path>>{{sums, shorter}, {shorter, sums}, {sums, sums}}) {
    const auto merged = merge_results(files);
    ASSERT_TRUE(merged) << merged.error();
    EXPECT_EQ(merged->summary, whole);
  }
  EXPECT_THAT(merge_results({sums, all}).error(), HasSubstr("`--set results=failures`; give one"));
  EXPECT_THAT(merge_results({all, sums}).error(), HasSubstr("the run of seed 7 on simulated"));
}

}  // namespace
}  // namespace gradproof::findings
