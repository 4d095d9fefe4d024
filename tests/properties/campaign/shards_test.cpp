// Work that is divided into shards: nothing is lost or done twice, and the merge says so when
// something is missing.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "properties/runs/campaign/shard.h"
#include "tests/properties/campaign/dealt_out.h"
#include "tests/support/shell.h"

namespace gradproof::tests {
namespace {

namespace fs = std::filesystem;
using gradproof::runs::id_hash;
using gradproof::runs::Shard;
using testing::HasSubstr;

TEST(Shards, HoldEachIdOnceAndAboutAsManyEach) {
  constexpr std::uint64_t ids = 10'000;
  for (const std::uint64_t count : {1, 2, 3, 7, 64}) {
    std::vector<std::uint64_t> held(count);
    for (std::uint64_t i = 0; i < ids; ++i) {
      const std::string id = fmt::format("42-{}", i);
      std::uint64_t holders = 0;
      for (std::uint64_t index = 1; index <= count; ++index) {
        if (!Shard{index, count}.holds(id)) continue;
        ++holders;
        ++held[index - 1];
      }
      ASSERT_EQ(holders, 1U) << id << " of " << count;
    }
    // Five standard deviations of a uniform distribution over the shards.
    const double mean = static_cast<double>(ids) / static_cast<double>(count);
    for (const std::uint64_t own : held) {
      EXPECT_LE(std::abs(static_cast<double>(own) - mean), 5 * std::sqrt(mean)) << count;
    }
  }
}

/// Machines that do not communicate must divide the work alike: these numbers may not change with a
/// library or a compiler.
TEST(Shards, AreAFixedFunctionOfTheId) {
  EXPECT_EQ(id_hash(""), 17665956581633026203U);
  EXPECT_EQ(id_hash("5-0"), 13877945225441099107U);
  EXPECT_TRUE((Shard{2, 3}.holds("5-0")));
}

class DealtOutTo : public DealtOut, public testing::WithParamInterface<int> {};

TEST_P(DealtOutTo, ShardsRunTogetherWhatOneProcessRuns) {
  const std::string work = "verify --no-stored --cases 500 --seed 7 --quiet --jobs 1 --out ";
  ASSERT_EQ(run(work + "whole").code, 0);
  const auto whole = verdicts("whole");
  ASSERT_EQ(whole.size(), 500U);
  std::multiset<std::string> together;
  std::set<std::string> seen;
  std::string folders;
  for (int i = 1; i <= GetParam(); ++i) {
    const std::string out = fmt::format("shard{}", i);
    const Ran ran = run(fmt::format("{}{} --shard {}/{}", work, out, i, GetParam()));
    ASSERT_EQ(ran.code, 0) << ran.output;
    together.merge(verdicts(out));
    for (const std::string& id : ids(out)) EXPECT_TRUE(seen.insert(id).second) << id;
    folders.insert(0, out + ' ');
  }
  EXPECT_EQ(together, whole);
  EXPECT_EQ(merged(folders), merged("whole"));
}

INSTANTIATE_TEST_SUITE_P(Shards, DealtOutTo, testing::Values(1, 2, 3, 7, 64),
                         testing::PrintToStringParamName());

TEST_F(DealtOut, ReplayDealsOutTheCasesOfFiles) {
  ASSERT_EQ(run("list cases --cases 200 --seed 9 > cases.jsonl").code, 0);
  const std::string work = "replay cases.jsonl --status-only --quiet --out ";
  ASSERT_EQ(run(work + "whole").code, 0);
  std::multiset<std::string> together;
  for (int i = 1; i <= 3; ++i) {
    ASSERT_EQ(run(fmt::format("{}shard{} --shard {}/3", work, i, i)).code, 0);
    EXPECT_GT(verdicts(fmt::format("shard{}", i)).size(), 20U);
    together.merge(verdicts(fmt::format("shard{}", i)));
  }
  EXPECT_EQ(together, verdicts("whole"));
  EXPECT_EQ(merged("shard2 shard3 shard1"), merged("whole"));
}

TEST_F(DealtOut, KnowTheProtocolOfTestRunners) {
  const std::string work = "verify --no-stored --cases 60 --seed 3 --quiet --out ";
  ASSERT_EQ(run(work + "option --shard 2/2").code, 0);
  const Ran by_variables =
      run(work + "variables",
          "GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1 GTEST_SHARD_STATUS_FILE=$PWD/sign");
  EXPECT_EQ(by_variables.code, 0) << by_variables.output;
  EXPECT_TRUE(fs::exists(folder_ / "sign"));
  EXPECT_EQ(verdicts("variables"), verdicts("option"));
  // An option given wins.
  EXPECT_EQ(run(work + "both --shard 2/2", "GTEST_TOTAL_SHARDS=5 GTEST_SHARD_INDEX=0").code, 0);
  EXPECT_EQ(verdicts("both"), verdicts("option"));
  // Without a seed all shards draw the same cases.
  EXPECT_EQ(run("verify --no-stored --cases 40 --shard 1/2 --quiet --out a").code, 0);
  EXPECT_EQ(run("verify --no-stored --cases 40 --shard 2/2 --quiet --out b").code, 0);
  EXPECT_THAT(run("report a b").output, HasSubstr("report: 40 cases"));
}

TEST_F(DealtOut, RefuseAProtocolThatMakesNoSense) {
  const std::string work = "verify --no-stored --cases 5 --seed 3 --out o";
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"GTEST_TOTAL_SHARDS=2", "GTEST_TOTAL_SHARDS is set, but GTEST_SHARD_INDEX is not"},
      {"GTEST_SHARD_INDEX=0", "GTEST_SHARD_INDEX is set, but GTEST_TOTAL_SHARDS is not"},
      {"GTEST_SHARD_INDEX=2 GTEST_TOTAL_SHARDS=2", "not I and N with 0 <= I < N"},
      {"GTEST_SHARD_INDEX=one GTEST_TOTAL_SHARDS=2", "GTEST_SHARD_INDEX is \"one\""},
      {"GTEST_SHARD_STATUS_FILE=/no/such/folder/sign", "GTEST_SHARD_STATUS_FILE: /no/such"}};
  for (const auto& [environment, words] : wrong) {
    const Ran ran = run(work, environment);
    EXPECT_EQ(ran.code, 2) << environment;
    EXPECT_THAT(ran.output, HasSubstr(words)) << environment;
    EXPECT_TRUE(verdicts("o").empty()) << environment;
  }
  // Commands that divide no work ignore the variables.
  EXPECT_EQ(run("list laws", "GTEST_TOTAL_SHARDS=2").code, 0);
}

TEST_F(DealtOut, ShardsThatAreNotWholeAreNamed) {
  const std::string work = "verify --no-stored --cases 400 --seed 3 --quiet ";
  for (const int i : {1, 3}) {
    ASSERT_EQ(run(fmt::format("{} --out s{} --shard {}/3", work, i, i)).code, 0);
  }
  const std::string shard = "shard 2/3 of the run of seed 3 on simulated ";
  EXPECT_THAT(run("report s1 s3").output, HasSubstr(shard + "is missing"));
  EXPECT_EQ(run("report s1 s3 --write html=page.html").code, 4);
  EXPECT_FALSE(fs::exists(folder_ / "page.html"));

  // Of another run, though of the same seed and number of shards.
  ASSERT_EQ(run("verify --no-stored --cases 40 --seed 3 --quiet --out other --shard 2/3").code, 0);
  EXPECT_THAT(run("report s1 s3 other").output, HasSubstr(shard + "is missing"));

  ASSERT_EQ(run(work + " --out s2 --shard 2/3").code, 0);
  EXPECT_EQ(run("report s3 s2 s1").code, 0);
  // Lines that were lost on the way, and the words that they were once whole.
  const std::string lines = read("s2/results.jsonl");
  const std::size_t cut = lines.find('\n', lines.size() / 2) + 1;
  std::ofstream(folder_ / "s2/results.jsonl") << lines.substr(0, cut);
  EXPECT_EQ(run("report s1 s2 s3").code, 4);
  EXPECT_THAT(run("report s1 s2 s3").output, HasSubstr(" lines"));
  std::ofstream(folder_ / "s2/results.jsonl") << lines;
  EXPECT_EQ(run("report s1 s2 s3").code, 0);
  fs::remove(folder_ / "s2/shards.jsonl");
  EXPECT_THAT(run("report s1 s2 s3").output, HasSubstr(shard + "is missing"));
}

TEST_F(DealtOut, AShardThatWasEndedIsNamedUntilItWasGoneOnWith) {
  ASSERT_EQ(run("verify --no-stored --cases 3000 --seed 3 --quiet --out s1 --shard 1/2").code, 0);
  const std::string second =
      "verify --no-stored --cases 3000 --seed 3 --quiet --out s2 --shard 2/2";
  // Ended as soon as it has written something.
  const Ran killed = run(second +
                             " & worker=$!; while [ ! -s s2/results.jsonl ] && kill -0 $worker; do "
                             "sleep 0.01; done; kill -9 $worker; wait $worker",
                         "exec 2>/dev/null; ");
  ASSERT_NE(killed.code, 0) << "it had ended by itself";
  const Ran early = run("report s1 s2");
  EXPECT_EQ(early.code, 4);
  EXPECT_THAT(early.output, HasSubstr("shard 2/2 of the run of seed 3 on simulated was not run to "
                                      "its end; the same command resumes it"));
  ASSERT_EQ(run(second).code, 0);
  ASSERT_EQ(run("verify --no-stored --cases 3000 --seed 3 --quiet --out whole").code, 0);
  EXPECT_EQ(merged("s2 s1"), merged("whole"));
}

TEST_F(DealtOut, ARepeatedShardCountsOnce) {
  const std::string work = "verify --no-stored --cases 300 --seed 3 --quiet ";
  for (const int i : {1, 2}) {
    ASSERT_EQ(run(fmt::format("{} --out s{} --shard {}/2", work, i, i)).code, 0);
  }
  const std::string once = merged("s1 s2");
  // In the same folder, as a requeued task does, and in another, as a second attempt of a CI job.
  ASSERT_EQ(run(work + "--out s1 --shard 1/2").code, 0);
  ASSERT_EQ(run(work + "--out again --shard 2/2").code, 0);
  EXPECT_EQ(merged("again s1 s2 s1"), once);
}

}  // namespace
}  // namespace gradproof::tests
