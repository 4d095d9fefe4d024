#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "corpus/random_source.h"
#include "properties/cases/generators/frame.h"
#include "properties/cases/generators/selection.h"
#include "properties/cases/generators/violations/rule_breakers.h"

namespace gradproof::cases {

/// Every rule that a generated case can break, in the specification's order.
const std::vector<RuleBreaker>& rule_breakers();

/// Breakers that have a frame inside the selection.
std::vector<RuleBreaker> rule_breakers_of(const Selection& selection,
                                          const std::vector<Frame>& frames);

/// A legal case in which one rule was broken on purpose.
struct InvalidCase {
  std::optional<corpus::Case> test_case;  ///< nullopt where no try within a small limit lent itself
  std::string_view
      rule;           ///< the one that was broken on purpose; others may have been broken with it
  int discarded = 0;  ///< draws discarded because the rule could not be broken in them
};

/// A valid call with one of the rules broken.
InvalidCase draw_invalid_case(const std::vector<RuleBreaker>& breakers,
                              const std::vector<Frame>& frames, const Selection& selection,
                              corpus::RandomSource& random);

}  // namespace gradproof::cases
