#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "properties/coverage/coverage.h"
#include "properties/report/run_record.h"

namespace gradproof::properties {

/// Under what outputs' errors are counted together: what decides the arithmetic.
struct PrecisionMode {
  std::string dtypes;  ///< of the inputs: "FLOAT", or "mixed"
  int cube_math_type = 0;

  // clang-tidy 14 takes the comparison with 0 that the compiler writes here for a null pointer.
  friend auto operator<=>(const PrecisionMode&,
                          const PrecisionMode&) = default;  // NOLINT(modernize-use-nullptr)
};

/// How near the outputs of one mode came to their bounds.
struct PrecisionRecord {
  std::uint64_t outputs = 0, elements = 0;
  double worst_bound_ratio = 0;  ///< largest |error| / bound; above 1 is a breach
  double worst_ulp = 0;

  friend bool operator==(const PrecisionRecord&, const PrecisionRecord&) = default;
};

/// What a run of many cases came to. Adding and merging commute, so workers and shards may report
/// in any order.
struct Summary {
  std::array<std::uint64_t, 6> outcomes{};  ///< by corpus::Outcome
  std::map<std::string, std::uint64_t> skip_reasons, vacuous_reasons, not_comparable_reasons;
  std::map<std::string, std::uint64_t> disagreements;  ///< by signature
  std::map<std::string, std::uint64_t> broken_rules;   ///< cases that break each rule
  std::map<PrecisionMode, std::array<PrecisionRecord, 3>> precision;  ///< by OutputRole
  Coverage coverage;  ///< of the cases, each counted with its first run

  void add(const RunRecord& record);
  void merge(const Summary& other);

  std::uint64_t count(corpus::Outcome outcome) const {
    return outcomes.at(static_cast<std::size_t>(outcome));
  }
  std::uint64_t cases() const;

  friend bool operator==(const Summary&, const Summary&) = default;
};

/// Why the run proves less than it seems to: too many cases vacuous, skipped or discarded, or none
/// at all. nullopt: healthy.
std::optional<std::string> health_problem(const Summary& summary);

/// "verify: 12345 cases: 12000 agreed, ...; seed 42; 60.1 s": the contract's last line.
std::string last_line(const std::string& command, const Summary& summary, std::uint64_t seed,
                      double seconds);

}  // namespace gradproof::properties
