#include "properties/runs/campaign/minimise.h"

#include <gtest/gtest.h>

#include "properties/cases/generators/random_case.h"
#include "tests/support/fake_cann.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::runs {
namespace {

using Clock = std::chrono::steady_clock;

/// A disagreement of a target that doubles every gradient.
findings::RunRecord disagreement(targets::Target& target) {
  cases::Selection selection;
  selection.kind = cases::Kind::Valid;
  selection.products = {corpus::Product::Ascend910B};
  selection.dtypes = {corpus::DataType::Float};
  selection.max_macs = 20'000;
  const cases::CaseSource source = *cases::CaseSource::of(selection);
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    for (corpus::Case& run : cases::runs_of({source(5, i), oracle::Profile::Documented}, {})) {
      const auto verdict = cases::check(target, run, {});
      if (verdict.outcome != corpus::Outcome::Disagree || !verdict.culprit) continue;
      return {std::move(run), verdict, ""};
    }
  }
  ADD_FAILURE() << "never found";
  return {};
}

findings::Finding minimised_by(std::optional<Clock::time_point> deadline) {
  const gradproof::tests::ScratchFolder scratch;
  const auto target = targets::fake_library(targets::Misbehaviour::DoubleGradients)->new_target();
  CampaignSettings settings;
  settings.folder = scratch.path();
  settings.budget.time = std::chrono::seconds(20);
  const std::atomic<bool> stop{false};
  const std::string replay_options;
  return minimised(*target, disagreement(*target), 0,
                   {.work = {},
                    .settings = settings,
                    .replay_options = replay_options,
                    .stop = stop,
                    .seconds_so_far = [] { return 0.0; },
                    .keep = [](const findings::Finding&) {},
                    .deadline = deadline});
}

TEST(Minimised, HasLittleTimeBeyondTheDeadlineOfTheRun) {
  using std::chrono::seconds;
  for (const auto& deadline : {std::optional<Clock::time_point>(), {Clock::now()}}) {
    const findings::Finding finding = minimised_by(deadline);
    EXPECT_TRUE(finding.minimised);
    EXPECT_FALSE(finding.diagnosis.empty());
  }
  const findings::Finding late = minimised_by(Clock::now() - seconds(3));
  EXPECT_FALSE(late.minimised);
  EXPECT_TRUE(late.diagnosis.empty());
  EXPECT_EQ(late.test_case, late.original);
  EXPECT_EQ(late.symptoms.size(), 1U) << "what reports group it by";
}

}  // namespace
}  // namespace gradproof::runs
