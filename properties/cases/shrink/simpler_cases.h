#pragma once

#include <cstddef>
#include <optional>

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
  /// `first_stage`: where to begin the round; a descent continues where its last step was found.
  explicit SimplerCases(corpus::Case test_case, std::size_t first_stage = 0);

  std::optional<corpus::Case> next();

  /// The stage that the last case came from.
  std::size_t stage() const { return stage_; }

 private:
  corpus::Case problem_;
  std::size_t stage_, index_ = 0, stages_done_ = 0;
};

}  // namespace gradproof::cases
