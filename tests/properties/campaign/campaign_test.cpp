#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "oracle/geometry/workload.h"
#include "properties/findings/results/findings.h"
#include "properties/runs/campaign/campaign.h"
#include "properties/runs/campaign/item_runs.h"
#include "properties/targets/session/case_memory.h"
#include "tests/properties/campaign/drawn_record.h"
#include "tests/support/fake_cann.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::runs {
namespace {

using testing::HasSubstr;

TEST(WriteFile, ReplacesFilesAndWritesInPlaceWhatIsNone) {
  const tests::ScratchFolder folder;
  const fs::path file = folder.path() / "report.html", pipe = folder.path() / "pipe",
                 link = folder.path() / "full";
  ASSERT_EQ(findings::write_file(file, "old"), std::nullopt);
  std::ifstream held(file);
  ASSERT_EQ(findings::write_file(file, "new"), std::nullopt);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(held), {}), "old")
      << "a reader has one text";
  EXPECT_EQ(fs::file_size(file), 3U);

  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] {
    std::ifstream stream(pipe);
    received.assign(std::istreambuf_iterator<char>(stream), {});
  });
  EXPECT_EQ(findings::write_file(pipe, "through"), std::nullopt);
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(fs::is_fifo(pipe));

  fs::create_symlink("/dev/full", link);
  EXPECT_THAT(findings::write_file(link, "text").value_or(""), HasSubstr("No space left"));
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST(Findings, ComeBackAsTheCaseThatWasStored) {
  const tests::ScratchFolder folder;
  findings::Finding finding;
  finding.signature = "disagree-value-exactness-gradInput";
  finding.test_case = cases::CaseSource::of({})->operator()(3, 14);
  finding.original = cases::CaseSource::of({})->operator()(3, 15);
  finding.verdict.reason = "a \"reason\"";
  ASSERT_FALSE(findings::save_finding(folder.path(), finding));
  const auto files = findings::finding_files(folder.path());
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0], findings::finding_file(folder.path(), finding.signature));
  const auto read = findings::read_finding(files[0]);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(*read, finding.test_case);
  const auto json = nlohmann::json::parse(text_of(files[0]));
  EXPECT_EQ(json["signature"], finding.signature);
  EXPECT_EQ(json["original"]["id"], "3-15");

  std::ofstream(files[0]) << "{\"case\":5}\n";
  EXPECT_FALSE(findings::read_finding(files[0]));
  EXPECT_THAT(findings::read_finding("/nowhere.json").error().text(), HasSubstr("/nowhere.json"));
}

TEST(Work, DealsItsItemsOutToShards) {
  Work whole{{}, std::nullopt, 1, {}};
  for (std::uint64_t i = 0; i < 11; ++i) {
    StoredCase kept;
    kept.test_case.id = std::to_string(i);
    whole.stored.push_back(kept);
  }
  EXPECT_EQ(whole.size(), 11U);
  std::set<std::string> ids;
  for (std::uint64_t shard = 1; shard <= 3; ++shard) {
    Work part = whole;
    part.shard = {shard, 3};
    for (std::uint64_t i = 0; i < part.size(); ++i) {
      const bool is_own = part.holds(i);
      EXPECT_EQ(is_own, is_own && ids.insert(part.item(i).test_case.id).second);
    }
  }
  EXPECT_EQ(ids.size(), 11U);
}

/// Cases that the fake can compute, as stored ones.
std::vector<StoredCase> computable_cases(std::size_t count) {
  cases::Selection selection;
  selection.kind = cases::Kind::Valid;
  selection.products = {corpus::Product::Ascend910B};
  selection.dtypes = {corpus::DataType::Float};
  selection.max_macs = 5'000;
  const auto source = cases::CaseSource::of(selection);
  std::vector<StoredCase> cases;
  for (std::uint64_t i = 0; cases.size() < count; ++i) {
    corpus::Case test_case = (*source)(9, i);
    const auto& weight = test_case.grad_weight;
    const bool computable = test_case.cube_math_type == 0 && oracle::mac_count(test_case) != 0 &&
                            (!weight || weight->dtype == corpus::DataType::Float);
    if (computable) cases.push_back({std::move(test_case), "stored.jsonl"});
  }
  return cases;
}

CampaignResult run(const fs::path& folder, targets::Misbehaviour misbehaviour, std::uint64_t cases,
                   const std::atomic<bool>& stop) {
  const Work work{computable_cases(300), std::nullopt, 9, {}};
  CampaignSettings settings;
  settings.budget.cases = cases;
  settings.folder = folder;
  auto results = findings::ResultsFile::open(folder);
  EXPECT_TRUE(results);
  Progress progress;
  return run_campaign(targets::fake_library(misbehaviour), work, settings, *results, progress,
                      stop);
}

TEST(Campaign, RunsExactlyTheCasesAskedForAndAgrees) {
  const tests::ScratchFolder folder;
  const std::atomic<bool> go{false};
  const CampaignResult result = run(folder.path(), targets::Misbehaviour::None, 401, go);
  EXPECT_EQ(result.summary.cases(), 401U);
  EXPECT_EQ(result.summary.count(Outcome::Disagree), 0U)
      << testing::PrintToString(result.summary.disagreements);
  EXPECT_GT(result.summary.count(Outcome::Agree), 350U);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_FALSE(result.write_problem);
}

/// Generated calls whose tensors need more than `max_bytes`: with data, among so many.
std::size_t large_computed_calls(std::uint64_t max_bytes, std::uint64_t count) {
  Work work;
  work.source = *cases::CaseSource::of({});
  work.seed = 2;
  CampaignSettings settings;
  settings.check.judge.profile = oracle::Profile::Tolerant;
  settings.max_bytes = max_bytes;
  std::size_t large = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const WorkItem item = work.item(i);
    const auto runs = runs_of_item(work, item, settings);
    EXPECT_FALSE(runs.empty());
    if (targets::memory_bytes(item.test_case).value_or(0) <= max_bytes) continue;
    for (const ItemRun& run : runs) large += run.test_case.data ? 1 : 0;
    EXPECT_EQ(runs.size(), 1U);
    EXPECT_TRUE(runs.front().repro.ends_with(" --status-only")) << runs.front().repro;
  }
  return large;
}

TEST(Campaign, JudgesOfLargeGeneratedCallsTheStatusAlone) {
  EXPECT_EQ(large_computed_calls(1'000'000, 2'000), 0U);
  const Work work{computable_cases(1), std::nullopt, 2, {}};
  CampaignSettings settings;
  settings.max_bytes = 1;
  const auto runs = runs_of_item(work, work.item(0), settings);
  ASSERT_FALSE(runs.empty());
  EXPECT_TRUE(runs.front().test_case.data) << "stored calls are computed whatever they need";
}

/// How often a generated call gets infinite and NaN operands where the kernel is as large as the
/// map.
int runs_with_specials(std::int64_t height, std::int64_t width) {
  const auto tensor = [](std::int64_t rows, std::int64_t columns) {
    corpus::TensorCase dense;
    dense.shape = {1, 1, rows, columns};
    dense.format = corpus::Format::Nchw;
    return dense;
  };
  corpus::Case test_case;
  test_case.input = test_case.grad_input = tensor(height, width);
  test_case.weight = test_case.grad_weight = tensor(height, width);
  test_case.grad_output = tensor(1, 1);
  test_case.stride = test_case.dilation = std::vector<std::int64_t>{1, 1};
  test_case.padding = test_case.output_padding = std::vector<std::int64_t>{0, 0};
  test_case.output_mask = {true, true, false};
  int found = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Work work{{}, std::nullopt, seed, {}};
    const WorkItem item{.test_case = test_case, .repro = "", .is_generated = true};
    for (const ItemRun& run : runs_of_item(work, item, {})) {
      const bool has_data = run.law == nullptr && run.test_case.data.has_value();
      found += has_data && run.test_case.data->distribution == corpus::Distribution::Specials;
    }
  }
  return found;
}

TEST(Campaign, GivesNoSpecialsToCallsThatWouldTakeTheSimulatedCoresMinutes) {
  EXPECT_GT(runs_with_specials(3, 20), 0);
  EXPECT_EQ(runs_with_specials(255, 80), 0);
}

/// A filter as large as the map: few products count, but the cores multiply all of them.
TEST(Campaign, AsksCallsThatWouldTakeTheSimulatedCoresMinutesForTheirStatusAlone) {
  const auto has_data = [](std::int64_t height, std::int64_t width) {
    const auto tensor = [](std::int64_t rows, std::int64_t columns) {
      corpus::TensorCase dense;
      dense.shape = {1, 1, 1, rows, columns};
      dense.format = corpus::Format::Ncdhw;
      return dense;
    };
    corpus::Case test_case;
    test_case.api = corpus::Api::Conv3DBackpropInputV2;
    test_case.grad_input = test_case.weight = tensor(height, width);
    test_case.grad_output = tensor(1, 1);
    auto& attributes = test_case.attributes.emplace();
    attributes.data_format = "NCDHW";
    attributes.strides = std::vector<std::int64_t>(5, 1);
    attributes.pads = std::vector<std::int64_t>(6, 0);
    attributes.input_size = test_case.grad_input->shape;
    const Work work{{}, std::nullopt, 1, {}};
    const WorkItem item{.test_case = test_case, .repro = "", .is_generated = true};
    return runs_of_item(work, item, {}).front().test_case.data.has_value();
  };
  EXPECT_TRUE(has_data(100, 100));
  EXPECT_FALSE(has_data(528, 255));
}

TEST(Campaign, StoresEachFindingMinimisedUnderItsSignature) {
  const tests::ScratchFolder folder;
  const std::atomic<bool> go{false};
  const CampaignResult result = run(folder.path(), targets::Misbehaviour::LoseLastColumn, 300, go);
  EXPECT_GT(result.summary.count(Outcome::Disagree), 0U);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings.size(), result.summary.disagreements.size());
  for (const findings::Finding& finding : result.findings) {
    const auto read =
        findings::read_finding(findings::finding_file(folder.path(), finding.signature));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, finding.test_case);
    EXPECT_TRUE(finding.minimised);
  }
}

TEST(Campaign, EndsInOrderWhenItIsStopped) {
  const tests::ScratchFolder folder;
  const std::atomic<bool> stop{true};
  const CampaignResult result = run(folder.path(), targets::Misbehaviour::None, 1'000'000, stop);
  EXPECT_TRUE(result.interrupted);
  EXPECT_LT(result.summary.cases(), 1'000'000U);
}

TEST(Campaign, EndsWhenItsResultsCannotBeWritten) {
  const tests::ScratchFolder folder;
  fs::create_symlink("/dev/full", folder.path() / "results.jsonl");
  const std::atomic<bool> go{false};
  const CampaignResult result = run(folder.path(), targets::Misbehaviour::None, 100'000, go);
  EXPECT_THAT(result.write_problem.value_or(""), HasSubstr("No space left"));
  EXPECT_LT(result.seconds, 20);
}

}  // namespace
}  // namespace gradproof::runs
