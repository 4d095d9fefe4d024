#pragma once

#include <optional>

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/beaten_paths/network_layer.h"
#include "properties/cases/generators/frame.h"

namespace gradproof::cases {

/// Sizes of a layer that real networks have (network_layer.h), where optimised libraries have their
/// special code: its attributes jointly, its channels by class, its maps by their residues, all as
/// small as the path allows. At times one attribute is changed afterwards. nullopt where no row of
/// the frame's rank and direction keeps the frame's ranges and `max_macs`.
std::optional<Convolution> draw_beaten_path(const Frame& frame, std::int64_t max_macs,
                                            corpus::RandomSource& random);

/// Changes one attribute: a neighbour of the path. It may leave the ranges of some frames.
void change_one_attribute(Convolution& drawn, bool sides_may_differ, corpus::RandomSource& random);

/// Elements of the kernel.
std::int64_t taps_of(const NetworkLayer& row);

/// Sizes for a layer of the table: channels of its classes and maps with the residues of real ones,
/// of about `macs` multiply-accumulates or as few as the layer needs.
Convolution draw_layer(const NetworkLayer& row, std::int64_t macs, corpus::RandomSource& random);

}  // namespace gradproof::cases
