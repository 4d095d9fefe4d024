// Runs of the real program that are killed: what was found must not be lost with the process.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "properties/findings/results/merge.h"
#include "tests/properties/campaign/killed_runs.h"

namespace gradproof::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string counts_of(const std::string& last_line) {
  return last_line.substr(0, last_line.find("; seed"));
}

constexpr int kills = 20;

class KilledWithJobs : public KilledRuns, public testing::WithParamInterface<const char*> {};

TEST_P(KilledWithJobs, EndWithTheVerdictsOfAnUndisturbedRun) {
  const std::vector<std::string> words{"verify", "--no-stored", "--cases", "3000",
                                       "--seed", "11",          "--jobs",  GetParam()};
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run(with(words, {"--out", "whole"})), 0) << read("output.txt");
  const std::chrono::duration<double, std::milli> whole_time =
      std::chrono::steady_clock::now() - start;
  const std::string counts = counts_of(last_line());
  const auto whole = verdicts("whole");
  ASSERT_EQ(whole.size(), 3000U);

  const auto killed = with(words, {"--out", "killed"});
  std::mt19937 random(static_cast<unsigned>(::getpid()));
  // On any machine: all kills together leave the run about half of the time it takes.
  const auto longest = static_cast<unsigned>(whole_time.count() / kills) + 1;
  int killed_runs = 0;
  bool is_killed = true;
  for (int i = 0; i < kills && is_killed; ++i) {
    is_killed = run_and_kill(killed, std::chrono::milliseconds(random() % longest));
    killed_runs += is_killed ? 1 : 0;
  }
  EXPECT_GT(killed_runs, kills / 2);
  if (is_killed) {
    ASSERT_EQ(run(killed), 0) << read("output.txt");
    EXPECT_EQ(counts_of(last_line()), counts);
  }
  const auto pieced = verdicts("killed");
  ASSERT_EQ(pieced.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) ASSERT_EQ(pieced[i], whole[i]) << i;
  // A finished run is not resumed: the same command runs all of it again, and its lines take the
  // place of those before.
  EXPECT_EQ(run(killed), 0);
  EXPECT_EQ(verdicts("killed"), whole);
}

INSTANTIATE_TEST_SUITE_P(Jobs, KilledWithJobs, testing::Values("1", "2"));

TEST_F(KilledRuns, WithLinesForFailuresAloneEndWithTheSumsOfAnUndisturbedRun) {
  const std::vector<std::string> words{"verify", "--no-stored", "--cases", "12000", "--seed", "11"};
  ASSERT_EQ(run(with(words, {"--out", "whole"})), 0) << read("output.txt");
  const auto failures = with(words, {"--set", "results=failures"});
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(run_and_kill_at_work(failures));
  ASSERT_EQ(run(failures), 0) << read("output.txt");
  EXPECT_THAT(read("output.txt"), HasSubstr("resum"));
  const auto whole = findings::merge_results({folder_ / "whole/results.jsonl"});
  const auto sums = findings::merge_results({folder_ / "gradproof-out/results.jsonl"});
  ASSERT_TRUE(whole && sums);
  EXPECT_EQ(whole->summary.cases(), 12000U);
  EXPECT_EQ(sums->summary, whole->summary);
  EXPECT_LT(size_of_results(), fs::file_size(folder_ / "whole/results.jsonl") / 4);
}

TEST_F(KilledRuns, GoOnWithTheirSeedWhereNoneIsGiven) {
  const std::vector<std::string> words{"verify", "--no-stored", "--cases", "4000"};
  ASSERT_TRUE(run_and_kill_at_work(words));
  const auto before = whole_verdicts("gradproof-out");
  ASSERT_GE(before.size(), 16U);
  ASSERT_EQ(run(words), 0) << read("output.txt");
  EXPECT_THAT(read("output.txt"), HasSubstr("resuming the run with seed"));
  const auto after = verdicts("gradproof-out");
  EXPECT_EQ(after.size(), 4000U);
  EXPECT_EQ(std::vector<json>(after.begin(), after.begin() + 16),
            std::vector<json>(before.begin(), before.begin() + 16));
}

TEST_F(KilledRuns, AreLeftAloneByRunsOfOtherSettings) {
  const std::vector<std::string> words{"verify", "--no-stored", "--cases", "4000", "--seed", "5"};
  ASSERT_TRUE(run_and_kill_at_work(words));
  EXPECT_EQ(run({"verify", "--no-stored", "--cases", "50", "--seed", "6"}), 0);
  EXPECT_THAT(read("output.txt"), Not(HasSubstr("resuming")));
  const auto lines = verdicts("gradproof-out");
  ASSERT_GT(lines.size(), 50U);
  EXPECT_EQ(lines.front()["id"], "5-0");
  EXPECT_EQ(lines[lines.size() - 50]["id"], "6-0");
}

TEST_F(KilledRuns, GoOnPastWhatAReplayWroteInBetween) {
  const std::vector<std::string> words{"verify", "--no-stored", "--cases", "3000", "--seed", "5"};
  ASSERT_TRUE(run_and_kill_at_work(words));
  const std::string generate = std::string(GRADPROOF_PROGRAM) +
                               " list cases --cases 3 --seed 9 --kind valid > " +
                               (folder_ / "three.jsonl").string();
  ASSERT_EQ(std::system(generate.c_str()), 0);
  ASSERT_EQ(run({"replay", "three.jsonl", "--out", "gradproof-out"}), 0);
  ASSERT_TRUE(run_and_kill_at_work(words));
  ASSERT_EQ(run(words), 0) << read("output.txt");
  std::vector<json> own, others;
  for (const json& line : verdicts("gradproof-out")) {
    const bool is_own = line["id"].get<std::string>().starts_with("5-");
    (is_own ? own : others).push_back(line);
  }
  EXPECT_GE(others.size(), 3U);
  ASSERT_EQ(run(with(words, {"--out", "whole"})), 0);
  EXPECT_EQ(own, verdicts("whole"));
}

TEST_F(KilledRuns, LoseNothingButALineThatWasCutOff) {
  const std::vector<std::string> words{"verify", "--no-stored", "--cases", "40", "--seed", "5"};
  ASSERT_EQ(run(words), 0);
  std::ofstream(folder_ / "gradproof-out/results.jsonl", std::ios::app) << R"({"id":"5-4)";
  ASSERT_EQ(run(words), 0);
  EXPECT_THAT(read("output.txt"), HasSubstr("dropped the last 10 bytes"));
  EXPECT_EQ(verdicts("gradproof-out").size(), 40U);
}

TEST_F(KilledRuns, KeepTheirFolderToThemselvesWhileTheyRun) {
  const pid_t first = begin({"verify", "--no-stored", "--time", "60s", "--out", "shared"});
  while (!fs::exists(folder_ / "shared/journal.jsonl")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(run({"verify", "--no-stored", "--cases", "5", "--out", "shared"}), 2);
  EXPECT_THAT(last_line(), HasSubstr("another run is writing to this folder"));
  ::kill(first, SIGKILL);
  end_of(first);
}

}  // namespace
}  // namespace gradproof::tests
