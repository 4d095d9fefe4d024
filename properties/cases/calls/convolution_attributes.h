#pragma once

#include <cstdint>
#include <vector>

#include "properties/cases/calls/convolution.h"

namespace gradproof::cases {

/// The attribute arrays that a call passes for a convolution, one value per spatial axis unless
/// said otherwise.
std::vector<std::int64_t> strides_of(const Convolution& convolution);
std::vector<std::int64_t> dilations_of(const Convolution& convolution);

/// One value per axis where both ends of each are padded alike, else begin and end of every axis.
std::vector<std::int64_t> paddings_of(const Convolution& convolution);

/// Zeros unless transposed: then the elements of gradOutput that no position reaches.
std::vector<std::int64_t> output_paddings_of(const Convolution& convolution);

bool is_asymmetric(const SpatialAxis& axis);

}  // namespace gradproof::cases
