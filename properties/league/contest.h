#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "properties/faults/seeded_faults.h"
#include "properties/league/course.h"
#include "properties/league/panel.h"

namespace gradproof::properties {

/// The number of the case at which something was found; nullopt: never.
using FoundAt = std::optional<std::uint64_t>;

/// The results of all contestants for one fault.
struct Contest {
  SeededFault fault;
  std::uint64_t cases = 0;  ///< begun before all had found it or the time limit was reached
  double seconds = 0;
  /// A legal call ended in another way or had other values than without the fault, under some
  /// fill: what baselines could have seen.
  bool reaches_values = false;
  std::vector<std::vector<FoundAt>> found;  ///< by contestant and fill
  FoundAt found_without_data;               ///< by Gradproof, in a call that is not legal
  std::optional<std::string> problem;       ///< why the kernel with the fault could not be run

  /// Under the fills that the contestant has of its own; for Gradproof calls that are not legal
  /// count as well.
  FoundAt found_by(const Panel& panel, std::size_t contestant) const;
  /// Under Gradproof's fills.
  FoundAt found_on_our_data(const Panel& panel, std::size_t contestant) const;
};

/// How long each fault is looked for, and by how many workers.
struct ContestSettings {
  std::vector<std::filesystem::path> libraries;  ///< with faults
  std::chrono::milliseconds time{2'000};         ///< for each fault
  unsigned jobs = 1;
};

/// Lets all contestants judge each fault on the runs of the course, in the order given. A
/// contestant has found a fault when it rejects a run that it does not reject without the fault: a
/// rejection that happens anyway is a false alarm. `finished` is called for each, one at a time.
std::vector<Contest> contests_of(const std::vector<SeededFault>& faults, const Course& course,
                                 const Panel& panel, const ContestSettings& settings,
                                 const std::atomic<bool>& stop,
                                 const std::function<void(const Contest&)>& finished);

}  // namespace gradproof::properties
