#pragma once

#include <cstddef>
#include <vector>

#include "corpus/tensor_case.h"

namespace gradproof::corpus {

/// True if two elements of a view may share a place in memory: true unless each axis steps beyond
/// all that those of smaller strides reach. Views that interleave without nesting count as sharing.
bool may_share_places(const TensorCase& tensor);

/// Value, of those at one place, that all elements there get.
enum class PlaceValue : bool {
  First,  ///< the first element's in row-major order
  Only,   ///< the one that is not +0, wherever it stands; places with several of them stay
};

/// Settles dense row-major elements as a view with shared places shows them: equal wherever two of
/// them share one.
void settle_shared_places(std::vector<std::byte>& elements, const TensorCase& tensor,
                          PlaceValue chosen);

}  // namespace gradproof::corpus
