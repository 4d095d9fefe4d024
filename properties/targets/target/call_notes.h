#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/observation.h"
#include "corpus/verdict.h"

namespace gradproof::targets {

/// Why a call was not run, or not to its end, whose run has no time left.
inline constexpr std::string_view still_running = "still running when the time was up: not judged";
inline constexpr std::string_view not_begun = "not begun when the time was up";

/// True of the verdict on a call that was not begun, and of a law that needs one: the run's time
/// was up before.
inline bool was_not_begun(const corpus::Verdict& verdict) {
  return verdict.outcome == corpus::Outcome::Skipped && verdict.reason.ends_with(not_begun);
}

/// The cases whose calls did not end in time, by their ids. Any number of threads notes them.
class CallNotes {
 public:
  /// The ids, by what became of their calls.
  struct Ids {
    std::vector<std::string> still_running;  ///< ended, because the run's time was up
    std::vector<std::string> late_once;      ///< beyond their own time, and in time when run alone
  };

  void note_still_running(std::string id) { note(ids_.still_running, std::move(id)); }
  void note_late_once(std::string id) { note(ids_.late_once, std::move(id)); }
  Ids ids() const {
    const std::scoped_lock lock(mutex_);
    return ids_;
  }

 private:
  void note(std::vector<std::string>& list, std::string id) {
    const std::scoped_lock lock(mutex_);
    list.push_back(std::move(id));
  }

  mutable std::mutex mutex_;
  Ids ids_;
};

}  // namespace gradproof::targets
