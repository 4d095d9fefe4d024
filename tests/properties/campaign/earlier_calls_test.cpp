// A bug that a library has only after other calls: which ones is said, and a replay makes them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

#include "corpus/case_json.h"
#include "properties/findings/results/findings.h"
#include "properties/runs/campaign/earlier_calls.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shell.h"

namespace gradproof::runs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::Ran;
using tests::run_in_shell;

TEST(CallHistory, IsWhatCameBeforeARunAndNoLongerThanItsLimit) {
  CallHistory history;
  for (std::uint64_t i = 0; i < 3; ++i) history.note({i, 0});
  EXPECT_THAT(history.before({1, 0}), ElementsAre(findings::RunNumber{0, 0}));
  EXPECT_THAT(
      history.before({7, 1}),
      ElementsAre(findings::RunNumber{0, 0}, findings::RunNumber{1, 0}, findings::RunNumber{2, 0}))
      << "a law's run, which is not noted, comes after all";
  for (std::uint64_t i = 3; i < CallHistory::most + 10; ++i) history.note({i, 0});
  const auto last = history.before({0, 0});
  EXPECT_EQ(last.size(), CallHistory::most);
  EXPECT_EQ(last.front(), (findings::RunNumber{10, 0}));
}

/// Wrong after a transposed call and a later one with groups.
class RememberingLibrary : public testing::Test {
 protected:
  Ran gradproof(const std::string& arguments) const {
    return run_in_shell(
        GRADPROOF_PROGRAM " " + arguments + " --target " GRADPROOF_REMEMBERING_LIBRARY,
        folder_.path());
  }
  std::filesystem::path finding() const {
    const auto files = findings::finding_files(folder_ / "gradproof-out");
    EXPECT_EQ(files.size(), 1U);
    return files.empty() ? std::filesystem::path() : files.front();
  }

  tests::ScratchFolder folder_;
};

TEST_F(RememberingLibrary, IsNotCalledWrongForTheCallThatShowedIt) {
  const Ran ran = gradproof(
      "verify --no-stored --dtype FLOAT --law exactness --seed 3 --jobs 1 --findings 1 --time 60s");
  ASSERT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("does not happen again alone; after these 2 calls it does"));
  const auto calls = findings::calls_before_finding(finding());
  ASSERT_EQ(calls.size(), 2U) << ran.output;
  EXPECT_TRUE(calls[0].transposed);
  EXPECT_GT(calls[1].groups, 1);
  const auto file = finding().string();
  EXPECT_EQ(gradproof("replay " + file + " --out again").code, 1) << "the calls are made first";
  const auto problem = findings::read_finding(file);
  ASSERT_TRUE(problem);
  folder_.write("alone.jsonl", corpus::to_json_line(*problem) + "\n");
  EXPECT_EQ(gradproof("replay alone.jsonl --out alone").code, 0) << "alone it agrees";
}

/// Nothing is said of a memory where there is none.
TEST_F(RememberingLibrary, IsAskedAloneFirst) {
  const Ran ran = run_in_shell("GRADPROOF_FAULT=dilation_for_stride_in_w " GRADPROOF_PROGRAM
                               " verify --no-stored --seed 1 --jobs 1 --findings 1 --time 20s "
                               "--target " GRADPROOF_FAULTY_LIBRARIES,
                               folder_.path());
  ASSERT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, testing::Not(HasSubstr("happen again")));
  EXPECT_TRUE(findings::calls_before_finding(finding()).empty());
}

}  // namespace
}  // namespace gradproof::runs
