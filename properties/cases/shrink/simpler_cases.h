#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "corpus/case.h"

namespace gradproof::cases {

/// Cases that are one step simpler than a given one, worked out one at a time: fewer axes,
/// channels, groups and samples, attributes nearer to their defaults, simpler settings and types,
/// fewer and plainer data. Shapes stay consistent where they were; data keep the coordinates of the
/// elements that remain.
///
/// Every step makes something smaller and nothing of a higher rank larger, so a descent along steps
/// ends.
class SimplerCases {
 public:
  /// A step by its stage and its number there.
  struct StepPlace {
    std::size_t stage = 0, index = 0;
  };

  /// `first`: where to begin the round; a descent continues where its last step was found, since
  /// those before have just failed, and comes back to them before the next stage.
  explicit SimplerCases(corpus::Case test_case) : SimplerCases(std::move(test_case), StepPlace{}) {}
  SimplerCases(corpus::Case test_case, StepPlace first);

  std::optional<corpus::Case> next();

  /// The place of the last case.
  StepPlace place() const { return place_; }

  /// The first place at which elements of listed data are left out.
  static StepPlace first_of_fewer_elements();

 private:
  std::optional<corpus::Case> next_of_stage(std::size_t end);

  corpus::Case problem_;
  StepPlace place_;
  std::size_t begin_, next_;  ///< of the stage: where it began, what comes next
  bool has_wrapped_ = false;
  std::size_t stages_done_ = 0;
};

}  // namespace gradproof::cases
