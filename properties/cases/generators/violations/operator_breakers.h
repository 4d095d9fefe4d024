#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "corpus/case.h"
#include "corpus/random_source.h"
#include "properties/cases/generators/operator_case.h"

namespace gradproof::cases {

/// Way to break one rule of an operator other than aclnnConvolutionBackward, and as little else as
/// can be.
struct OperatorBreaker {
  std::string_view rule;
  bool (*applies)(const OperatorFrame&);
  /// False where the rule cannot be broken in this case, which is then discarded.
  bool (*breaks)(corpus::Case&, corpus::RandomSource&);
  OperatorWishes needs = {.plain = true};
};

/// Every rule of theirs that a generated case can break, in the specification's order.
std::span<const OperatorBreaker> operator_breakers();

/// A call of one of the frames with the breaker's rule broken; nullopt where no try within a small
/// limit lent itself. `discarded` counts the others.
std::optional<corpus::Case> draw_broken_operator_case(const OperatorBreaker& breaker,
                                                      const std::vector<OperatorFrame>& frames,
                                                      corpus::RandomSource& random, int& discarded);

}  // namespace gradproof::cases
