#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>

#include "corpus/verdict.h"
#include "properties/findings/results/tolerance.h"

namespace gradproof::findings {

/// One run, as far as drawn cases are counted by it.
struct DrawnRun {
  std::string_view id;    ///< of its case
  bool is_drawn = false;  ///< the generator drew the case; it was not stored or found before
  bool is_first = false;  ///< the first run of its case
  const Mode& mode;
  const corpus::Verdict& verdict;
};

/// Outcomes of cases that the generator drew, and apart from them those that were chosen: stored
/// ones and findings. A statement about the next draw rests on the former alone. A case is judged
/// where its first run was, and disagrees where any of its runs does. Adding and merging commute.
struct DrawnCases {
  /// Counts by half: a case is in one or the other by a hash of its id.
  using Halves = std::array<std::uint64_t, 2>;

  std::uint64_t judged = 0, chosen = 0;
  std::uint64_t skipped = 0;                              ///< drawn cases that were skipped
  std::set<std::string> disagreeing, chosen_disagreeing;  ///< ids
  std::map<Mode, std::uint64_t> compared;  ///< drawn cases whose values were compared
  /// Drawn cases by what their first run showed (`behaviour_of`).
  std::map<std::uint64_t, Halves> behaviours;

  void add(const DrawnRun& run);
  void merge(const DrawnCases& other);

  /// Converts the counts to JSON and back, without ids. `restored` throws where it is given none.
  nlohmann::json saved() const;
  static DrawnCases restored(const nlohmann::json& saved);

  friend bool operator==(const DrawnCases&, const DrawnCases&) = default;
};

/// A hash of what a run showed: types and cubeMathType, outcome, status, rules that were broken,
/// and of each gradient the format it was computed in, whether its sums were exact, and the largest
/// bucket of ULP distances. The same on every machine.
std::uint64_t behaviour_of(const Mode& mode, const corpus::Verdict& verdict);

}  // namespace gradproof::findings
