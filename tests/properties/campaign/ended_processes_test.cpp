// Runs whose processes are asked to end, or end by themselves: who is blamed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tests/properties/campaign/killed_runs.h"

namespace gradproof::tests {
namespace {

using testing::HasSubstr;

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
  const pid_t run = begin({"verify", "--no-stored", "--time", "120s", "--seed", "5"});
  wait_for_more_results(run);
  const auto processes = descendants(run);
  EXPECT_FALSE(processes.empty());
  for (const pid_t process : processes) ::kill(process, SIGTERM);
  wait_for_more_results(run);
  ::kill(run, SIGTERM);
  const int status = end_of(run);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 143) << status;
  EXPECT_THAT(last_line(), HasSubstr(" 0 disagreed"));
}

/// Writes the cases of the run below into `file`. The identifiers of those with three groups, in
/// which the library ends the process.
std::set<std::string> fatal_cases_in(const fs::path& file) {
  // The library has no operators of other names: other cases stand in their places.
  const std::string generate =
      std::string(GRADPROOF_PROGRAM) +
      " list cases --cases 300 --seed 3 --kind valid --api aclnnConvolutionBackward > " +
      file.string();
  EXPECT_EQ(std::system(generate.c_str()), 0);
  std::set<std::string> fatal;
  std::ifstream generated(file);
  for (std::string line; std::getline(generated, line);) {
    const json test_case = json::parse(line);
    if (test_case["groups"] == 3) fatal.insert(test_case["id"]);
  }
  return fatal;
}

/// A target that ends the process: the case is named, once, and the run continues.
TEST_F(KilledRuns, ReportTheCaseThatEndedTheProcess) {
  const std::vector<std::string> words{"verify",
                                       "--no-stored",
                                       "--cases",
                                       "300",
                                       "--seed",
                                       "3",
                                       "--jobs",
                                       "2",
                                       "--kind",
                                       "valid",
                                       "--in-process",
                                       "--target",
                                       GRADPROOF_MISBEHAVING_LIBRARY};
  ::setenv("GRADPROOF_MISBEHAVIOUR", "segfault", 1);
  int code = 0, deaths = 0;
  for (; (code = run(words)) >= 1000 && deaths < 40; ++deaths) {
  }
  ::unsetenv("GRADPROOF_MISBEHAVIOUR");
  ASSERT_GT(deaths, 0) << "the library ends no process";
  EXPECT_EQ(code, 1) << read("output.txt");
  EXPECT_THAT(last_line(), testing::StartsWith("verify: 300 cases: "));
  const std::set<std::string> fatal = fatal_cases_in(folder_ / "generated.jsonl");
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
}  // namespace gradproof::tests
