#include "bindings/library/exchange.h"

#include <utility>

namespace gradproof::library {

corpus::Observation Exchange::ask(const corpus::Case& test_case) {
  std::unique_lock lock(mutex_);
  asked_ = &test_case;
  changed_.notify_all();
  changed_.wait(lock, [&] { return answer_.has_value() || closed_; });
  asked_ = nullptr;
  if (!answer_) return corpus::not_run("the run was closed");
  corpus::Observation seen = std::move(*answer_);
  answer_.reset();
  return seen;
}

void Exchange::finish() {
  const std::scoped_lock lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

const corpus::Case* Exchange::next() {
  std::unique_lock lock(mutex_);
  // An answer that is still to be taken belongs to the call before.
  changed_.wait(lock, [&] { return (asked_ != nullptr && !answer_) || finished_ || closed_; });
  return finished_ || closed_ ? nullptr : asked_;
}

void Exchange::answer(corpus::Observation seen) {
  const std::scoped_lock lock(mutex_);
  answer_ = std::move(seen);
  changed_.notify_all();
}

void Exchange::close() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

}  // namespace gradproof::library
