#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "properties/cases/coverage/coverage.h"
#include "properties/findings/results/answers.h"
#include "properties/findings/results/deviations.h"
#include "properties/findings/results/drawn_cases.h"
#include "properties/findings/results/results_line_reader.h"
#include "properties/findings/results/run_record.h"
#include "properties/findings/results/tolerance.h"

namespace gradproof::findings {

/// The smallest case seen of a signature.
struct Example {
  std::string case_text, reason, repro;

  friend bool operator==(const Example&, const Example&) = default;
};

/// The result of a run of many cases. Adding and merging commute, so workers and shards may report
/// in any order.
struct Summary {
  std::array<std::uint64_t, outcome_count> outcomes{};  ///< by corpus::Outcome
  std::map<std::string, std::uint64_t> skip_reasons, vacuous_reasons, not_comparable_reasons;
  std::map<std::string, std::uint64_t> tallies;        ///< by corpus::Verdict::tallies
  std::map<std::string, std::uint64_t> disagreements;  ///< by signature
  /// "released, 0 (ACLNN_SUCCESS)": runs by profile and status, where cases alternate between
  /// profiles.
  std::map<std::string, std::uint64_t> profile_statuses;
  std::map<std::string, std::uint64_t> broken_rules;        ///< cases that break each rule
  std::map<std::string, Example> examples;                  ///< of disagreements, by signature
  std::map<std::string, std::set<Mode>> disagreeing_modes;  ///< by signature
  std::map<Mode, std::array<std::uint64_t, outcome_count>> modes;  ///< outcomes of all runs
  /// Outcomes of the runs that each law was held against, by its name.
  std::map<std::string, std::array<std::uint64_t, outcome_count>> laws;
  ToleranceTable tolerance;  ///< of all outputs compared
  cases::Coverage coverage;  ///< of the cases, each counted with its first run
  Answers answers;           ///< of the cases, each counted with its first run
  Deviations deviations;     ///< of the cases, each counted with its first run
  DrawnCases drawn;          ///< cases that the generator drew, and the others apart

  void add(const RunRecord& record);
  /// Counts a run from the run's line in a results file.
  void add(const ResultsLine& line);
  void merge(const Summary& other);

  std::uint64_t count(corpus::Outcome outcome) const { return outcomes.at(to_size(outcome)); }
  std::uint64_t cases() const;

  friend bool operator==(const Summary&, const Summary&) = default;

 private:
  void count_footprint(const cases::Footprint& footprint, const corpus::Verdict& verdict);
  void count_outcome(const corpus::Verdict& verdict);
  void count_profile(std::optional<oracle::Profile> profile, const corpus::Verdict& verdict);
  void count_errors(const Mode& mode, const corpus::Verdict& verdict);
  void keep_example(const std::string& signature, Example example);
};

/// Describes why the run proves less than it seems to: no legal call computed, or none of a class
/// of calls; too many cases vacuous, skipped or discarded, or none at all. nullopt: healthy.
std::optional<std::string> health_problem(const Summary& summary);

/// "report: 12345 cases: 12000 agreed, ...".
std::string counts_line(const std::string& command, const Summary& summary);

/// "verify: 12345 cases: 12000 agreed, ...; seed 42; 60.1 s": the contract's last line.
std::string last_line(const std::string& command, const Summary& summary, std::uint64_t seed,
                      double seconds);

}  // namespace gradproof::findings
