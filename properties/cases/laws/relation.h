#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "properties/cases/check/check.h"
#include "properties/cases/laws/exact_data.h"
#include "properties/targets/target/target.h"

namespace gradproof::cases {

/// One index for each axis of a tensor.
using Coordinate = std::vector<std::int64_t>;

/// An element of an output of one of the other calls.
struct Place {
  std::size_t run = 0;
  Coordinate at;
};

/// A call, other calls derived from it, and which elements of their outputs make up an element of
/// its own.
struct RelatedCalls {
  corpus::Case test_case;
  std::vector<corpus::Case> runs;
  std::vector<std::string> words = {};  ///< of each run; empty: its number says enough
  /// The places whose elements add up to this element times 2^scale (where nothing is demanded,
  /// each has its bits); none: the law says nothing about it.
  std::function<std::vector<Place>(corpus::OutputRole, const Coordinate&)> places;
  corpus::PerOutput<int> scale{};
  Demand demand = Demand::Settled;
  /// True for outputs that the law looks at; of the others the law says nothing.
  corpus::PerOutput<bool> looked_at{true, true, true};
};

/// Runs all calls and compares. Skipped where a derived call is not legal or where no requested
/// gradient fulfils the demand; Vacuous where only zeros were compared.
corpus::Verdict check_relation(targets::Target& target,
                               const tl::expected<RelatedCalls, std::string>& relation,
                               const CheckSettings& settings);

/// The check of a law that is a relation.
template <tl::expected<RelatedCalls, std::string> (*relation_of)(const corpus::Case&)>
corpus::Verdict check_relation_of(targets::Target& target, const corpus::Case& test_case,
                                  const CheckSettings& settings) {
  return check_relation(target, relation_of(test_case), settings);
}

}  // namespace gradproof::cases
