#include "properties/runs/campaign/campaign.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "properties/cases/check/check.h"
#include "properties/runs/campaign/campaign_settings.h"
#include "properties/runs/campaign/earlier_calls.h"
#include "properties/runs/campaign/finding_names.h"
#include "properties/runs/campaign/item_runs.h"
#include "properties/runs/campaign/ledger.h"
#include "properties/runs/campaign/minimise.h"
#include "properties/runs/campaign/resume.h"
#include "properties/runs/campaign/unrun_verdicts.h"
#include "properties/targets/target/target.h"
#include "properties/targets/target/worker_threads.h"

namespace gradproof::runs {
namespace {

using Clock = std::chrono::steady_clock;

class Campaign {
 public:
  Campaign(const std::shared_ptr<const targets::Library>& library, const Work& work,
           const CampaignSettings& settings, findings::ResultsFile& results, Progress& progress,
           const std::atomic<bool>& stop)
      : library_(library),
        work_(work),
        settings_(settings),
        progress_(progress),
        stop_(stop),
        results_(results),
        ledger_(results,
                {library->name(), work.profiles(settings.check.judge.profile), work.seed,
                 work.shard.index, work.shard.count},
                settings.budget.cases, settings.recording, settings.certification) {}

  CampaignResult run() {
    begin_ = Clock::now();
    if (settings_.continued) begin_ -= settings_.continued->position.elapsed;
    if (settings_.budget.time) {
      deadline_ = begin_ + *settings_.budget.time;
      settings_.check.run.until = *deadline_ + most_beyond_the_time;
    }
    settings_.check.run.notes = &notes_;
    resume();
    histories_.resize(std::max(1U, settings_.jobs));
    CampaignResult result;
    result.workers = targets::on_threads(
        settings_.jobs, [this](unsigned worker) { work(worker); },
        [this](std::string problem) { fail(std::move(problem)); });
    minimise_all(ledger_.finish(), nullptr);
    result.summary = ledger_.summary();
    result.findings = std::move(findings_);
    result.interrupted = stop_.load();
    result.write_problem = ledger_.write_problem() ? ledger_.write_problem() : own_problem_;
    result.target_problem = ledger_.target_problem();
    result.not_in_time = notes_.ids();
    if (settings_.journal && !result.interrupted && !result.write_problem)
      result.write_problem = settings_.journal->finish(results_.size());
    result.seconds = seconds_so_far();
    return result;
  }

 private:
  bool is_over() const { return gives_up() || ledger_.is_closed() || has_found_enough(); }

  /// True if the campaign ends now; work under way is left as it is.
  bool gives_up() const { return stop_.load() || failed_.load() || is_late(); }

  bool has_found_enough() const {
    return settings_.budget.findings && progress_.findings.load() >= *settings_.budget.findings;
  }

  double seconds_so_far() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  bool is_late() const { return deadline_ && Clock::now() >= *deadline_; }
  /// Counts what the run that this one resumes has in the results file, and takes up its
  /// findings where they were left.
  void resume() {
    if (!settings_.journal) return;
    if (settings_.continued) next_block_ = settings_.continued->position.blocks;
    ledger_.resume(*settings_.journal, next_block_);
    if (!settings_.continued) return;
    std::vector<findings::RunRecord> findings;
    if (const auto problem = read_back_into(findings)) {
      return fail(
          fmt::format("{}: the interrupted run cannot be resumed: {}; --seed or another "
                      "--out begins a new one",
                      results_.path().string(), *problem));
    }
    minimise_all(findings, nullptr);
  }

  std::optional<std::string> read_back_into(std::vector<findings::RunRecord>& first_of_signatures) {
    const auto count = [&](findings::RunRecord record) {
      count_in_progress(record);
      record.ended_the_process =
          record.verdict.kind == corpus::DisagreementKind::Crash && !settings_.fatal_cases.empty();
      if (ledger_.restore(record)) first_of_signatures.push_back(std::move(record));
    };
    const auto count_others = [&](const findings::Summary& sums) {
      progress_.cases += sums.cases();
      ledger_.restore(sums);
    };
    return read_back(results_.path(), *settings_.continued, work_, settings_.recording,
                     {count, count_others});
  }

  void work(unsigned worker) {
    const auto target = library_->new_target();
    while (!is_over()) {
      const std::uint64_t block = next_block_.fetch_add(1);
      if (block >= blocks()) break;
      std::vector<findings::RunRecord> records;
      if (!run_block(*target, worker, block, records)) {
        ledger_.leave(block, std::move(records));
        break;
      }
      minimise_all(ledger_.enter(block, std::move(records)), target.get());
    }
    if (settings_.journal) note(settings_.journal->rest(worker));
  }

  std::uint64_t blocks() const {
    return work_.size() / work_.block_size() + (work_.size() % work_.block_size() == 0 ? 0 : 1);
  }

  /// Runs a block; false where it was given up before its end.
  bool run_block(targets::Target& target, unsigned worker, std::uint64_t block,
                 std::vector<findings::RunRecord>& records) {
    const std::uint64_t first = block * work_.block_size();
    const std::uint64_t end = std::min(first + work_.block_size(), work_.size());
    std::vector<PlannedItem> together;
    double load = 0;
    for (std::uint64_t i = first; i < end; ++i) {
      if (!work_.holds(i)) continue;
      if (gives_up()) return false;
      together.push_back(planned_item(work_, i, settings_));
      load += load_of(together.back());
      const bool is_alone = !together.back().item.calls_before.empty();
      if (target.gains_by_batches() && load < most_load_together && !is_alone) continue;
      if (!run_items(target, worker, together, records)) return false;
      together.clear();
      load = 0;
    }
    return run_items(target, worker, together, records);
  }

  /// Runs the items; returns as run_block does.
  bool run_items(targets::Target& target, unsigned worker, std::vector<PlannedItem>& items,
                 std::vector<findings::RunRecord>& records) {
    if (items.empty()) return true;
    // A target in a child process cannot end this process, so no case needs to be noted as a
    // suspect.
    if (!target.endangers_this_process() && settings_.journal) {
      note(settings_.journal->begin(worker, {items.front().number, 0}));
    }
    for (const PlannedItem& item : items) {
      for (const corpus::Case& call : item.item.calls_before) target.run_case(call, item.check.run);
    }
    run_ahead(target, items);
    CallHistory& history = histories_.at(worker);
    for (const PlannedItem& item : items) {
      for (std::uint64_t run = 0; run < item.ahead.size(); ++run) history.note({item.number, run});
    }
    bool is_whole = true;  // what was run ahead is entered, whatever was given up before it
    for (PlannedItem& item : items) is_whole &= run_item(target, worker, item, records);
    return is_whole;
  }

  /// Runs an item; returns as run_block does. The rest of an item may outlast the time.
  bool run_item(targets::Target& target, unsigned worker, PlannedItem& planned,
                std::vector<findings::RunRecord>& records) {
    WorkItem& item = planned.item;
    if (auto skipped = skipped_for_size(item.test_case, settings_)) {
      records.push_back({std::move(item.test_case), std::move(*skipped), std::move(item.repro)});
      records.back().profile = item.profile;
      records.back().footprint = footprint_of_run(planned, records.back().test_case);
      return true;
    }
    const bool notes = settings_.journal && target.endangers_this_process();
    std::uint64_t index = 0;
    for (ItemRun& run : planned.runs) {
      if (index >= planned.ahead.size() && gives_up()) return false;
      const findings::RunNumber number{planned.number, index};
      const FatalCase* fatal = fatal_case(settings_, number);
      if (index >= planned.ahead.size() && run.law == nullptr) histories_.at(worker).note(number);
      if (!fatal && notes) note(settings_.journal->begin(worker, {planned.number, index}));
      corpus::Verdict verdict =
          fatal ? verdict_on_fatal(run, *fatal, planned)
          : index < planned.ahead.size()
              ? std::move(planned.ahead[index])
              : held_to(run.law, target, {run.test_case, planned.ruling}, planned.check);
      if (targets::was_not_begun(verdict)) return false;
      if (targets::was_for_the_host(verdict)) notes_.note_for_the_host(run.test_case.id);
      std::optional<cases::Footprint> footprint;
      if (index == 0) footprint = footprint_of_run(planned, run.test_case);
      std::vector<findings::RunNumber> before;
      if (verdict.outcome == corpus::Outcome::Disagree)
        before = histories_.at(worker).before(number);
      enter({std::move(run.test_case), std::move(verdict), std::move(run.repro), index++ == 0,
             fatal != nullptr, item.profile, std::move(footprint), std::move(before),
             item.is_generated},
            records);
    }
    return true;
  }

  void count_in_progress(const findings::RunRecord& record) {
    ++progress_.cases;
    if (record.verdict.outcome == corpus::Outcome::Disagree) ++progress_.disagreements;
  }

  void enter(findings::RunRecord record, std::vector<findings::RunRecord>& records) {
    count_in_progress(record);
    if (record.verdict.outcome == corpus::Outcome::Disagree) {
      record.repro = findings::replay_command(
          names_(settings_.folder, record.verdict.signature(), settings_.target),
          findings::with_profile(work_.replay_options, record.profile));
    }
    records.push_back(std::move(record));
  }

  /// A finding is stored as it is first, so that nothing is lost with the process while it shrinks.
  void minimise_all(const std::vector<findings::RunRecord>& fresh, targets::Target* target) {
    if (fresh.empty()) return;
    std::unique_ptr<targets::Target> own;
    if (target == nullptr) target = (own = library_->new_target()).get();
    const double found_after = seconds_so_far();
    for (const findings::RunRecord& record : fresh) {
      if (has_found_enough()) return;
      publish(minimised(*target, record, found_after,
                        {.work = work_,
                         .settings = settings_,
                         .replay_options = work_.replay_options,
                         .stop = stop_,
                         .seconds_so_far = [this] { return seconds_so_far(); },
                         .keep = [this](const findings::Finding& finding) { keep(finding); },
                         .deadline = deadline_}));
    }
  }

  void publish(findings::Finding finding) {
    keep(finding);
    ++progress_.findings;
    const std::scoped_lock lock(mutex_);
    findings_.push_back(std::move(finding));
  }

  void keep(const findings::Finding& finding) { note(save_finding(settings_.folder, finding)); }

  void note(std::optional<std::string> problem) {
    if (problem) fail(std::move(*problem));
  }

  void fail(std::string problem) {
    const std::scoped_lock lock(mutex_);
    own_problem_ = std::move(problem);
    failed_.store(true);
  }

  std::shared_ptr<const targets::Library> library_;
  const Work& work_;
  CampaignSettings settings_;
  targets::CallNotes notes_;
  Progress& progress_;
  const std::atomic<bool>& stop_;
  findings::ResultsFile& results_;
  Ledger ledger_;
  Clock::time_point begin_;
  std::optional<Clock::time_point> deadline_;
  std::atomic<std::uint64_t> next_block_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::vector<CallHistory> histories_;  ///< by worker
  std::vector<findings::Finding> findings_;
  FindingNames names_;
  std::optional<std::string> own_problem_;
};

}  // namespace

CampaignResult run_campaign(const std::shared_ptr<const targets::Library>& library,
                            const Work& work, const CampaignSettings& settings,
                            findings::ResultsFile& results, Progress& progress,
                            const std::atomic<bool>& stop) {
  return Campaign(library, work, settings, results, progress, stop).run();
}

}  // namespace gradproof::runs
