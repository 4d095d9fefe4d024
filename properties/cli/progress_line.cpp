#include "properties/cli/progress_line.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <system_error>

namespace gradproof::cli {
namespace {

constexpr std::chrono::milliseconds terminal_interval{500}, other_interval{10'000};

std::string time_left(const runs::CampaignBudget& budget, double seconds) {
  if (!budget.time) return {};
  const double left = std::chrono::duration<double>(*budget.time).count() - seconds;
  return fmt::format(", {:.0f} s left", std::max(0.0, left));
}

}  // namespace

ProgressLine::ProgressLine(const runs::Progress& progress, const runs::CampaignBudget& budget,
                           bool quiet)
    : progress_(progress), budget_(budget), terminal_(::isatty(STDERR_FILENO) == 1) {
  if (quiet) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    // The host gives no thread for it: the work needs none.
  }
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  thread_.join();
  if (terminal_) std::fputs("\r\033[K", stderr);
}

void ProgressLine::run() {
  std::unique_lock lock(mutex_);
  const auto interval = terminal_ ? terminal_interval : other_interval;
  while (!ended_.wait_for(lock, interval, [this] { return over_; })) print();
}

void ProgressLine::print() {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const std::uint64_t cases = progress_.cases.load();
  const std::string text = fmt::format("{} cases, {:.0f} cases/s, {} disagreements, {} findings{}",
                                       cases, static_cast<double>(cases) / std::max(seconds, 1e-3),
                                       progress_.disagreements.load(), progress_.findings.load(),
                                       time_left(budget_, seconds));
  std::fputs(terminal_ ? ("\r\033[K" + text).c_str() : (text + '\n').c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace gradproof::cli
