#include "properties/campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "oracle/workload.h"
#include "properties/campaign/ledger.h"
#include "properties/shrink.h"

namespace gradproof::properties {
namespace {

using Clock = std::chrono::steady_clock;
using corpus::Case;
using corpus::Verdict;

class Campaign {
 public:
  Campaign(const std::shared_ptr<const Library>& library, const Work& work,
           const CampaignSettings& settings, ResultsFile& results, Progress& progress,
           const std::atomic<bool>& stop)
      : library_(library),
        work_(work),
        settings_(settings),
        progress_(progress),
        stop_(stop),
        ledger_(results, {library->name(), settings.check.judge.profile}, settings.budget.cases) {}

  CampaignResult run() {
    const auto begin = Clock::now();
    if (settings_.budget.time) deadline_ = begin + *settings_.budget.time;
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1U, settings_.jobs); ++i) {
      workers.emplace_back([this] { work(); });
    }
    for (std::thread& worker : workers) worker.join();
    minimise_all(ledger_.finish(), nullptr);
    CampaignResult result;
    result.summary = ledger_.summary();
    result.findings = std::move(findings_);
    result.interrupted = stop_.load();
    result.write_problem = ledger_.write_problem() ? ledger_.write_problem() : finding_problem_;
    result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return result;
  }

 private:
  bool is_over() const {
    return stop_.load() || finding_failed_.load() || (deadline_ && Clock::now() >= *deadline_) ||
           ledger_.is_closed();
  }

  void work() {
    Target target(library_);
    while (!is_over()) {
      const std::uint64_t block = next_block_.fetch_add(1);
      if (block >= blocks()) return;
      minimise_all(ledger_.enter(block, run_block(target, block)), &target);
    }
  }

  std::uint64_t blocks() const {
    const std::uint64_t size = work_.size();
    return size / work_.block_size() + (size % work_.block_size() == 0 ? 0 : 1);
  }

  std::vector<RunRecord> run_block(Target& target, std::uint64_t block) {
    std::vector<RunRecord> records;
    const std::uint64_t first = block * work_.block_size();
    const std::uint64_t end = std::min(first + work_.block_size(), work_.size());
    for (std::uint64_t i = first; i < end; ++i) {
      if (stop_.load() || (deadline_ && Clock::now() >= *deadline_)) break;
      run_item(target, work_.item(i), records);
    }
    return records;
  }

  void run_item(Target& target, WorkItem item, std::vector<RunRecord>& records) {
    if (auto skipped = skipped_for_size(item.problem)) {
      records.push_back({std::move(item.problem), std::move(*skipped), std::move(item.repro)});
      return;
    }
    if (!item.law.empty()) return run_law(target, law_named(item.law), item, records);
    for (const Case& run : runs_of_item(item.problem)) {
      enter({run, check(target, run, settings_.check), item.repro}, records);
    }
    if (settings_.check.run.status_only) return;
    for (const Law* law : laws_of_item(item)) {
      WorkItem under_law = item;
      if (item.is_generated) under_law.repro += fmt::format(" --law {}", law->name);
      run_law(target, law, under_law, records);
    }
  }

  /// A person who replays a case under a law is told where the law says nothing.
  std::vector<const Law*> laws_of_item(const WorkItem& item) const {
    if (!work_.source && !settings_.laws.drawn) return settings_.laws.laws;
    return laws_for(settings_.laws, item.problem, item.is_generated, settings_.check.judge.profile);
  }

  void run_law(Target& target, const Law* law, const WorkItem& item,
               std::vector<RunRecord>& records) {
    const auto run = law_run(*law, item.problem, data_seed(item.problem, work_.seed));
    // Without data under which the law says anything, it says nothing.
    const Case& problem = run ? *run : item.problem;
    if (!run && work_.source) return;
    enter({problem, check_law(*law, target, problem, settings_.check), item.repro}, records);
  }

  void enter(RunRecord record, std::vector<RunRecord>& records) {
    ++progress_.cases;
    if (record.verdict.outcome == corpus::Outcome::Disagree) {
      ++progress_.disagreements;
      record.repro =
          fmt::format("gradproof replay {}",
                      finding_file(settings_.folder, record.verdict.signature()).string());
    }
    records.push_back(std::move(record));
  }

  std::vector<Case> runs_of_item(const Case& problem) const {
    if (!settings_.laws.exactness && !settings_.laws.status) return {};
    if (settings_.laws.exactness && !settings_.check.run.status_only) {
      return runs_of(problem, settings_.recipes, settings_.check.judge.profile, work_.seed);
    }
    Case bare = problem;  // phase one reads no element
    bare.data.reset();
    return {bare};
  }

  std::optional<Verdict> skipped_for_size(const Case& problem) const {
    if (!settings_.max_macs || settings_.check.run.status_only) return std::nullopt;
    if (oracle::mac_count(problem).value_or(0) <= *settings_.max_macs) return std::nullopt;
    Verdict verdict;
    verdict.outcome = corpus::Outcome::Skipped;
    verdict.reason =
        fmt::format("more than {} multiply-accumulates (--max-macs)", *settings_.max_macs);
    return verdict;
  }

  /// A finding is stored as it is first, so that nothing is lost with the process while it shrinks.
  void minimise_all(const std::vector<RunRecord>& fresh, Target* target) {
    if (fresh.empty()) return;
    std::optional<Target> own;
    if (target == nullptr) target = &own.emplace(library_);
    for (const RunRecord& record : fresh) minimise(*target, record);
  }

  void minimise(Target& target, const RunRecord& record) {
    Finding finding{record.verdict.signature(), record.problem, record.problem, record.verdict,
                    false};
    keep(finding);
    const auto check_case = [&](const Case& problem) {
      const Law* law = law_named(record.verdict.law);
      return law ? check_law(*law, target, problem, settings_.check)
                 : check(target, problem, settings_.check);
    };
    const Shrunk shrunk = shrink(record.problem, check_case, {settings_.shrink_time, &stop_});
    const std::string signature = shrunk.verdict.signature();
    if (signature == finding.signature) {
      finding.problem = shrunk.problem;
      finding.verdict = shrunk.verdict;
      finding.minimised = shrunk.finished;
    }
    keep(finding);
    ++progress_.findings;
    const std::scoped_lock lock(mutex_);
    findings_.push_back(std::move(finding));
  }

  void keep(const Finding& finding) {
    auto problem = save_finding(settings_.folder, finding);
    if (!problem) return;
    const std::scoped_lock lock(mutex_);
    finding_problem_ = std::move(problem);
    finding_failed_.store(true);
  }

  std::shared_ptr<const Library> library_;
  const Work& work_;
  const CampaignSettings& settings_;
  Progress& progress_;
  const std::atomic<bool>& stop_;
  Ledger ledger_;
  std::optional<Clock::time_point> deadline_;
  std::atomic<std::uint64_t> next_block_{0};
  std::atomic<bool> finding_failed_{false};
  std::mutex mutex_;
  std::vector<Finding> findings_;
  std::optional<std::string> finding_problem_;
};

}  // namespace

CampaignResult run_campaign(const std::shared_ptr<const Library>& library, const Work& work,
                            const CampaignSettings& settings, ResultsFile& results,
                            Progress& progress, const std::atomic<bool>& stop) {
  return Campaign(library, work, settings, results, progress, stop).run();
}

}  // namespace gradproof::properties
