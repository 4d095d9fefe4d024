#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "corpus/case_json.h"
#include "corpus/random_source.h"
#include "oracle/geometry/workload.h"
#include "oracle/numbers/number_format.h"
#include "properties/campaign/campaign.h"
#include "properties/campaign/ledger.h"
#include "properties/report/terminal.h"
#include "properties/results/findings.h"
#include "properties/results/results_line.h"
#include "properties/results/results_line_reader.h"
#include "tests/support/fake_cann.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::properties {
namespace {

namespace fs = std::filesystem;
using corpus::Outcome;
using testing::HasSubstr;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

RunRecord drawn_record(std::uint64_t number) {
  corpus::RandomSource random(77, number);
  RunRecord record;
  record.problem.id = std::to_string(number);
  record.problem.input.emplace();
  record.problem.cube_math_type = static_cast<std::int8_t>(random.between(0, 3));
  record.verdict.outcome = static_cast<Outcome>(random.between(0, 5));
  record.verdict.reason = "because " + std::to_string(random.between(0, 3));
  if (record.verdict.outcome == Outcome::Disagree) {
    record.verdict.kind =
        random.chance(50) ? corpus::DisagreementKind::Value : corpus::DisagreementKind::Status;
  }
  if (random.chance(30)) record.verdict.rules = {"STRIDE-01"};
  auto& evidence = record.verdict.outputs[static_cast<std::size_t>(random.between(0, 2))];
  evidence.compared = true;
  evidence.compared_elements = static_cast<std::uint64_t>(random.between(0, 9));
  evidence.compute_format = oracle::name_of(oracle::NumberFormat::Float);
  evidence.reduction_length = static_cast<std::uint64_t>(random.between(0, 2000));
  evidence.sums_are_exact = random.chance(50);
  evidence.mere = static_cast<double>(random.between(0, 1000)) / 7;
  evidence.rmse = static_cast<double>(random.between(0, 1000)) / 11;
  evidence.standards = {{.name = "relative error (FLOAT)", .met = random.chance(50)}};
  evidence.bound_ratio = static_cast<double>(random.between(0, 100)) / 100;
  evidence.ulp_max = static_cast<double>(random.between(0, 9));
  return record;
}

Summary summary_of(std::uint64_t begin, std::uint64_t end) {
  Summary summary;
  for (std::uint64_t i = begin; i < end; ++i) summary.add(drawn_record(i));
  return summary;
}

Summary merged(Summary one, const Summary& other) {
  one.merge(other);
  return one;
}

TEST(SummaryAlgebra, HasAnIdentityAndDoesNotCareForOrderOrGrouping) {
  const Summary a = summary_of(0, 40), b = summary_of(40, 55), c = summary_of(55, 100);
  EXPECT_EQ(merged(a, Summary{}), a);
  EXPECT_EQ(merged(Summary{}, a), a);
  EXPECT_EQ(merged(a, b), merged(b, a));
  EXPECT_EQ(merged(merged(a, b), c), merged(a, merged(b, c)));
  EXPECT_EQ(merged(merged(a, b), c), summary_of(0, 100));
  EXPECT_EQ(summary_of(0, 100).cases(), 100U);
  EXPECT_NE(a, b);
}

TEST(LastLine, IsTheContracts) {
  Summary summary;
  summary.outcomes = {12000, 0, 0, 5, 300, 40};
  EXPECT_EQ(
      last_line("verify", summary, 42, 60.12),
      "verify: 12345 cases: 12000 agreed, 0 disagreed, 0 refused, 5 not comparable, 40 vacuous, "
      "300 skipped; seed 42; 60.1 s");
}

TEST(HealthProblem, IsRaisedByRunsThatProveTooLittle) {
  Summary summary;
  EXPECT_TRUE(health_problem(summary));
  summary.outcomes[static_cast<std::size_t>(Outcome::Agree)] = 100;
  EXPECT_FALSE(health_problem(summary));
  summary.outcomes[static_cast<std::size_t>(Outcome::Vacuous)] = 30;
  EXPECT_THAT(health_problem(summary).value_or(""), HasSubstr("vacuous"));
  summary.outcomes[static_cast<std::size_t>(Outcome::Vacuous)] = 0;
  summary.outcomes[static_cast<std::size_t>(Outcome::Skipped)] = 50;
  EXPECT_THAT(health_problem(summary).value_or(""), HasSubstr("skipped"));
}

TEST(HealthProblem, IsNotRaisedByTheChanceOfAFewCases) {
  Summary summary;
  summary.outcomes[static_cast<std::size_t>(Outcome::Vacuous)] = 2;
  EXPECT_THAT(health_problem(summary).value_or(""), HasSubstr("vacuous"));
  summary.outcomes[static_cast<std::size_t>(Outcome::Agree)] = 3;
  EXPECT_FALSE(health_problem(summary));
}

/// A run of a legal call that has something to compute.
void add_legal(Summary& summary, int number, std::uint8_t data_type, Outcome outcome) {
  RunRecord record;
  record.problem.id = std::to_string(number);
  record.footprint = Footprint{};
  record.footprint->is_legal = true;
  Classes classes{};
  for (std::size_t i = 0; i < call_classes.size(); ++i) {
    classes.at(static_cast<std::size_t>(call_classes.at(i).dimension)) =
        static_cast<std::uint8_t>(i);
  }
  classes.front() = data_type;
  record.footprint->classes = classes;
  record.verdict.outcome = outcome;
  record.verdict.status =
      outcome == Outcome::Refused ? corpus::Status::InnerNullptr : corpus::Status::Success;
  summary.add(record);
}

constexpr std::uint8_t float_class = 0, bfloat16_class = 2;

TEST(HealthProblem, IsRaisedWhereNoLegalCallWasComputed) {
  for (const Outcome outcome : {Outcome::Refused, Outcome::NotComparable}) {
    Summary summary;  // of which illegal calls alone agree
    summary.outcomes[static_cast<std::size_t>(Outcome::Agree)] = 500;
    EXPECT_FALSE(health_problem(summary));
    for (int i = 0; i < 100; ++i) add_legal(summary, i, float_class, outcome);
    EXPECT_THAT(health_problem(summary).value_or(""), HasSubstr("no result was compared"));
    Summary merged_later;
    merged_later.merge(summary);
    EXPECT_TRUE(health_problem(merged_later));
    add_legal(merged_later, 100, float_class, Outcome::Agree);
    EXPECT_FALSE(health_problem(merged_later));
  }
}

TEST(HealthProblem, IsNotRaisedByLawsWhichStateNoStatus) {
  Summary summary;
  for (int i = 0; i < 100; ++i) {
    RunRecord record;
    record.footprint = Footprint{};
    record.footprint->is_legal = true;
    record.verdict.outcome = Outcome::Agree;
    summary.add(record);
  }
  EXPECT_FALSE(health_problem(summary));
}

TEST(HealthProblem, NamesTheClassesThatAreRefusedThroughout) {
  Summary summary;
  for (int i = 0; i < 200; ++i) add_legal(summary, i, float_class, Outcome::Agree);
  for (int i = 0; i < 19; ++i) add_legal(summary, i, bfloat16_class, Outcome::Refused);
  EXPECT_FALSE(health_problem(summary));
  add_legal(summary, 19, bfloat16_class, Outcome::Refused);
  const std::string problem = health_problem(summary).value_or("");
  EXPECT_THAT(problem, HasSubstr("refused throughout: BF16 (20 calls);"));
  EXPECT_THAT(problem, HasSubstr("--dtype"));
  add_legal(summary, 20, bfloat16_class, Outcome::Agree);
  EXPECT_FALSE(health_problem(summary));
}

TEST(ResultsLine, IsJsonWithTheContractsKeys) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    RunRecord record = drawn_record(i);
    record.verdict.outputs[0].mare = std::numeric_limits<double>::infinity();
    record.verdict.outputs[0].compared = true;
    record.verdict.reason = "quotes \" and \\ and \x01 and \xff";
    record.repro = "gradproof replay x.jsonl";
    const auto json =
        nlohmann::json::parse(results_line(record, {"simulated", "documented"}, 0), nullptr, false);
    ASSERT_FALSE(json.is_discarded());
    for (const char* key : {"id", "target", "profile", "law", "verdict", "admitted", "rules",
                            "outputs", "milliseconds", "repro"}) {
      EXPECT_TRUE(json.contains(key)) << key;
    }
    EXPECT_EQ(json["profile"], "documented");
    EXPECT_TRUE(json["outputs"]["gradInput"]["mare"].is_null());
    const bool disagrees = record.verdict.outcome == Outcome::Disagree;
    EXPECT_EQ(json.contains("case"), disagrees);
    EXPECT_EQ(json.contains("kind"), disagrees);
  }
}

/// A resumed run counts its earlier lines as if they had just been judged.
TEST(ResultsLine, ComesBackAsTheVerdictThatASummaryCounts) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    RunRecord record = drawn_record(i);
    record.verdict.law = "exactness";
    if (record.verdict.outcome == Outcome::Disagree) {
      record.problem = (*CaseSource::of({}))(3, i);
      record.verdict.culprit = corpus::OutputRole::GradWeight;
    }
    const auto line = parse_results_line(results_line(record, {"fake", "documented"}, 0));
    ASSERT_TRUE(line) << line.error();
    EXPECT_EQ(line->id, record.problem.id);
    EXPECT_EQ(line->verdict.signature(), record.verdict.signature());
    RunRecord restored{record.problem, line->verdict, line->repro};
    Summary once, again, read;
    once.add(record);
    again.add(restored);
    read.add(*line);
    // An agreement's reason is not written and not counted.
    EXPECT_EQ(once, again) << i;
    EXPECT_EQ(once, read) << i;
  }
  EXPECT_FALSE(parse_results_line("{"));
  EXPECT_FALSE(parse_results_line("{}"));
}

TEST(Ledger, EntersBlocksInTheirOrderWhicheverComesFirst) {
  const tests::ScratchFolder folder;
  auto results = ResultsFile::open(folder.path());
  ASSERT_TRUE(results);
  Ledger ledger(*results, {"fake", "documented"}, std::nullopt);
  EXPECT_TRUE(ledger.enter(2, {drawn_record(4)}).empty());
  EXPECT_TRUE(ledger.enter(1, {drawn_record(2), drawn_record(3)}).empty());
  EXPECT_EQ(ledger.summary().cases(), 0U);
  ledger.enter(0, {drawn_record(0), drawn_record(1)});
  EXPECT_EQ(ledger.summary(), summary_of(0, 5));
  std::istringstream lines(text_of(results->path()));
  std::string line;
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(nlohmann::json::parse(line)["id"], std::to_string(i));
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(Ledger, ClosesAtItsLimitAndNamesEachSignatureOnce) {
  const tests::ScratchFolder folder;
  auto results = ResultsFile::open(folder.path());
  ASSERT_TRUE(results);
  Ledger ledger(*results, {"fake", "documented"}, 30);
  std::vector<RunRecord> records;
  for (std::uint64_t i = 0; i < 50; ++i) records.push_back(drawn_record(i));
  std::set<std::string> seen;
  for (const RunRecord& record : ledger.enter(0, records)) {
    EXPECT_TRUE(seen.insert(record.verdict.signature()).second);
  }
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_TRUE(ledger.is_closed());
  EXPECT_EQ(ledger.summary(), summary_of(0, 30));
}

TEST(Ledger, EntersWhatWaitsWhenABlockNeverComes) {
  const tests::ScratchFolder folder;
  auto results = ResultsFile::open(folder.path());
  ASSERT_TRUE(results);
  Ledger ledger(*results, {"fake", "documented"}, std::nullopt);
  ledger.enter(3, {drawn_record(3)});
  EXPECT_EQ(ledger.summary().cases(), 0U);
  ledger.finish();
  EXPECT_EQ(ledger.summary().cases(), 1U);
}

TEST(ResultsFile, SaysWhatCannotBeWritten) {
  const auto under_a_file = ResultsFile::open("/etc/passwd/out");
  ASSERT_FALSE(under_a_file);
  EXPECT_THAT(under_a_file.error(), HasSubstr("/etc/passwd/out"));
  const auto nowhere = ResultsFile::open("/proc/gradproof-out");
  ASSERT_FALSE(nowhere);
  const tests::ScratchFolder folder;
  fs::create_symlink("/dev/full", folder.path() / "results.jsonl");
  auto full = ResultsFile::open(folder.path());
  ASSERT_TRUE(full);
  EXPECT_THAT(full->append("{}\n").value_or(""), HasSubstr("No space left"));
}

TEST(WriteFile, ReplacesFilesAndWritesInPlaceWhatIsNone) {
  const tests::ScratchFolder folder;
  const fs::path file = folder.path() / "report.html", pipe = folder.path() / "pipe",
                 link = folder.path() / "full";
  ASSERT_EQ(write_file(file, "old"), std::nullopt);
  std::ifstream held(file);
  ASSERT_EQ(write_file(file, "new"), std::nullopt);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(held), {}), "old")
      << "a reader has one text";
  EXPECT_EQ(fs::file_size(file), 3U);

  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] {
    std::ifstream stream(pipe);
    received.assign(std::istreambuf_iterator<char>(stream), {});
  });
  EXPECT_EQ(write_file(pipe, "through"), std::nullopt);
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(fs::is_fifo(pipe));

  fs::create_symlink("/dev/full", link);
  EXPECT_THAT(write_file(link, "text").value_or(""), HasSubstr("No space left"));
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST(Findings, ComeBackAsTheCaseThatWasStored) {
  const tests::ScratchFolder folder;
  Finding finding;
  finding.signature = "disagree-value-exactness-gradInput";
  finding.problem = CaseSource::of({})->operator()(3, 14);
  finding.original = CaseSource::of({})->operator()(3, 15);
  finding.verdict.reason = "a \"reason\"";
  ASSERT_FALSE(save_finding(folder.path(), finding));
  const auto files = finding_files(folder.path());
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0], finding_file(folder.path(), finding.signature));
  const auto read = read_finding(files[0]);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(*read, finding.problem);
  const auto json = nlohmann::json::parse(text_of(files[0]));
  EXPECT_EQ(json["signature"], finding.signature);
  EXPECT_EQ(json["original"]["id"], "3-15");

  std::ofstream(files[0]) << "{\"case\":5}\n";
  EXPECT_FALSE(read_finding(files[0]));
  EXPECT_THAT(read_finding("/nowhere.json").error().text(), HasSubstr("/nowhere.json"));
}

TEST(Work, DealsItsItemsOutToShards) {
  Work whole{{}, std::nullopt, 1, {}};
  for (std::uint64_t i = 0; i < 11; ++i) {
    StoredCase kept;
    kept.problem.id = std::to_string(i);
    whole.stored.push_back(kept);
  }
  EXPECT_EQ(whole.size(), 11U);
  std::set<std::string> ids;
  for (std::uint64_t shard = 1; shard <= 3; ++shard) {
    Work part = whole;
    part.shard = {shard, 3};
    for (std::uint64_t i = 0; i < part.size(); ++i) {
      const bool is_own = part.holds(i);
      EXPECT_EQ(is_own, is_own && ids.insert(part.item(i).problem.id).second);
    }
  }
  EXPECT_EQ(ids.size(), 11U);
}

/// Cases that the fake can compute, as stored ones.
std::vector<StoredCase> computable_cases(std::size_t count) {
  Selection selection;
  selection.kind = Kind::Valid;
  selection.products = {corpus::Product::Ascend910B};
  selection.dtypes = {corpus::DataType::Float};
  selection.max_macs = 5'000;
  const auto source = CaseSource::of(selection);
  std::vector<StoredCase> cases;
  for (std::uint64_t i = 0; cases.size() < count; ++i) {
    corpus::Case problem = (*source)(9, i);
    const auto& weight = problem.grad_weight;
    const bool computable = problem.cube_math_type == 0 && oracle::mac_count(problem) != 0 &&
                            (!weight || weight->dtype == corpus::DataType::Float);
    if (computable) cases.push_back({std::move(problem), "stored.jsonl"});
  }
  return cases;
}

CampaignResult run(const fs::path& folder, Misbehaviour misbehaviour, std::uint64_t cases,
                   const std::atomic<bool>& stop) {
  const Work work{computable_cases(300), std::nullopt, 9, {}};
  CampaignSettings settings;
  settings.budget.cases = cases;
  settings.folder = folder;
  auto results = ResultsFile::open(folder);
  EXPECT_TRUE(results);
  Progress progress;
  return run_campaign(fake_library(misbehaviour), work, settings, *results, progress, stop);
}

TEST(Campaign, RunsExactlyTheCasesAskedForAndAgrees) {
  const tests::ScratchFolder folder;
  const std::atomic<bool> go{false};
  const CampaignResult result = run(folder.path(), Misbehaviour::None, 401, go);
  EXPECT_EQ(result.summary.cases(), 401U);
  EXPECT_EQ(result.summary.count(Outcome::Disagree), 0U) << terminal_tables(result.summary);
  EXPECT_GT(result.summary.count(Outcome::Agree), 350U);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_FALSE(result.write_problem);
}

TEST(Campaign, StoresEachFindingMinimisedUnderItsSignature) {
  const tests::ScratchFolder folder;
  const std::atomic<bool> go{false};
  const CampaignResult result = run(folder.path(), Misbehaviour::LoseLastColumn, 300, go);
  EXPECT_GT(result.summary.count(Outcome::Disagree), 0U);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings.size(), result.summary.disagreements.size());
  for (const Finding& finding : result.findings) {
    const auto read = read_finding(finding_file(folder.path(), finding.signature));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, finding.problem);
    EXPECT_TRUE(finding.minimised);
  }
}

TEST(Campaign, EndsInOrderWhenItIsStopped) {
  const tests::ScratchFolder folder;
  const std::atomic<bool> stop{true};
  const CampaignResult result = run(folder.path(), Misbehaviour::None, 1'000'000, stop);
  EXPECT_TRUE(result.interrupted);
  EXPECT_LT(result.summary.cases(), 1'000'000U);
}

TEST(Campaign, EndsWhenItsResultsCannotBeWritten) {
  const tests::ScratchFolder folder;
  fs::create_symlink("/dev/full", folder.path() / "results.jsonl");
  const std::atomic<bool> go{false};
  const CampaignResult result = run(folder.path(), Misbehaviour::None, 100'000, go);
  EXPECT_THAT(result.write_problem.value_or(""), HasSubstr("No space left"));
  EXPECT_LT(result.seconds, 20);
}

}  // namespace
}  // namespace gradproof::properties
