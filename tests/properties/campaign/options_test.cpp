// Whatever asks a target, no call lies outside of the options of the run.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "corpus/case_json.h"
#include "properties/cases/check/check.h"
#include "properties/runs/campaign/campaign.h"
#include "properties/targets/pipe/pipe_library.h"
#include "properties/targets/session/unwritten.h"
#include "properties/targets/target/target.h"
#include "tests/library/drawn_options.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shell.h"

namespace gradproof::runs {
namespace {

using corpus::Case;

constexpr std::uint64_t sets = 200;
constexpr std::uintmax_t enough_bytes = 16'384;  ///< of a program's log: some 30 calls

/// What a target was asked, until it has been asked enough.
struct Asked {
  std::vector<Case> calls;
  std::atomic<bool> is_enough{false};
};

/// Wrong in every way that it can be: it takes every call and answers zeros.
class ZeroTarget final : public targets::Target {
 public:
  ZeroTarget(std::shared_ptr<const targets::Library> library, Asked& asked)
      : targets::Target(std::move(library)), asked_(asked) {}
  tl::expected<std::uint64_t, std::string> free_memory() override { return 0; }
  bool gains_by_batches() const override { return false; }
  bool endangers_this_process() const override { return false; }

 private:
  corpus::Observation run_one(const Case& test_case,
                              const targets::RunSettings& settings) override {
    constexpr std::size_t most = 60;
    asked_.calls.push_back(test_case);
    if (asked_.calls.size() >= most) asked_.is_enough.store(true);
    corpus::Observation seen;
    seen.phase_one = corpus::Status::Success;
    if (settings.status_only || !test_case.data || !test_case.shape_consistent) return seen;
    seen = targets::nothing_written(test_case);
    seen.phase_one = seen.phase_two = seen.synchronise = corpus::Status::Success;
    for (auto& output : seen.outputs) std::ranges::fill(output.bits, std::byte{0});
    return seen;
  }
  std::vector<corpus::Observation> run_several(std::span<const Case> cases,
                                               const targets::RunSettings& settings) override {
    std::vector<corpus::Observation> seen;
    for (const Case& test_case : cases) seen.push_back(run_one(test_case, settings));
    return seen;
  }
  std::vector<corpus::Observation> run_together(std::span<const Case> cases,
                                                const targets::RunSettings& settings) override {
    return run_several(cases, settings);
  }

  Asked& asked_;
};

class ZeroLibrary final : public targets::Library,
                          public std::enable_shared_from_this<ZeroLibrary> {
 public:
  explicit ZeroLibrary(Asked& asked)
      : targets::Library({.name = "zeros",
                          .devices = {{0, "Ascend910B1", corpus::Product::Ascend910B},
                                      {1, "Ascend950", corpus::Product::Ascend950}},
                          .remarks = {},
                          .apis = cases::generated_apis}),
        asked_(asked) {}
  std::unique_ptr<targets::Target> new_target() const override {
    return std::make_unique<ZeroTarget>(shared_from_this(), asked_);
  }

 private:
  Asked& asked_;
};

/// What comes with a run whatever its options are: calls of all kinds.
std::vector<StoredCase> stored_cases() {
  cases::Selection all;
  all.apis = cases::generated_apis;
  const auto source = *cases::CaseSource::of(all);
  std::vector<StoredCase> cases;
  for (std::uint64_t i = 0; i < 12; ++i) cases.push_back({source(77, i), "stored.jsonl"});
  return cases;
}

CampaignResult run(const std::shared_ptr<const targets::Library>& library,
                   const cases::Selection& options, std::uint64_t seed, std::uint64_t cases,
                   const std::atomic<bool>& stop) {
  const tests::ScratchFolder folder;
  Work work{stored_cases(), *cases::CaseSource::of(options), seed, {}};
  std::erase_if(work.stored,
                [&](const StoredCase& kept) { return !cases::admits(options, kept.test_case); });
  CampaignSettings settings;
  settings.budget = {.time = {}, .cases = work.stored.size() + cases, .findings = 1};
  settings.folder = folder.path();
  settings.shrink_time = std::chrono::milliseconds(200);
  auto results = findings::ResultsFile::open(folder.path());
  EXPECT_TRUE(results);
  Progress progress;
  return run_campaign(cases::narrowed(library, options), work, settings, *results, progress, stop);
}

/// How the calls lie outside, with how many; empty: none does.
std::map<std::string, int> outside(const cases::Selection& options,
                                   const std::vector<Case>& calls) {
  std::map<std::string, int> found;
  for (const Case& call : calls) {
    const std::string how = tests::outside(options, call);
    if (!how.empty()) ++found[how];
  }
  return found;
}

TEST(Options, BindEveryCallThatATargetIsAsked) {
  std::size_t calls = 0, findings = 0, skipped = 0, cases = 0;
  for (std::uint64_t set = 0; set < sets; ++set) {
    const cases::Selection options = tests::drawn_options(set);
    Asked asked;
    const auto result = run(std::make_shared<ZeroLibrary>(asked), options, set, 6, asked.is_enough);
    EXPECT_TRUE(outside(options, asked.calls).empty())
        << set << cases::options_of(options)
        << testing::PrintToString(outside(options, asked.calls));
    calls += asked.calls.size();
    findings += result.findings.size();
    cases += result.summary.cases();
    skipped += result.summary.count(corpus::Outcome::Skipped);
  }
  EXPECT_GT(calls, 5'000U);
  EXPECT_GT(findings, sets / 2) << "shrinking and diagnosis asked as well";
  EXPECT_LT(skipped * 10, cases) << "what is drawn lies inside";
}

TEST(Options, BindEveryCallThatAProgramIsAsked) {
  std::size_t calls = 0;
  for (std::uint64_t set = 0; set < sets; ++set) {
    const tests::ScratchFolder folder;
    std::string json;
    cases::Selection options = tests::drawn_options_of_a_function(set, json);
    const auto log = folder.path() / "calls.jsonl";
    const auto program =
        targets::PipeLibrary::load({.command = GRADPROOF_PIPE_PROGRAM " zeros " + log.string()});
    ASSERT_TRUE(program) << program.error();
    // Counted by what the program wrote, as sanitizers and load change how long it takes.
    std::atomic<bool> is_enough{false};
    std::jthread reader([&](const std::stop_token& ended) {
      std::error_code none_yet;
      while (!ended.stop_requested()) {
        const std::uintmax_t bytes = std::filesystem::file_size(log, none_yet);
        if (!none_yet && bytes >= enough_bytes) is_enough.store(true);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    run(*program, options, set, 12, is_enough);
    const auto asked = corpus::read_cases(log);
    if (!asked) continue;  // nothing that is drawn first can be asked of it
    EXPECT_TRUE(outside(options, *asked).empty())
        << set << json << testing::PrintToString(outside(options, *asked));
    calls += asked->size();
  }
  EXPECT_GT(calls, 2'000U);
}

TEST(Options, CountACaseThatStatesARefusalAsNoValidCall) {
  cases::Selection options;
  Case test_case = (*cases::CaseSource::of(options))(1, 0);
  options.kind = cases::Kind::Valid;
  test_case = (*cases::CaseSource::of(options))(1, 0);
  ASSERT_EQ(cases::why_outside(options, test_case), nullptr);
  test_case.expect.emplace().status = corpus::Status::Success;
  EXPECT_EQ(cases::why_outside(options, test_case), nullptr);
  test_case.expect->status = corpus::Status::InnerNullptr;
  EXPECT_NE(cases::why_outside(options, test_case), nullptr) << "a kernel may judge nothing";
  options.kind = cases::Kind::All;
  EXPECT_EQ(cases::why_outside(options, test_case), nullptr);
}

/// The program in a folder that two targets share.
class TwoTargets : public testing::Test {
 protected:
  std::string verify(const std::string& target, const std::string& options) const {
    return tests::run_in_shell(GRADPROOF_PROGRAM
                                   " verify --jobs 1 "
                                   "--soc Ascend910B --dtype FLOAT --kind valid --law exactness "
                                   "--target " +
                                   target + " " + options,
                               folder_.path())
        .output;
  }
  std::size_t lines() const {
    const std::string text = folder_.read("gradproof-out/results.jsonl");
    return to_size(std::ranges::count(text, '\n'));
  }
  std::string line(std::size_t number) const {
    std::istringstream text(folder_.read("gradproof-out/results.jsonl"));
    std::string line;
    for (std::size_t i = 0; i <= number; ++i) std::getline(text, line);
    return line;
  }
  /// The id of the only finding's case.
  std::string found() const {
    for (const auto& entry :
         std::filesystem::directory_iterator(folder_ / "gradproof-out/findings")) {
      const std::string text =
          folder_.read("gradproof-out/findings/" + entry.path().filename().string());
      const std::size_t begin = text.find("\"id\":\"");
      return text.substr(begin, text.find(',', begin) - begin);
    }
    return "none";
  }

  tests::ScratchFolder folder_;
};

TEST_F(TwoTargets, TryTheirOwnFindingsAlone) {
  const std::string first = GRADPROOF_KERNEL_FOLDER "/libmy_kernel_MISTAKE.so";
  const std::string other = GRADPROOF_KERNEL_FOLDER "/libmy_kernel_SKIPS_ZEROS_WRONGLY.so";
  verify(first, "--seed 1 --cases 3000 --findings 1");
  const std::size_t one = lines();
  const auto replays = [this, id = found()](std::size_t number) {
    return line(number).starts_with("{" + id);
  };
  EXPECT_FALSE(replays(0));
  verify(other, "--seed 1 --cases 3000 --findings 1");
  const std::size_t two = lines();
  ASSERT_GT(two, one);
  EXPECT_FALSE(replays(one)) << line(one);
  verify(first, "--seed 2 --cases 30");  // a seed's lines take the place of its earlier ones
  ASSERT_GT(lines(), two);
  EXPECT_TRUE(replays(two)) << line(two);
  // The same library elsewhere is the same target.
  std::filesystem::copy_file(first, folder_ / "moved.so");
  const std::size_t three = lines();
  verify("./moved.so", "--seed 3 --cases 30");
  EXPECT_TRUE(replays(three)) << line(three);
  const std::size_t four = lines();
  verify(first, "--seed 4 --cases 30 --rank 5");
  EXPECT_FALSE(replays(four)) << "the finding is a 1D call: " << line(four);
}

TEST_F(TwoTargets, TakeThePlaceOfTheirLinesWhenTheyAreStartedAgain) {
  const std::string target = GRADPROOF_KERNEL_FOLDER "/libmy_kernel_MISTAKE.so";
  verify(target, "--seed 1 --cases 40 --findings 9");
  const std::string first = folder_.read("gradproof-out/results.jsonl");
  verify(target, "--seed 1 --cases 40 --findings 9 --rank 4");
  const std::size_t both = lines();
  verify(target, "--seed 1 --cases 40 --findings 9 --rank 4");
  EXPECT_EQ(lines(), both);
  EXPECT_EQ(folder_.read("gradproof-out/results.jsonl").substr(0, first.size()), first)
      << "another run's lines stay";
}

}  // namespace
}  // namespace gradproof::runs
