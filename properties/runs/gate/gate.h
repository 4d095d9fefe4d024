#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/data_type.h"
#include "properties/findings/hypotheses/witness.h"
#include "properties/runs/gate/gate_verdict.h"
#include "properties/runs/gate/world.h"

namespace gradproof::runs {

/// What a gate asks, and how long.
struct GateSettings {
  GateTarget target;
  std::chrono::milliseconds time{20'000};
  std::vector<corpus::DataType> dtypes;  ///< empty: those that the candidate declares, else FLOAT
  std::vector<std::string> without;      ///< classes that it may refuse
  std::vector<std::string> claims;       ///< of cases::axes_of_claims, to be checked
  std::string nonce;
  /// Largest error of a result as a share of what right sums of such products show; nullopt: none
  /// can be said. Null: long sums are held to their bound alone.
  /// `seed`: of the sample of a large result; `until`: what is not worked out then counts as right.
  std::function<std::optional<double>(const findings::diagnosis::Witness&, std::string_view format,
                                      std::uint64_t seed,
                                      std::chrono::steady_clock::time_point until)>
      typical_share;
  const std::atomic<bool>* stop = nullptr;
};

/// Lets a candidate in or not. Never throws for what the candidate does; ends within the time.
GateVerdict gate(const GateSettings& settings);

}  // namespace gradproof::runs
