#pragma once

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/frame.h"

namespace gradproof::cases {

/// Sizes of a legal convolution with one attribute at the end of its range or just before it
/// (RANGE-01 to RANGE-10), which draws by magnitude and budget nearly never reach.
Convolution draw_extreme_convolution(const Frame& frame, corpus::RandomSource& random);

}  // namespace gradproof::cases
