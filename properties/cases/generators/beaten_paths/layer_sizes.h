#pragma once

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/beaten_paths/network_layer.h"

namespace gradproof::cases {

/// Elements of the kernel.
std::int64_t taps_of(const NetworkLayer& row);

/// Sizes for a layer of the table: channels of its classes and maps with the residues of real ones,
/// of about `macs` multiply-accumulates or as few as the layer needs.
Convolution draw_layer(const NetworkLayer& row, std::int64_t macs, corpus::RandomSource& random);

}  // namespace gradproof::cases
