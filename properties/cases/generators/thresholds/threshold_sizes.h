#pragma once

#include <cstdint>

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/frame.h"

namespace gradproof::cases {

/// Sizes of a legal convolution of which one (at times two at once) lies at a power of two, where
/// libraries change from one path to another; the others are small, often a real layer's. At most
/// `max_macs` multiply-accumulates.
Convolution draw_threshold_convolution(const Frame& frame, std::int64_t max_macs,
                                       corpus::RandomSource& random);

}  // namespace gradproof::cases
