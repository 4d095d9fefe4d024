#include "properties/runs/campaign/ledger.h"

#include <utility>

#include "properties/findings/certificate/certificate_line.h"

namespace gradproof::runs {

std::vector<findings::RunRecord> Ledger::enter(std::uint64_t number,
                                               std::vector<findings::RunRecord> records) {
  auto runs = rendered(std::move(records));
  const std::scoped_lock lock(mutex_);
  waiting_.emplace(number, std::move(runs));
  return enter_waiting(true);
}

void Ledger::resume(Journal& journal, std::uint64_t blocks) {
  const std::scoped_lock lock(mutex_);
  journal_ = &journal;
  next_ = blocks;
}

bool Ledger::restore(const findings::RunRecord& record) {
  const std::scoped_lock lock(mutex_);
  summary_.add(record);
  return is_new_signature(record);
}

void Ledger::restore(const findings::Summary& sums) {
  const std::scoped_lock lock(mutex_);
  summary_.merge(sums);
}

void Ledger::leave(std::uint64_t number, std::vector<findings::RunRecord> records) {
  auto runs = rendered(std::move(records));
  const std::scoped_lock lock(mutex_);
  waiting_.emplace(number, std::move(runs));
  first_left_ = std::min(first_left_.value_or(number), number);
}

std::vector<findings::RunRecord> Ledger::finish() {
  const std::scoped_lock lock(mutex_);
  return enter_waiting(false);
}

bool Ledger::is_closed() const {
  const std::scoped_lock lock(mutex_);
  return write_problem_ || target_problem_ || is_full();
}

findings::Summary Ledger::summary() const {
  const std::scoped_lock lock(mutex_);
  return summary_;
}

std::optional<std::string> Ledger::write_problem() const {
  const std::scoped_lock lock(mutex_);
  return write_problem_;
}

std::optional<std::string> Ledger::target_problem() const {
  const std::scoped_lock lock(mutex_);
  return target_problem_;
}

std::vector<findings::RunRecord> Ledger::enter_waiting(bool in_order_only) {
  std::vector<findings::RunRecord> fresh;
  std::string lines;
  const auto is_due = [&] {
    const std::uint64_t first = waiting_.begin()->first;
    return !in_order_only || (first == next_ && (!first_left_ || first < *first_left_));
  };
  while (!waiting_.empty() && is_due()) {
    auto block = waiting_.extract(waiting_.begin());
    next_ = block.key() + 1;
    for (Rendered& run : block.mapped()) enter_one(std::move(run), lines, fresh);
  }
  const bool is_whole = write(std::move(lines), !in_order_only);
  const bool is_done = in_order_only && journal_ != nullptr && is_whole;
  if (is_done && !write_problem_) write_problem_ = journal_->commit(next_, results_.size());
  return fresh;
}

/// True if something was written and the file now holds all that was entered.
bool Ledger::write(std::string lines, bool is_last) {
  if (unlisted_ && (is_last || unlisted_->is_full())) unlisted_->move_to(lines, heading_);
  if (!write_problem_) write_problem_ = results_.append(lines);
  return !lines.empty() && (!unlisted_ || unlisted_->is_empty());
}

/// Line of the certificate for a run; empty without one.
std::string Ledger::certified(const findings::RunRecord& record) const {
  if (certification_.certificate == nullptr) return {};
  oracle::JudgeSettings settings = certification_.judge;
  if (record.profile) settings.profile = *record.profile;
  return findings::certificate_line(record, settings);
}

std::vector<Ledger::Rendered> Ledger::rendered(std::vector<findings::RunRecord> records) const {
  std::vector<Rendered> runs;
  runs.reserve(records.size());
  for (findings::RunRecord& record : records) {
    std::optional<findings::ResultsText> line;
    const bool is_listed = !unlisted_ || record.verdict.outcome == corpus::Outcome::Disagree;
    if (is_listed) line = findings::results_text(record, heading_);
    std::string certificate = certified(record);
    runs.push_back({std::move(record), std::move(line), std::move(certificate)});
  }
  return runs;
}

void Ledger::enter_one(Rendered run, std::string& lines, std::vector<findings::RunRecord>& fresh) {
  if (write_problem_ || target_problem_ || is_full()) return;
  if (run.line) {
    run.line->append_to(lines, summary_.cases());
  } else {
    unlisted_->add(run.record, summary_.cases());
  }
  if (certification_.certificate != nullptr) {
    write_problem_ = certification_.certificate->add(run.certified);
  }
  summary_.add(run.record);
  target_problem_ = findings::broken_environment(summary_.answers);
  if (is_new_signature(run.record)) fresh.push_back(std::move(run.record));
}

bool Ledger::is_new_signature(const findings::RunRecord& record) {
  const bool disagrees = record.verdict.outcome == corpus::Outcome::Disagree;
  return disagrees && signatures_.insert(record.verdict.signature()).second;
}

void UnlistedRuns::add(const findings::RunRecord& record, std::uint64_t number) {
  if (is_empty()) sums_.first = number;
  sums_.summary.add(record);
  findings::note_time(sums_.times, findings::mode_of(record.test_case), record.verdict);
}

void UnlistedRuns::move_to(std::string& lines, const findings::LineHeading& heading) {
  if (is_empty()) return;
  sums_.heading = heading;
  lines += findings::sums_line(sums_);
  lines += '\n';
  sums_ = {};
}

}  // namespace gradproof::runs
