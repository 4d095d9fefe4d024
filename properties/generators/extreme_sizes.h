#pragma once

#include "properties/convolution.h"
#include "properties/generators/frame.h"
#include "properties/generators/random_source.h"

namespace gradproof::properties {

/// Sizes of a legal convolution with one attribute at the end of its range or just before it
/// (RANGE-01 to RANGE-10), or with a reduction longer than one accumulator takes, which draws by
/// magnitude and budget nearly never reach.
Convolution draw_extreme_convolution(const Frame& frame, RandomSource& random);

}  // namespace gradproof::properties
