#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/facts/operator_facts.h"
#include "oracle/facts/spatial_axis.h"

namespace gradproof::oracle::tiling {

/// True if neither the length of the feature map nor its tensor is told: the mode of a transposed
/// convolution, in which it follows from the rest.
bool is_transposed(const OperatorFacts& facts);

/// D, H and W as a tiling class is told them, with the output padding (null: none); nullopt where
/// something is not told, or overflows.
std::optional<SpatialAxes> axes_of(const OperatorFacts& facts,
                                   const std::vector<std::int64_t>* output_padding);

}  // namespace gradproof::oracle::tiling
