#include "properties/campaign/ledger.h"

#include <utility>

namespace gradproof::properties {

std::vector<RunRecord> Ledger::enter(std::uint64_t number, std::vector<RunRecord> records) {
  const std::scoped_lock lock(mutex_);
  waiting_.emplace(number, std::move(records));
  return enter_waiting(true);
}

std::vector<RunRecord> Ledger::finish() {
  const std::scoped_lock lock(mutex_);
  return enter_waiting(false);
}

bool Ledger::is_closed() const {
  const std::scoped_lock lock(mutex_);
  return write_problem_ || is_full();
}

Summary Ledger::summary() const {
  const std::scoped_lock lock(mutex_);
  return summary_;
}

std::optional<std::string> Ledger::write_problem() const {
  const std::scoped_lock lock(mutex_);
  return write_problem_;
}

std::vector<RunRecord> Ledger::enter_waiting(bool in_order_only) {
  std::vector<RunRecord> fresh;
  std::string lines;
  while (!waiting_.empty() && (!in_order_only || waiting_.begin()->first == next_)) {
    auto block = waiting_.extract(waiting_.begin());
    next_ = block.key() + 1;
    for (RunRecord& record : block.mapped()) enter_one(std::move(record), lines, fresh);
  }
  if (!write_problem_) write_problem_ = results_.append(lines);
  return fresh;
}

void Ledger::enter_one(RunRecord record, std::string& lines, std::vector<RunRecord>& fresh) {
  if (write_problem_ || is_full()) return;
  lines += results_line(record, heading_.target, heading_.profile) + '\n';
  summary_.add(record);
  const bool disagrees = record.verdict.outcome == corpus::Outcome::Disagree;
  if (disagrees && signatures_.insert(record.verdict.signature()).second) {
    fresh.push_back(std::move(record));
  }
}

}  // namespace gradproof::properties
