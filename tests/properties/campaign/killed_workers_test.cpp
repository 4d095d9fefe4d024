// Workers that share shards and are killed on the way.

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/properties/campaign/dealt_out.h"
#include "tests/support/shell.h"

namespace gradproof::tests {
namespace {

namespace fs = std::filesystem;

/// Workers that are killed at random and begun again, as a cluster does with them.
class Workers {
 public:
  Workers(fs::path folder, std::vector<std::string> work, int count)
      : folder_(std::move(folder)), work_(std::move(work)), count_(count) {
    for (int i = 1; i <= count_; ++i) begin(i);
  }

  /// False where it had ended by itself; then it is not begun again.
  bool kill_and_begin_again(int shard) {
    ::kill(running_.at(shard), SIGKILL);
    const bool was_killed = WIFSIGNALED(end_of(shard));
    if (was_killed) begin(shard);
    return was_killed;
  }

  /// Shards that have not ended yet as far as is known.
  std::vector<int> running() const {
    std::vector<int> shards;
    for (const auto& [shard, process] : running_) shards.push_back(shard);
    return shards;
  }

  /// Waits for all; false where one did not end with code 0.
  bool finish() {
    while (!running_.empty()) end_of(running_.begin()->first);
    return all_well_;
  }

 private:
  void begin(int shard) {
    std::vector<std::string> words = work_;
    words.insert(words.end(), {"--shard", fmt::format("{}/{}", shard, count_), "--out",
                               fmt::format("{}/shard{}", folder_.string(), shard)});
    const pid_t child = ::fork();
    if (child != 0) {
      running_[shard] = child;
      return;
    }
    const int output = ::open("/dev/null", O_WRONLY);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    std::vector<char*> arguments{const_cast<char*>(GRADPROOF_PROGRAM)};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(GRADPROOF_PROGRAM, arguments.data());
    ::_exit(127);
  }

  int end_of(int shard) {
    int status = 0;
    ::waitpid(running_.at(shard), &status, 0);
    running_.erase(shard);
    all_well_ = all_well_ && (WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return status;
  }

  fs::path folder_;
  std::vector<std::string> work_;
  int count_;
  std::map<int, pid_t> running_;
  bool all_well_ = true;
};

TEST_F(DealtOut, WorkersKilledTwentyTimesEndWithTheVerdictsOfAnUndisturbedRun) {
  constexpr int shards = 3, kills = 20;
  const std::vector<std::string> work{"verify", "--no-stored", "--cases", "3000",   "--seed",
                                      "11",     "--jobs",      "1",       "--quiet"};
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run(fmt::format("{} --out whole", fmt::join(work, " "))).code, 0);
  const std::chrono::duration<double, std::milli> whole_time =
      std::chrono::steady_clock::now() - start;
  std::mt19937 random(static_cast<unsigned>(::getpid()));
  // However fast the machine, all kills together come within about half of the time it takes.
  const auto longest = static_cast<unsigned>(whole_time.count() / kills) + 1;
  Workers workers(folder_.path(), work, shards);
  int killed = 0;
  for (auto running = workers.running(); killed < kills && !running.empty();
       running = workers.running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % longest));
    killed += workers.kill_and_begin_again(running[random() % running.size()]) ? 1 : 0;
  }
  EXPECT_TRUE(workers.finish());
  EXPECT_GT(killed, kills / 2);
  EXPECT_EQ(merged("shard3 shard1 shard2"), merged("whole"));
  std::multiset<std::string> together;
  for (int i = 1; i <= shards; ++i) together.merge(verdicts(fmt::format("shard{}", i)));
  EXPECT_EQ(together, verdicts("whole"));
}

}  // namespace
}  // namespace gradproof::tests
