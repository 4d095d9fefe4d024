#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

#include "corpus/case.h"
#include "corpus/observation.h"

namespace gradproof::library {

/// Where a campaign's thread leaves a call and waits for what the caller of the library saw of it.
/// One call is under way at a time.
class Exchange {
 public:
  /// The campaign's side: what was answered; once closed, that nothing was run.
  corpus::Observation ask(const corpus::Case& test_case);
  /// Ends the exchange: the campaign has no further question.
  void finish();

  /// The caller's side: waits for a call; null: there is none any more. Valid until it is answered.
  const corpus::Case* next();
  /// Answers the call that next() gave.
  void answer(corpus::Observation seen);
  /// Closes the exchange: every call from now on is given up, the one under way as well.
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  const corpus::Case* asked_ = nullptr;
  std::optional<corpus::Observation> answer_;
  bool finished_ = false, closed_ = false;
};

}  // namespace gradproof::library
