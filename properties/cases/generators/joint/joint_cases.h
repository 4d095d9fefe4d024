#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/classes/call_classes.h"
#include "properties/cases/generators/frame.h"
#include "properties/cases/generators/selection.h"

namespace gradproof::cases {

/// The cases that complete the triples of classes: in each run of shares::joint_period numbers one
/// case is a row of a covering array, and rows follow each other, so that any part of a run of
/// shares::joint_period times size() numbers has them all.
class JointCases {
 public:
  /// Takes the rows that the frames admit; no frames: none.
  explicit JointCases(const std::vector<Frame>& frames);

  const std::vector<Classes>& rows() const { return rows_; }

  /// The row that case `index` of `seed` is; nullopt: it is none.
  std::optional<std::size_t> row_at(std::uint64_t seed, std::uint64_t index) const;

  /// A legal call, data left open, that has the classes of a row. nullopt: it would need more than
  /// selection.max_macs.
  std::optional<corpus::Case> draw(std::size_t row, const Selection& selection,
                                   corpus::RandomSource& random) const;

 private:
  std::vector<Classes> rows_;
};

}  // namespace gradproof::cases
