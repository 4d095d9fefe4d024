#include "properties/cli/follow.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <tuple>

#include "properties/cli/interrupt.h"
#include "properties/cli/told.h"

namespace gradproof::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Finds the folders of parts: those below that hold a run's record, which its start writes.
std::vector<std::string> parts_in(const std::vector<std::string>& folders) {
  std::vector<std::string> parts;
  for (const std::string& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const fs::path& part = entry.path();
      if (!fs::exists(part / "run.json", error)) continue;
      if (fs::exists(part / "results.jsonl", error)) parts.push_back(part.string());
    }
  }
  std::ranges::sort(parts);
  return parts;
}

using Stamp = std::vector<std::tuple<std::string, std::uintmax_t, fs::file_time_type>>;

/// Tells two states of the parts apart: name, bytes and time of each file that a merge reads.
Stamp stamp_of(const std::vector<std::string>& parts) {
  Stamp stamp;
  for (const std::string& part : parts) {
    for (const char* file : {"results.jsonl", "shards.jsonl", "run.json", "journal.jsonl"}) {
      std::error_code error;
      const fs::path path = fs::path(part) / file;
      const auto bytes = fs::file_size(path, error);
      if (!error) stamp.emplace_back(path.string(), bytes, fs::last_write_time(path, error));
    }
  }
  return stamp;
}

/// Waits so that reading takes a tenth of the time at most, or until a signal comes.
void pause_after(Clock::duration reading) {
  const auto end = Clock::now() + std::max<Clock::duration>(std::chrono::seconds(1), 9 * reading);
  while (Clock::now() < end && !interrupted())
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

/// Tells how far the parts are: when one has ended or found something, else every ten seconds.
class Told {
 public:
  void tell_of(const ReadRuns& runs, std::size_t parts) {
    const findings::Report& report = runs.report;
    const std::pair now{report.head.parts_to_come, report.findings.size()};
    if (now == last_ && Clock::now() < next_) return;
    last_ = now;
    next_ = Clock::now() + std::chrono::seconds(10);
    tell(fmt::format("{} parts are here, {} are still to end; {}; {} findings", parts, now.first,
                     findings::counts_line("so far", report.summary), now.second));
  }

  void waits_in(const std::vector<std::string>& folders) {
    if (Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::seconds(10);
    tell(fmt::format("waits for parts in {}", fmt::join(folders, ", ")));
  }

 private:
  std::pair<std::size_t, std::size_t> last_{~0U, 0};
  Clock::time_point next_{};
};

}  // namespace

tl::expected<ReadRuns, std::string> follow_runs(
    const std::vector<std::string>& folders,
    const std::function<std::optional<std::string>(const ReadRuns&)>& write) {
  for (const std::string& folder : folders) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
      return tl::unexpected(folder +
                            ": is no folder; make the one that the parts are written into");
    }
  }
  end_in_order_on_interrupt();
  Told told;
  std::optional<Stamp> seen;
  tl::expected<ReadRuns, std::string> runs = tl::unexpected(std::string("no part has begun"));
  Clock::duration reading{};
  for (; !interrupted(); pause_after(reading)) {
    reading = {};
    const auto parts = parts_in(folders);
    Stamp stamp = stamp_of(parts);
    if (parts.empty() || (runs && stamp == seen)) {
      if (parts.empty()) told.waits_in(folders);
      continue;
    }
    const bool is_as_before = stamp == seen;
    seen = std::move(stamp);
    const auto start = Clock::now();
    runs = read_runs(parts);
    if (!runs) {
      if (is_as_before) return runs;  // not half written: damaged
      continue;
    }
    if (auto problem = write(*runs)) return tl::unexpected(*problem);
    told.tell_of(*runs, parts.size());
    if (runs->report.head.parts_to_come == 0) return runs;
    reading = Clock::now() - start;
  }
  return runs;
}

}  // namespace gradproof::cli
