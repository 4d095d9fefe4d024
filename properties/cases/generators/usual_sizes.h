#pragma once

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/frame.h"

namespace gradproof::cases {

/// Sizes of a valid, non-empty convolution, each attribute of each axis drawn for itself, with at
/// most `max_macs` multiply-accumulates per gradient. Outputs are drawn first and inputs derived
/// from them, so no draw is discarded.
Convolution draw_usual_convolution(const Frame& frame, std::int64_t max_macs,
                                   corpus::RandomSource& random);

/// Sizes of an empty problem that the documents allow (EMPTY-01 to EMPTY-14); second generation and
/// 950 only.
Convolution draw_empty_convolution(const Frame& frame, corpus::RandomSource& random);

}  // namespace gradproof::cases
