#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "corpus/status.h"

namespace gradproof::corpus {

enum class Outcome : std::uint8_t {
  Agree,          ///< everything checked and right
  Disagree,       ///< the target is wrong
  Refused,        ///< a legal call refused for resources (rule HW-01)
  NotComparable,  ///< accepted, but the values are not defined well enough to compare
  Skipped,        ///< not run, with the reason
  Vacuous,        ///< nothing wrong seen, but these data could not have shown a fault
};

/// Kind of disagreement; `None` with every other outcome.
enum class DisagreementKind : std::uint8_t {
  None,
  Status,
  Expectation,
  Value,
  NaN,
  Untouched,
  Overwritten,
  InputChanged,
  Nondeterministic,
  Leak,
  Crash,
  Timeout,
  Law,
};

std::string_view name_of(Outcome outcome);
std::string_view name_of(DisagreementKind kind);

/// The element that is furthest outside (or nearest to) its bound.
struct WorstElement {
  std::vector<std::int64_t> at;  ///< coordinate in the output's shape
  std::string computed, exact;   ///< decimal and hexadecimal
  std::string bound;             ///< decimal, with its terms
  std::uint64_t terms = 0;       ///< products that meet in this element
};

/// Result of a published pass criterion for one output: shown with the verdict, never part of it.
struct StandardResult {
  std::string name;  ///< the criterion and its row, e.g. "relative error (FLOAT16)"
  bool met = false;
};

/// Content of one output, as far as a certificate tells it.
struct AttestedOutput {
  std::uint64_t index = 0;  ///< of one element, in row-major order: the worst, or one by chance
  std::uint64_t bits = 0;   ///< that it has
  std::uint64_t seed = 0;  ///< of the weights of `residue`; it follows from every bit of the output
  /// Residue of an output with exact sums: all elements, weighted and added modulo 2^61 - 1.
  std::optional<std::uint64_t> residue = {};
};

/// Comparison of one output with the exact gradient.
struct OutputEvidence {
  bool compared = false;
  std::uint64_t elements = 0, compared_elements = 0, breaches = 0;
  std::uint64_t in_tiles = 0;  ///< right as an algorithm in tiles is, not as a sum of products
  double ulp_max = 0;          ///< of the exact value rounded to the output's format
  /// Elements by ULP distance: 0, (0,1], (1,2], (2,4], ..., the last bucket open.
  std::array<std::uint64_t, 16> ulp_histogram{};
  double mare = 0, mere = 0, rmse = 0;
  double bound_ratio = 0;              ///< largest |error| / bound
  std::string_view compute_format;     ///< that operands had when they were multiplied
  std::uint64_t reduction_length = 0;  ///< products in the longest sum
  bool sums_are_exact = false;         ///< on the exact grid: every element must be equal
  std::vector<StandardResult> standards;
  std::optional<WorstElement> worst;
  std::optional<AttestedOutput> attested = {};  ///< where a certificate was asked for
};

/// Judgement of one run by the judge, or by a law, and its grounds.
struct Verdict {
  Outcome outcome = Outcome::Skipped;
  DisagreementKind kind = DisagreementKind::None;
  std::string law;                        ///< "exactness", "status", ...
  std::string reason;                     ///< one line for a person: why this verdict
  std::optional<Status> status;           ///< of phase one, or of the later step that failed
  std::vector<Status> admitted;           ///< what the rules admit
  std::vector<std::string> rules;         ///< ids of the rules that the case breaks
  std::array<OutputEvidence, 3> outputs;  ///< by OutputRole
  std::optional<OutputRole> culprit;      ///< the output that disagrees
  double milliseconds = 0;                ///< of the target
  std::vector<std::string> tallies;       ///< what was also observed and decides nothing; counted

  /// Tells findings apart and keeps a shrinker on one of them: outcome, kind, law, culprit, status
  /// class; no sizes or values.
  std::string signature() const;
};

}  // namespace gradproof::corpus
