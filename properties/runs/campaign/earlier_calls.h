#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "corpus/case.h"
#include "properties/findings/results/run_record.h"
#include "properties/targets/target/library.h"
#include "properties/targets/target/run_settings.h"
#include "properties/targets/target/target.h"

namespace gradproof::runs {

/// Way to see a disagreement again in a process of the target that has served no other call.
enum class Recurrence : unsigned char {
  Alone,       ///< without any other call
  AfterCalls,  ///< after the calls that are named
  Never,       ///< neither, or not each time, or not within the time
};

/// Calls that a disagreement needs to be seen again.
struct EarlierCalls {
  Recurrence recurrence = Recurrence::Alone;
  std::vector<corpus::Case> needed = {};  ///< AfterCalls: a call less, and it is not seen
};

/// A target in a new process, after it was given the calls.
std::unique_ptr<targets::Target> target_after(const targets::Library& library,
                                              std::span<const corpus::Case> calls,
                                              const targets::RunSettings& settings);

/// Finds the calls of `before` that a new process must serve for `shows` to be true: first the
/// number of the last ones, then without each that is not needed. Only for targets in processes of
/// their own.
EarlierCalls earlier_calls_needed(const targets::Library& library,
                                  const targets::RunSettings& settings,
                                  const std::function<std::vector<corpus::Case>()>& before,
                                  const std::function<bool(targets::Target&)>& shows,
                                  std::chrono::steady_clock::time_point deadline);

/// The last runs that one worker gave its target, laws' left out: what the target's process may
/// remember when it goes wrong.
class CallHistory {
 public:
  static constexpr std::size_t most = 256;

  void note(findings::RunNumber run) {
    runs_.push_back(run);
    if (runs_.size() > most) runs_.pop_front();
  }

  /// Runs before this run, in their order; all of them for a run that was not noted.
  std::vector<findings::RunNumber> before(findings::RunNumber run) const {
    auto end = runs_.end();
    for (auto at = runs_.begin(); at != runs_.end(); ++at) {
      if (*at == run) end = at;
    }
    return {runs_.begin(), end};
  }

 private:
  std::deque<findings::RunNumber> runs_;
};

}  // namespace gradproof::runs
