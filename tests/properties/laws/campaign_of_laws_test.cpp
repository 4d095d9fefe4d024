#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <string>

#include "properties/cases/generators/random_case.h"
#include "properties/cases/laws/law.h"
#include "properties/cases/laws/law_choice.h"
#include "properties/runs/campaign/campaign.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/target.h"
#include "tests/properties/laws/law_cases.h"
#include "tests/support/fake_cann.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::Outcome;

/// How often each law stands in the results of a campaign of `cases` runs.
std::map<std::string, int> laws_of_campaign(const std::vector<std::string>& names,
                                            std::uint64_t cases) {
  const tests::ScratchFolder folder;
  const auto library = targets::LoadedLibrary::load({});
  EXPECT_TRUE(library);
  Selection selection;
  selection.kind = names.empty() ? Kind::All : Kind::Valid;
  selection.max_macs = 2'000;
  const runs::Work work{{}, *CaseSource::of(selection), 12, {}};
  runs::CampaignSettings settings;
  settings.budget.cases = cases;
  settings.folder = folder.path();
  settings.laws = law_choice(names);
  auto results = findings::ResultsFile::open(folder.path());
  runs::Progress progress;
  const std::atomic<bool> go{false};
  const runs::CampaignResult result =
      runs::run_campaign(*library, work, settings, *results, progress, go);
  EXPECT_EQ(result.summary.count(Outcome::Disagree), 0U)
      << (result.findings.empty() ? "" : result.findings.front().signature);
  EXPECT_EQ(result.summary.cases(), cases);
  std::map<std::string, int> counts;
  std::ifstream lines(results->path());
  for (std::string line; std::getline(lines, line);) {
    ++counts[nlohmann::json::parse(line)["law"].get<std::string>()];
  }
  return counts;
}

TEST(CampaignOfLaws, HoldsAShareOfTheCasesToEachLawInAdditionToExactnessAndStatus) {
  const auto counts = laws_of_campaign({}, 30'000);  // the rarest law has some 4 of them
  EXPECT_GT(counts.at("exactness"), 15'000);
  EXPECT_GT(counts.at("status"), 1'500);
  for (const Law& law : laws()) EXPECT_GT(counts.count(std::string(law.name)), 0U) << law.name;
}

TEST(CampaignOfLaws, RunsTheNamedOnesAlone) {
  const auto counts = laws_of_campaign({"lifting", "adjoint"}, 200);
  EXPECT_EQ(counts.size(), 2U);
  EXPECT_EQ(counts.at("lifting") + counts.at("adjoint"), 200);
}

TEST(CampaignOfLaws, DependsOnNothingButTheSeed) {
  EXPECT_EQ(laws_of_campaign({}, 500), laws_of_campaign({}, 500));
}

/// Found by a law, minimised, stored with its law, and the same again when it is replayed.
TEST(CampaignOfLaws, StoresAFindingThatReplaysUnderItsLaw) {
  const tests::ScratchFolder folder;
  const Law& law = *law_named("adjoint");
  Selection selection;
  selection.products = {corpus::Product::Ascend910B};
  selection.dtypes = {corpus::DataType::Float};
  selection.max_macs = 2'000;
  runs::Work work;
  for (Case& test_case : cases_of(law, selection, 9, 20)) {
    if (test_case.grad_weight->dtype != corpus::DataType::Float) continue;
    work.stored.push_back({std::move(test_case), "stored.jsonl"});
  }
  runs::CampaignSettings settings;
  settings.folder = folder.path();
  settings.laws = law_choice({"adjoint"});
  auto results = findings::ResultsFile::open(folder.path());
  runs::Progress progress;
  const std::atomic<bool> go{false};
  const auto library = targets::fake_library(targets::Misbehaviour::DoubleGradWeight);
  const auto result = runs::run_campaign(library, work, settings, *results, progress, go);
  ASSERT_EQ(result.findings.size(), 1U);
  const auto file = findings::finding_file(folder.path(), "disagree-law-adjoint-gradWeight");
  EXPECT_EQ(findings::law_of_finding(file), "adjoint");
  const auto again = findings::read_finding(file);
  ASSERT_TRUE(again);

  settings.laws = law_choice({});
  const runs::Work replayed{
      {{*again, file.string(), findings::law_of_finding(file)}}, std::nullopt, 0, {}};
  const auto same = runs::run_campaign(library, replayed, settings, *results, progress, go);
  EXPECT_EQ(same.summary.disagreements.count("disagree-law-adjoint-gradWeight"), 1U);
  EXPECT_EQ(same.summary.cases(), 1U);
}

}  // namespace
}  // namespace gradproof::cases
