#pragma once

#include "corpus/case.h"
#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/frame.h"
#include "properties/cases/generators/selection.h"

namespace gradproof::cases {

/// True if the selection asks for such layers and calls of the frame can be computed by Winograd's
/// algorithm on Ascend950.
bool has_winograd_layers(const Frame& frame, const Selection& selection);

/// Sizes of a 3x3 layer on the one side or the other of a condition of the released library for
/// dw by F(3x3, 2x2): channels about multiples of 64, odd and even maps, paddings up to 8, all as
/// small as its blocks of channels allow. Most meet every condition.
Convolution draw_winograd_layer(corpus::RandomSource& random);

/// A call of such a layer: mostly FLOAT throughout, and gradWeight among what is requested.
corpus::Case draw_winograd_case(const Frame& frame, const Selection& selection,
                                corpus::RandomSource& random);

}  // namespace gradproof::cases
