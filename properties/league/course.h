#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "properties/league/digest.h"
#include "properties/league/panel.h"
#include "properties/target/library.h"

namespace gradproof::properties {

/// Which calls the contestants meet.
struct CourseSettings {
  std::uint64_t seed = 0;
  std::uint64_t cases = 300;
  std::uint64_t max_macs = 100'000;  ///< of one gradient of a case
  unsigned jobs = 1;
};

/// One run of the course, and what the kernel without a fault showed.
struct CourseRun {
  std::uint64_t case_number = 0;  ///< from 1
  std::optional<Fill> fill;       ///< nullopt: the call is not legal, or has no data
  corpus::Case problem;
  std::vector<Digest> clean;  ///< by path of the kernel: each is right, and their bits may differ
  std::vector<Opinion> opinions;  ///< of the panel on the kernel without a fault
};

/// Runs judged, and those rejected.
struct Tally {
  std::uint64_t judged = 0, rejected = 0;

  void add(Opinion opinion) {
    judged += opinion == Opinion::Abstains ? 0 : 1;
    rejected += opinion == Opinion::Rejects ? 1 : 0;
  }
};

/// A correct kernel that a contestant rejected; of several the one with the fewest products.
struct FalseAlarm {
  corpus::Case problem;
  std::string kernel;  ///< "the kernel", or the order in which another adds
  std::uint64_t macs = 0;
};

/// What one contestant said of correct kernels under one fill.
struct CleanRecord {
  Tally kernel, other_orders;
  std::optional<FalseAlarm> alarm;
};

/// The runs that every fault has to pass: generated cases, each legal one under all fills, in the
/// order of their numbers.
struct Course {
  std::vector<CourseRun> runs;
  std::uint64_t cases = 0, legal_cases = 0;
  std::vector<std::vector<CleanRecord>> records;  ///< by contestant and fill
};

/// The kernel without a fault, on each of the paths that faults are seeded on. The first is the
/// one that the panel judges.
using CleanKernels = std::vector<std::shared_ptr<const Library>>;

/// Draws the cases and runs them on the kernel without a fault; where it is interrupted, some.
/// Errors: no case can be drawn.
tl::expected<Course, std::string> course_of(const CleanKernels& clean, const Panel& panel,
                                            const CourseSettings& settings,
                                            const std::atomic<bool>& stop);

}  // namespace gradproof::properties
