#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "properties/cases/check/check.h"
#include "properties/cases/laws/exact_data.h"
#include "properties/targets/target/target.h"

namespace gradproof::cases {

/// Something that holds between the results of several calls, whatever their right values are. A
/// law never fires on a correct library: what it demands follows from exact sums (see
/// laws/exact_data.h) or from a promise of the documents.
struct Law {
  std::string_view name;
  std::string_view words;  ///< what it says, in one line
  /// Demand on the data of its cases: an exact grid on which all gradients fulfil this; nullopt:
  /// dense real numbers.
  std::optional<Demand> demand = Demand::Settled;
  bool (*applies)(const corpus::Case&) = nullptr;  ///< cheap; false: the law says nothing here
  corpus::Verdict (*check)(targets::Target&, const corpus::Case&, const CheckSettings&) = nullptr;
  /// Says something of graph operators too: it is about how a call is made, not about what
  /// aclnnConvolutionBackward takes.
  bool of_operators = false;
  /// Its calls are those of with_shared_sums (laws/shared_sums.h); a verdict says so.
  bool shares_sums = false;
};

/// The table of the laws that `check` (exactness and status) does not cover.
std::span<const Law> laws();

/// The law of that name, of this table or of what libraries claim (claims.h); or null.
const Law* law_named(std::string_view name);

/// Laws, of `candidates`, that say something about this legal, non-empty call.
std::vector<const Law*> laws_that_apply(std::span<const Law* const> candidates,
                                        const corpus::Case& test_case);

/// The law held against one case whose data are complete. Its verdict carries the law's name; a
/// disagreement has kind Law, or that of what went wrong with one of the calls. Same signature as
/// `check` except for the law, so that a finding shrinks and replays in the same way.
corpus::Verdict check_law(const Law& law, targets::Target& target, const corpus::Case& test_case,
                          const CheckSettings& settings);

/// The case with data that suit the law: its own where they are complete, else the law's recipe
/// with magnitudes at which every sum is exact. nullopt: no such data.
std::optional<corpus::Case> law_run(const Law& law, const corpus::Case& test_case,
                                    std::uint64_t seed);

}  // namespace gradproof::cases
