#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "properties/runs/campaign/campaign.h"

namespace gradproof::cli {

/// Says on the standard error how far a campaign is: a line rewritten twice a second on a terminal,
/// else one line every ten seconds. Ends with its scope.
class ProgressLine {
 public:
  ProgressLine(const runs::Progress& progress, const runs::Budget& budget, bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void run();
  void print();

  const runs::Progress& progress_;
  runs::Budget budget_;
  bool terminal_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace gradproof::cli
