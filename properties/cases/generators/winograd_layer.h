#pragma once

#include <optional>

#include "corpus/case.h"
#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/frame.h"
#include "properties/cases/generators/selection.h"

namespace gradproof::cases {

/// Sizes of a 3x3 layer on the one side or the other of a condition of the released library for
/// dw by F(3x3, 2x2): channels about multiples of 64, odd and even maps, paddings up to 8, all as
/// small as its blocks of channels allow. Most meet every condition.
Convolution draw_winograd_layer(corpus::RandomSource& random);

/// Sizes of a small layer with 3 taps along H, W or both, without stride or dilation: channels,
/// groups, samples, maps and paddings with tails of every length, now and then more than 256 tiles
/// or channels that lie more than 65,535 bytes apart.
Convolution draw_tile_layer(const Frame& frame, corpus::RandomSource& random);

/// A call of one of these layers, mostly FLOAT throughout, for the share of the frame's calls that
/// the selection asks for; nullopt for the others.
std::optional<corpus::Case> draw_tile_case(const Frame& frame, const Selection& selection,
                                           corpus::RandomSource& random);

}  // namespace gradproof::cases
