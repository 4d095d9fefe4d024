#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "corpus/case.h"
#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/classes/call_classes.h"
#include "properties/cases/classes/legal_combinations.h"
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

/// Classes of calls, one of each dimension in a row, so that each legal triple of admitted classes
/// is in some row and no row has classes that exclude each other: a covering array of strength 3
/// with constraints, built greedily, one row at a time (Cohen et al., "The AETG System", 1997).
/// Rows follow from the classes alone, on every machine. Triples that no legal row can have are
/// left out; each dimension must have an admitted class.
std::vector<Classes> covering_array(const ClassSet& admitted);

/// Small sizes that fall into a row's classes of kernel, groups, channels, stride, dilation and
/// padding. `frame` has the row's rank and direction.
Convolution draw_joint_sizes(const Frame& frame, const Classes& row, corpus::RandomSource& random);

}  // namespace gradproof::cases
