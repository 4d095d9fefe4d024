// Cases that alternate between the profiles `documented` and `released` in one run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "properties/cases/generators/valid_case.h"
#include "properties/findings/results/findings.h"
#include "properties/runs/campaign/campaign.h"
#include "properties/targets/isolation/isolated_library.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/target.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::runs {
namespace {

using corpus::Case;
using corpus::Status;
using oracle::Profile;
using testing::HasSubstr;

constexpr std::uint64_t seed = 5;

/// CUBE-05: refused by the documents, computed by the released library.
Case bf16_in_float16() {
  cases::Convolution sizes;
  sizes.batch = 1;
  sizes.small_channels_per_group = sizes.big_channels_per_group = 1;
  sizes.axes = {{.big = 4, .kernel = 2}, {.big = 4, .kernel = 2}};
  cases::Frame frame;
  frame.product = corpus::Product::Ascend910B;
  Case test_case = cases::plain_case(sizes, frame);
  for (const auto role : corpus::input_roles) {
    corpus::tensor(test_case, role)->dtype = corpus::DataType::BFloat16;
  }
  for (const auto role : corpus::output_roles) {
    corpus::tensor(test_case, role)->dtype = corpus::DataType::BFloat16;
  }
  test_case.cube_math_type = 2;
  test_case.id = "bf16-in-float16";
  return test_case;
}

Work alternating() {
  Work work;
  work.source = *cases::CaseSource::of({});
  work.seed = seed;
  work.alternates_profiles = true;
  return work;
}

CampaignResult run(const Work& work, const std::filesystem::path& folder,
                   CampaignSettings settings = {}) {
  const auto library = targets::LoadedLibrary::load({});
  auto results = findings::ResultsFile::open(folder);
  Progress progress;
  const std::atomic<bool> go{false};
  settings.folder = folder;
  return run_campaign(*library, work, settings, *results, progress, go);
}

TEST(Profiles, AreDrawnFromSeedAndNumberAlone) {
  const Work all = alternating();
  Work shard = alternating();
  shard.shard = {2, 3};
  int released = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const WorkItem item = all.item(i);
    ASSERT_EQ(item.profile, shard.item(i).profile);
    const bool is_released = item.profile == Profile::Released;
    EXPECT_EQ(item.repro.find("replay - --profile released") != std::string::npos, is_released);
    released += is_released ? 1 : 0;
  }
  EXPECT_GT(released, 150);
  EXPECT_LT(released, 250);
}

TEST(Profiles, AreNoneOfARunThatIsHeldToOne) {
  Work work = alternating();
  work.alternates_profiles = false;
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_FALSE(work.item(i).profile);
  EXPECT_EQ(work.profiles(Profile::Tolerant), "tolerant");
  EXPECT_EQ(alternating().profiles(Profile::Documented), "documented, released");
}

TEST(Profiles, ReachTheSimulatedBackendCallByCall) {
  const auto isolated =
      targets::IsolatedLibrary::load({});  // before this process has loaded anything
  const auto inside = targets::LoadedLibrary::load({});
  ASSERT_TRUE(isolated && inside);
  std::vector<std::unique_ptr<targets::Target>> targets;
  targets.push_back((*isolated)->new_target());
  targets.push_back((*inside)->new_target());
  targets::RunSettings documented, released;
  documented.machine.profile = Profile::Documented;
  released.machine.profile = Profile::Released;
  const Case test_case = bf16_in_float16();
  for (const auto& target : targets) {
    EXPECT_EQ(target->run_case(test_case, released).phase_one, Status::Success);
    EXPECT_EQ(target->run_case(test_case, documented).phase_one, Status::ParamInvalid);
    EXPECT_EQ(target->run_case(test_case, released).phase_one, Status::Success);
    EXPECT_EQ(target->run_case(test_case).phase_one, Status::ParamInvalid);
  }
}

TEST(Profiles, AreJudgedAndCountedInOneRun) {
  const tests::ScratchFolder folder;
  CampaignSettings settings;
  settings.budget.cases = 3000;
  settings.max_macs = 20'000;
  const auto result = run(alternating(), folder.path(), settings);
  EXPECT_EQ(result.summary.count(corpus::Outcome::Disagree), 0U);
  std::uint64_t runs = 0;
  for (const auto& [what, count] : result.summary.profile_statuses) runs += count;
  EXPECT_EQ(runs, result.summary.cases());
  EXPECT_GT(result.summary.profile_statuses.at("documented, 0 (ACLNN_SUCCESS)"), 500U);
  EXPECT_GT(result.summary.profile_statuses.at("released, 0 (ACLNN_SUCCESS)"), 500U);
}

TEST(Profiles, StayWithAFindingAndItsReplay) {
  const tests::ScratchFolder folder;
  Case test_case = bf16_in_float16();
  test_case.expect.emplace().status = Status::ParamInvalid;
  test_case.expect->profile = "released";
  Work work;
  work.stored = {{test_case, "stored.jsonl", {}, Profile::Released}};
  work.alternates_profiles = true;
  const auto result = run(work, folder.path());
  ASSERT_EQ(result.findings.size(), 1U);
  const auto file = findings::finding_file(folder.path(), result.findings.front().signature);
  EXPECT_EQ(findings::profile_of_finding(file), Profile::Released);
  EXPECT_THAT(findings::replay_of_finding(file), HasSubstr(".json --profile released"));

  // Under the other profile the expectation says nothing.
  work.stored.front().profile = Profile::Documented;
  EXPECT_EQ(run(work, folder.path()).summary.count(corpus::Outcome::Disagree), 0U);
}

}  // namespace
}  // namespace gradproof::runs
