#pragma once

// Runs of the program that are killed and continued.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace gradproof::tests {

namespace fs = std::filesystem;
using nlohmann::json;

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
  static bool has_ended(pid_t child) {
    siginfo_t ended{};
    ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
    return ended.si_pid == child;
  }
  /// Until the run has written that much more to its results, or ended.
  void wait_for_more_results(pid_t child) const {
    const auto enough = size_of_results() + 50'000;
    while (size_of_results() < enough && !has_ended(child)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  /// Kills it when it has written something more to its results.
  bool run_and_kill_at_work(const std::vector<std::string>& words) const {
    const pid_t child = begin(words);
    wait_for_more_results(child);
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

}  // namespace gradproof::tests
