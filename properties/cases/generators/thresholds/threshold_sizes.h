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

/// Sizes of a legal convolution that can only be asked for its status: of one tensor the elements,
/// or the bytes of one dtype, lie just below, at or just above 2^31 or 2^32, where a product of
/// lengths leaves 32 bits. Or those of a layer whose dw Ascend950 computes by Winograd's algorithm,
/// on maps too large to be computed here.
Convolution draw_beyond_memory(const Frame& frame, corpus::RandomSource& random);

}  // namespace gradproof::cases
