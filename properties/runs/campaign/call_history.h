#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "properties/findings/results/run_record.h"

namespace gradproof::runs {

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
