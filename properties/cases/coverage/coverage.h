#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/rules/status_rules.h"
#include "properties/cases/classes/call_classes.h"
#include "properties/cases/coverage/corners.h"
#include "properties/cases/coverage/footprint.h"

namespace gradproof::cases {

/// Counts of cases that met a rule from either side.
struct RuleSides {
  /// Calls in which the rule decides something: they break it, or make use of what it permits.
  std::uint64_t decides = 0;
  /// Calls that the rule speaks about and that keep it (do not use the permission), and break no
  /// other.
  std::uint64_t kept = 0;
  /// Calls in which it decides and no other rule is broken. Together with a call that keeps it,
  /// such a call shows that the rule decides by itself whether a call is accepted: modified
  /// condition/decision coverage (RTCA DO-178C, 6.4.4.2).
  std::uint64_t alone = 0;

  friend bool operator==(const RuleSides&, const RuleSides&) = default;
};

/// Where in the space of calls a run has been. Adding and merging commute.
struct Coverage {
  std::uint64_t cases = 0;
  std::uint64_t legal = 0;      ///< break no rule
  std::uint64_t discarded = 0;  ///< draws discarded because the rule could not be broken in them
  std::uint64_t grouped = 0, transposed = 0, empty = 0;
  /// Legal, non-empty calls with both classes, at [lower index][higher index] of `call_classes`.
  std::array<std::array<std::uint64_t, call_classes.size()>, call_classes.size()> pairs{};
  std::vector<bool> triples;           ///< met by legal, non-empty calls; by legal_triples()
  std::vector<std::uint64_t> corners;  ///< legal, non-empty calls; by corners()
  std::vector<RuleSides> rules;        ///< by oracle::all_status_rules()

  Coverage();
  /// Counts one case.
  void add(const corpus::Case& test_case);
  void add(const Footprint& footprint);
  void merge(const Coverage& other);

  friend bool operator==(const Coverage&, const Coverage&) = default;
};

/// Entries of the tables that a run has not reached, by name, each in the order of its table.
struct CoverageGaps {
  std::vector<std::string> pairs;         ///< legal ones never hit: "BF16 x rank=5"
  std::vector<std::string> triples;       ///< likewise, of three
  std::vector<std::string> never_broken;  ///< ids of rules that decided nothing
  std::vector<std::string> never_kept;    ///< ids of rules that no legal call kept
  std::vector<std::string> never_alone;   ///< ids of rules that decided together with others only
  std::vector<std::string> corners;

  bool none() const {
    return pairs.empty() && triples.empty() && never_broken.empty() && never_kept.empty() &&
           never_alone.empty() && corners.empty();
  }
};
CoverageGaps gaps_of(const Coverage& coverage);

/// Describes why no case meets the rule from this side; empty where one can, and runs must.
std::string_view why_never_decides(const oracle::StatusRule& rule);
std::string_view why_never_kept(const oracle::StatusRule& rule);
std::string_view why_never_alone(const oracle::StatusRule& rule);

/// Rules whose effect on the decision was shown: decided alone and kept, of those that can be.
struct DecisionCount {
  std::uint64_t possible = 0, shown = 0;
};
DecisionCount decision_count(const Coverage& coverage);

/// Legal pairs or triples, and those of them that were hit.
struct CombinationCount {
  std::uint64_t legal = 0, hit = 0;
};
CombinationCount pair_count(const Coverage& coverage);
CombinationCount triple_count(const Coverage& coverage);

/// From so many cases of the default selection on, a gap is a fault of the generators.
inline constexpr std::uint64_t cases_for_full_coverage = 20'000;
/// Likewise for decisions of which a rule is alone the reason.
inline constexpr std::uint64_t cases_for_all_decisions = 100'000;
/// Likewise for triples of classes.
inline constexpr std::uint64_t cases_for_all_triples = 30'000;

}  // namespace gradproof::cases
