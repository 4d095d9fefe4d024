#pragma once

#include <cstdint>
#include <span>

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/frame.h"

namespace gradproof::properties {

/// Sizes of a legal convolution of which one (at times two at once) lies at a power of two, where
/// libraries change from one path to another; the others are small, often a real layer's. At most
/// `max_macs` multiply-accumulates.
Convolution draw_threshold_convolution(const Frame& frame, std::int64_t max_macs,
                                       corpus::RandomSource& random);

/// Draws a convolution with one size (at times two) that is an integer of the dictionary, the next
/// one or larger: where a library that compares with it changes its path. No dictionary is empty.
Convolution draw_dictionary_convolution(const Frame& frame, std::int64_t max_macs,
                                        std::span<const std::int64_t> dictionary,
                                        corpus::RandomSource& random);

}  // namespace gradproof::properties
