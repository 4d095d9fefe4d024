#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "properties/cases/check/check.h"

namespace gradproof::findings {

/// Settings to test hypotheses about a finding, and the time for it.
struct DiagnosisSettings {
  cases::CheckSettings check = {};
  std::chrono::milliseconds time{10'000};
  const std::atomic<bool>* stop = nullptr;
  /// The original case takes part up to this many multiply-accumulates of one gradient.
  std::uint64_t most_macs = 5'000'000;
};

}  // namespace gradproof::findings
