#pragma once

#include <cstdint>
#include <vector>

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"

namespace gradproof::cases {

// Sizes of forward calls, as those of the convolution in the other direction.

/// A value for each axis.
std::vector<std::int64_t> values_of(const Convolution& sizes, std::int64_t SpatialAxis::*member);

/// The argument: values for both ends where the axes differ in them, or where the draw says so.
/// The end of a line may get more than its begin, and its map is that much shorter then.
std::vector<std::int64_t> draw_padding(Convolution& sizes, bool transposed,
                                       corpus::RandomSource& random);

/// Makes a line of one channel in pieces that do not overlap: the released library has a way of its
/// own for long ones.
void cut_into_long_pieces(Convolution& sizes, corpus::RandomSource& random);

/// Makes both paddings equal, with the same positions.
void even_out(SpatialAxis& axis);

}  // namespace gradproof::cases
