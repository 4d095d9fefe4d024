// Runs of the real program that are killed: what was found must not be lost with the process.

#include <fcntl.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class KilledRuns : public testing::Test {
 protected:
  /// Begins `gradproof <words>`, its output appended to output.txt.
  pid_t begin(const std::vector<std::string>& words) const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    const int output =
        ::open((folder_ / "output.txt").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    if (::chdir(folder_.path().c_str()) != 0) ::_exit(126);
    std::vector<char*> arguments{const_cast<char*>(GRADPROOF_PROGRAM)};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(GRADPROOF_PROGRAM, arguments.data());
    ::_exit(127);
  }

  static int end_of(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }

  int run(const std::vector<std::string>& words) const {
    const int status = end_of(begin(words));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

  /// Whether the run was still there to be killed.
  bool run_and_kill(const std::vector<std::string>& words, std::chrono::milliseconds after) const {
    const pid_t child = begin(words);
    std::this_thread::sleep_for(after);
    ::kill(child, SIGKILL);
    return WIFSIGNALED(end_of(child));
  }

  std::uintmax_t size_of_results() const {
    std::error_code absent;
    const auto bytes = fs::file_size(folder_ / "gradproof-out/results.jsonl", absent);
    return absent ? 0 : bytes;
  }
  void wait_for_results(std::uintmax_t bytes) const {
    while (size_of_results() < bytes) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void wait_for_more_results() const { wait_for_results(size_of_results() + 50'000); }

  /// Kills it when it has written something more to its results.
  bool run_and_kill_at_work(const std::vector<std::string>& words) const {
    const auto before = size_of_results();
    const pid_t child = begin(words);
    wait_for_results(before + 50'000);
    ::kill(child, SIGKILL);
    return WIFSIGNALED(end_of(child));
  }

  std::string read(const std::string& name) const { return folder_.read(name); }

  /// The lines of a results file, without what differs from run to run.
  std::vector<json> verdicts(const std::string& out) const {
    return verdicts_in(read(out + "/results.jsonl"));
  }

  /// Those that a killed run has written to their end.
  std::vector<json> whole_verdicts(const std::string& out) const {
    const std::string text = read(out + "/results.jsonl");
    return verdicts_in(text.substr(0, text.find_last_of('\n') + 1));
  }

  static std::vector<json> verdicts_in(const std::string& results) {
    std::vector<json> lines;
    std::istringstream text(results);
    for (std::string line; std::getline(text, line);) {
      lines.push_back(json::parse(line, nullptr, false));
      EXPECT_TRUE(lines.back().is_object()) << line;
      lines.back().erase("milliseconds");
    }
    return lines;
  }

  std::string last_line() const {
    const std::string text = read("output.txt");
    const auto end = text.find_last_not_of('\n') + 1;
    const auto begin = text.find_last_of('\n', end - 1);
    return text.substr(begin + 1, end - begin - 1);
  }

  gradproof::tests::ScratchFolder folder_;
};

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
  const std::vector<std::string> words{"verify", "--stored", "no",     "--cases", "6000",
                                       "--seed", "11",       "--jobs", GetParam()};
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run(with(words, {"--out", "whole"})), 0) << read("output.txt");
  const std::chrono::duration<double, std::milli> whole_time =
      std::chrono::steady_clock::now() - start;
  const std::string counts = counts_of(last_line());
  const auto whole = verdicts("whole");
  ASSERT_EQ(whole.size(), 6000U);

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
  // A finished run is not resumed: the same command runs all of it again.
  EXPECT_EQ(run(killed), 0);
  EXPECT_EQ(verdicts("killed").size(), 2 * whole.size());
}

INSTANTIATE_TEST_SUITE_P(Jobs, KilledWithJobs, testing::Values("1", "2"));

TEST_F(KilledRuns, GoOnWithTheirSeedWhereNoneIsGiven) {
  const std::vector<std::string> words{"verify", "--stored", "no", "--cases", "4000"};
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
  const std::vector<std::string> words{"verify", "--stored", "no", "--cases",
                                       "4000",   "--seed",   "5"};
  ASSERT_TRUE(run_and_kill_at_work(words));
  EXPECT_EQ(run({"verify", "--stored", "no", "--cases", "50", "--seed", "6"}), 0);
  EXPECT_THAT(read("output.txt"), Not(HasSubstr("resuming")));
  const auto lines = verdicts("gradproof-out");
  ASSERT_GT(lines.size(), 50U);
  EXPECT_EQ(lines.front()["id"], "5-0");
  EXPECT_EQ(lines[lines.size() - 50]["id"], "6-0");
}

TEST_F(KilledRuns, GoOnPastWhatAReplayWroteInBetween) {
  const std::vector<std::string> words{"verify", "--stored", "no", "--cases",
                                       "3000",   "--seed",   "5"};
  ASSERT_TRUE(run_and_kill_at_work(words));
  const std::string generate = std::string(GRADPROOF_PROGRAM) +
                               " generate --cases 3 --seed 9 --kind valid > " +
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
  const std::vector<std::string> words{"verify", "--stored", "no", "--cases", "40", "--seed", "5"};
  ASSERT_EQ(run(words), 0);
  std::ofstream(folder_ / "gradproof-out/results.jsonl", std::ios::app) << R"({"id":"5-4)";
  ASSERT_EQ(run(words), 0);
  EXPECT_THAT(read("output.txt"), HasSubstr("dropped the last 10 bytes"));
  EXPECT_EQ(verdicts("gradproof-out").size(), 80U);
}

TEST_F(KilledRuns, KeepTheirFolderToThemselvesWhileTheyRun) {
  const pid_t first = begin({"verify", "--stored", "no", "--time", "60s", "--out", "shared"});
  while (!fs::exists(folder_ / "shared/journal.jsonl")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(run({"verify", "--stored", "no", "--cases", "5", "--out", "shared"}), 2);
  EXPECT_THAT(last_line(), HasSubstr("another run is writing to this folder"));
  ::kill(first, SIGKILL);
  end_of(first);
}

/// Every process whose parent is this one, and theirs.
std::vector<pid_t> descendants(pid_t of) {
  std::vector<pid_t> all;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream stat(entry.path() / "stat");
    pid_t process = 0, parent = 0;
    std::string name, state;
    if (!(stat >> process >> name >> state >> parent) || parent != of) continue;
    all.push_back(process);
    const auto theirs = descendants(process);
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  return all;
}

/// A scheduler asks all processes of a job to end, also those in which the target runs: that is not
/// a crash of the target.
TEST_F(KilledRuns, DoNotBlameTheTargetWhereAllProcessesAreAskedToEnd) {
  const pid_t run = begin({"verify", "--stored", "no", "--time", "120s", "--seed", "5"});
  wait_for_more_results();
  const auto processes = descendants(run);
  EXPECT_FALSE(processes.empty());
  for (const pid_t process : processes) ::kill(process, SIGTERM);
  wait_for_more_results();
  ::kill(run, SIGTERM);
  const int status = end_of(run);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 143) << status;
  EXPECT_THAT(last_line(), HasSubstr(" 0 disagreed"));
}

/// A target that ends the process: the case is named, once, and the run continues.
TEST_F(KilledRuns, ReportTheCaseThatEndedTheProcess) {
  const std::vector<std::string> words{
      "verify",       "--stored",  "no",     "--cases",  "300",
      "--seed",       "3",         "--jobs", "2",        "--kind",
      "valid",        "--isolate", "no",     "--target", GRADPROOF_MISBEHAVING_LIBRARY,
      "--dictionary", "no"};
  ::setenv("GRADPROOF_MISBEHAVIOUR", "segfault", 1);
  int code = 0, deaths = 0;
  for (; (code = run(words)) >= 1000 && deaths < 40; ++deaths) {
  }
  ::unsetenv("GRADPROOF_MISBEHAVIOUR");
  ASSERT_GT(deaths, 0) << "the library ends no process";
  EXPECT_EQ(code, 1) << read("output.txt");
  EXPECT_THAT(last_line(), testing::StartsWith("verify: 300 cases: "));
  // The library has no tiling classes: other cases stand in their places.
  const std::string generate =
      std::string(GRADPROOF_PROGRAM) +
      " generate --cases 300 --seed 3 --kind valid --api "
      "aclnnConvolutionBackward,Conv3DBackpropInputV2,Conv3DBackpropFilterV2 > " +
      (folder_ / "generated.jsonl").string();
  ASSERT_EQ(std::system(generate.c_str()), 0);
  std::set<std::string> fatal;
  std::istringstream generated(read("generated.jsonl"));
  for (std::string line; std::getline(generated, line);) {
    const json problem = json::parse(line);
    if (problem["groups"] == 3) fatal.insert(problem["id"]);
  }
  std::size_t crashes = 0;
  std::set<std::string> seen;
  for (const json& line : verdicts("gradproof-out")) {
    const std::string id = line["id"];
    EXPECT_TRUE(seen.insert(id + line.value("recipe", "") + line.value("law", "")).second) << line;
    // A law makes calls of its own, any of which may end the process.
    if (line["law"] != "exactness" && line["law"] != "status") continue;
    EXPECT_EQ(line.value("kind", "") == "crash", fatal.contains(id)) << line;
    if (line.value("kind", "") != "crash") continue;
    EXPECT_EQ(line["case"]["groups"], 3) << line;
    EXPECT_THAT(line["reason"].get<std::string>(), HasSubstr("died of signal 11"));
    ++crashes;
  }
  EXPECT_GT(crashes, 1U);
  EXPECT_TRUE(fs::exists(folder_ / "gradproof-out/findings/disagree-crash-status.json"));
}

}  // namespace
