#pragma once

#include <optional>
#include <string>

#include "properties/advice/logs/draft.h"

namespace gradproof::advice {

/// Paddings at both ends of each axis.
struct PaddingEnds {
  Integers begins, ends;
};

/// Paddings that are given as pairs, [[1, 1], [0, 2]]: of the spatial axes, or of all.
std::optional<PaddingEnds> ends_of_pairs(const Value& padding, const std::string& layout,
                                         std::size_t axes);

/// A list of twice the axes: begins and then ends, or both of each axis in turn, by the row.
PaddingEnds halves(const Integers& values, const Draft& draft);

}  // namespace gradproof::advice
