#pragma once

#include <cstdint>

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/frame.h"

namespace gradproof::cases {

/// Sizes of a valid, non-empty convolution, with at most `max_macs` multiply-accumulates per
/// gradient: a layer of a real network, sizes at powers of two, attributes at
/// the ends of their ranges, a layer of a device's own paths, or each drawn for itself (shares.h).
Convolution draw_convolution(const Frame& frame, std::int64_t max_macs,
                             corpus::RandomSource& random);

}  // namespace gradproof::cases
