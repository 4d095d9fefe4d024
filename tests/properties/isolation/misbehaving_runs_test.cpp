// Runs of the program against targets that misbehave.

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "oracle/geometry/workload.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/findings/results/findings.h"
#include "tests/properties/isolation/misbehaviour.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::targets {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class MisbehavingRuns : public testing::Test {
 protected:
  int run(const std::string& words) {
    const std::string command =
        fmt::format("cd {} && {} {} > output.txt 2>&1", folder_.string(), GRADPROOF_PROGRAM, words);
    const int status = std::system(command.c_str());
    std::ifstream stream(folder_ / "output.txt");
    output_.assign(std::istreambuf_iterator<char>(stream), {});
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

  std::vector<nlohmann::json> verdicts(const std::string& out) const {
    std::ifstream stream(folder_ / out / "results.jsonl");
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(stream, line);) {
      lines.push_back(nlohmann::json::parse(line));
      lines.back().erase("milliseconds");
    }
    return lines;
  }

  tests::ScratchFolder folder_;
  std::string output_;
};

TEST_F(MisbehavingRuns, ThatComputeNothingOfAClassAreUnhealthy) {
  const auto verify = [&](const std::string& misbehaviour, const std::string& chosen) {
    ::setenv("GRADPROOF_MISBEHAVIOUR", misbehaviour.c_str(), 1);
    const int code = run("verify --target " GRADPROOF_MISBEHAVING_LIBRARY
                         " --api aclnnConvolutionBackward --no-stored --seed 4 --jobs 1"
                         " --cases 1500 --out " +
                         misbehaviour + std::to_string(chosen.size()) + " " + chosen);
    ::unsetenv("GRADPROOF_MISBEHAVIOUR");
    return code;
  };
  EXPECT_EQ(verify("refuse_all", ""), 4) << output_;
  EXPECT_THAT(output_, HasSubstr("health: no result was compared: of "));
  EXPECT_EQ(verify("refuse_bfloat16", ""), 4) << output_;
  EXPECT_THAT(output_, HasSubstr("health: legal calls were refused throughout: BF16 ("));
  EXPECT_THAT(output_, testing::Not(HasSubstr("FLOAT16 (")));
  EXPECT_EQ(verify("refuse_bfloat16", "--dtype FLOAT,FLOAT16"), 0) << output_;
  EXPECT_EQ(verify("refuse_all", "--law adjoint"), 4) << output_;
  EXPECT_EQ(verify("none", "--law adjoint"), 0) << output_;
  EXPECT_EQ(verify("none", ""), 0) << output_;
}

/// Of a claim that does not hold the axis is named, of others none; accuracy is another matter.
TEST_F(MisbehavingRuns, ThatShowTheirProcessOrCoresBreakTheirClaimsThere) {
  const auto axes_that_differ = [&](const std::string& misbehaviour) {
    ::setenv("GRADPROOF_MISBEHAVIOUR", misbehaviour.c_str(), 1);
    run("verify \"input:2,3,6,6 weight:4,3,3,3\" --target " GRADPROOF_MISBEHAVING_LIBRARY
        " --claim deterministic,core-invariant --no-stored --seed 4 --jobs 1 --soc Ascend910B"
        " --cases 600 --out " +
        misbehaviour);
    ::unsetenv("GRADPROOF_MISBEHAVIOUR");
    std::ifstream file(folder_ / misbehaviour / "report.json");
    const auto claims = nlohmann::json::parse(file).at("claims");
    std::vector<std::string> axes;
    for (const auto& row : claims) {
      if (row.at("differ") > 0) axes.push_back(row.at("axis"));
      const bool can_be_checked =
          row.at("axis") != "cores" || std::thread::hardware_concurrency() > 1;
      EXPECT_TRUE(row.at("same") > 0 || row.at("differ") > 0 || !can_be_checked) << row;
    }
    return axes;
  };
  EXPECT_THAT(axes_that_differ("none"), testing::ElementsAre());
  EXPECT_THAT(output_, HasSubstr("Claims: the same bits"));
  EXPECT_THAT(axes_that_differ("show_process"), testing::Contains("process"));
  if (std::thread::hardware_concurrency() < 2) return;
  EXPECT_THAT(axes_that_differ("show_one_core"), testing::ElementsAre("cores"));
}

/// A plainer call that does not crash shows it; the crash itself leaves no value to look at.
TEST_F(MisbehavingRuns, SayWhatACrashNeeds) {
  const Misbehaviour misbehaviour("segfault");
  EXPECT_EQ(run("verify --no-stored --cases 100 --seed 1 --kind valid --law exactness "
                "--target " GRADPROOF_MISBEHAVING_LIBRARY " --jobs 1 --findings 1"),
            1);
  EXPECT_THAT(output_, HasSubstr("died of signal 11"));
  EXPECT_THAT(output_, HasSubstr("needs groups 3 (1 agrees)"));
}

/// Three groups hang. What the child had done of their turn is kept, and the call is named.
TEST_F(MisbehavingRuns, EndACallThatRunsWhenTheTimeIsUp) {
  const Misbehaviour misbehaviour("hang");
  EXPECT_EQ(run("verify --no-stored --time 3s --seed 1 --kind valid --law exactness --timeout 10m "
                "--target " GRADPROOF_MISBEHAVING_LIBRARY " --jobs 1"),
            0)
      << output_;
  EXPECT_THAT(output_, HasSubstr("1 call was still running after 3 s (case 1-"));
  EXPECT_THAT(output_, HasSubstr("): not judged"));
  const auto lines = verdicts("gradproof-out");
  std::vector<nlohmann::json> left_out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].at("line"), i);
    if (lines[i].at("verdict") == "skipped") left_out.push_back(lines[i]);
  }
  ASSERT_FALSE(left_out.empty());
  EXPECT_THAT(left_out.back().dump(), HasSubstr("still running"));
  EXPECT_EQ(left_out.back().at("line"), lines.size() - 1) << "it was the last to be begun";
  // All of them are there that come before it.
  const auto id = lines.back().at("id").get<std::string>();
  std::set<std::string> ids;
  for (const auto& line : lines) ids.insert(line.at("id"));
  EXPECT_EQ(ids.size(), std::stoul(id.substr(2)) + 1);
}

/// The time of a call is 30 s by default, longer than the run.
TEST_F(MisbehavingRuns, FindAHangInLessThanACallsTime) {
  const Misbehaviour misbehaviour("hang");
  EXPECT_EQ(run("verify --no-stored --time 20s --seed 1 --kind valid --law exactness --findings 1 "
                "--target " GRADPROOF_MISBEHAVING_LIBRARY " --jobs 1"),
            1)
      << output_;
  EXPECT_THAT(output_, HasSubstr("the target did not end in time"));
}

/// A sleep of the first call that has three groups: the process is new when it is asked again.
TEST_F(MisbehavingRuns, NameACallThatIsLateOnceOnly) {
  const Misbehaviour misbehaviour("stall_once");
  ::setenv("GRADPROOF_STALLED", (folder_ / "stalled").c_str(), 1);
  EXPECT_EQ(run("verify --no-stored --cases 300 --seed 1 --kind valid --law exactness --timeout 1s "
                "--target " GRADPROOF_MISBEHAVING_LIBRARY " --jobs 1"),
            0)
      << output_;
  ::unsetenv("GRADPROOF_STALLED");
  EXPECT_THAT(output_, HasSubstr("1 call did not end within 1 s, and did when asked again alone"));
}

struct MisbehavingRun {
  const char* misbehaviour;
  const char* law;
  const char* kind;
};
class RunsOfEachMisbehaviour : public MisbehavingRuns,
                               public testing::WithParamInterface<MisbehavingRun> {
 protected:
  void SetUp() override { skip_what_is_not_noticed(GetParam().misbehaviour); }
};
INSTANTIATE_TEST_SUITE_P(Table, RunsOfEachMisbehaviour,
                         testing::Values(MisbehavingRun{"segfault", "exactness", "crash"},
                                         MisbehavingRun{"abort", "exactness", "crash"},
                                         MisbehavingRun{"exit", "exactness", "crash"},
                                         MisbehavingRun{"close_descriptors", "exactness", "crash"},
                                         MisbehavingRun{"corrupt_heap", "exactness", "crash"},
                                         MisbehavingRun{"free_tensor", "exactness", "crash"},
                                         MisbehavingRun{"write_past_output", "exactness",
                                                        "overwritten"},
                                         MisbehavingRun{"leak", "no_leak", "leak"}),
                         [](const auto& info) { return std::string(info.param.misbehaviour); });

/// The smallest case that the run has kept of a finding.
std::uint64_t macs_of_finding(const fs::path& folder) {
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    const auto problem = findings::read_finding(file.path());
    EXPECT_TRUE(problem) << file.path();
    if (problem) fewest = std::min(fewest, oracle::mac_count(*problem).value_or(0));
  }
  return fewest;
}

TEST_P(RunsOfEachMisbehaviour, EndInOrderWithTheSameVerdictsForOneJobAndForTwo) {
  const auto& [name, law, kind] = GetParam();
  const Misbehaviour misbehaviour(name);
  const std::string words = fmt::format(
      "verify --no-stored --cases 250 --seed 3 --kind valid --law {} --target {} --quiet ", law,
      GRADPROOF_MISBEHAVING_LIBRARY);
  ASSERT_EQ(run(words + "--jobs 1 --out one"), 1) << output_;
  EXPECT_THAT(output_, HasSubstr("verify: 250 cases: "));
  int disagreements = 0;
  for (const auto& line : verdicts("one")) {
    const bool is_of_kind = line.value("kind", "") == kind;
    if (is_of_kind) {
      EXPECT_EQ(line["case"]["groups"], 3) << line;
    }
    EXPECT_EQ(is_of_kind, line.value("verdict", "") == "disagree") << line;
    disagreements += is_of_kind ? 1 : 0;
  }
  EXPECT_GT(disagreements, 1);
  EXPECT_LE(macs_of_finding(folder_ / "one/findings"), 6U);
  ASSERT_EQ(run(words + "--jobs 2 --out two"), 1) << output_;
  auto one = verdicts("one");
  auto two = verdicts("two");
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    one[i].erase("repro");  // names the folder
    two[i].erase("repro");
    EXPECT_EQ(one[i], two[i]);
  }
}

TEST_F(MisbehavingRuns, EndInOrderWhereTheTargetHangs) {
  const Misbehaviour misbehaviour("hang");
  EXPECT_EQ(run("verify --no-stored --cases 250 --seed 3 --kind valid --law exactness --findings 1 "
                "--timeout 300ms --jobs 2 --quiet --target " GRADPROOF_MISBEHAVING_LIBRARY),
            1)
      << output_;
  EXPECT_TRUE(fs::exists(folder_ / "gradproof-out/findings/disagree-timeout-exactness.json") ||
              fs::exists(folder_ / "gradproof-out/findings/disagree-timeout-status.json"));
  EXPECT_LE(macs_of_finding(folder_ / "gradproof-out/findings"), 6U);
}

TEST_F(MisbehavingRuns, EndWithThreeWhereTheTargetCannotBeLoaded) {
  {
    const Misbehaviour misbehaviour("segfault_while_loading");
    EXPECT_EQ(run("verify --cases 5 --target " GRADPROOF_MISBEHAVING_LIBRARY), 3);
    EXPECT_THAT(output_, HasSubstr("died of signal 11"));
  }
  EXPECT_EQ(run("verify --cases 5 --target " GRADPROOF_NEEDY_LIBRARY), 3);
  EXPECT_THAT(output_, HasSubstr("libgradproof_absent.so"));
  EXPECT_EQ(run("verify --cases 5 --target /etc/passwd"), 3);
  run("verify --cases 5 --target " GRADPROOF_HALF_LIBRARY);
  EXPECT_THAT(output_, HasSubstr("gradproof: note: aclCreateTensor comes from libhalf_library.so"));
  EXPECT_EQ(run("verify --cases 5 --in-process --timeout 3s"), 2);
  EXPECT_THAT(output_, HasSubstr("--timeout"));
}

}  // namespace
}  // namespace gradproof::targets
