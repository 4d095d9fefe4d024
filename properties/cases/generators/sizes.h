#pragma once

#include <cstdint>
#include <vector>

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/frame.h"
#include "properties/cases/generators/selection.h"

namespace gradproof::cases {

/// Sizes of a valid, non-empty convolution, with at most `max_macs` multiply-accumulates per
/// gradient: a layer of a real network, sizes at powers of two, attributes at
/// the ends of their ranges, a layer of a device's own paths, or each drawn for itself (shares.h).
Convolution draw_convolution(const Frame& frame, std::int64_t max_macs,
                             corpus::RandomSource& random);

/// Sizes of a valid, non-empty convolution, each attribute of each axis drawn for itself, with at
/// most `max_macs` multiply-accumulates per gradient. Outputs are drawn first and inputs derived
/// from them, so no draw is discarded.
Convolution draw_usual_convolution(const Frame& frame, std::int64_t max_macs,
                                   corpus::RandomSource& random);

/// Sizes of an empty problem that the documents allow (EMPTY-01 to EMPTY-14); second generation and
/// 950 only.
Convolution draw_empty_convolution(const Frame& frame, corpus::RandomSource& random);

/// Makes some of the convolutions ones that only a wider domain than CANN's holds: an output
/// padding of a transposed one from the stride up to the dilation, and in Domain::Any a negative
/// padding. The smaller map keeps its lengths, and with them the products their number.
///
/// Output padding: PyTorch asks for output_padding < max(stride, dilation) along each axis (its
/// convolution's check of shapes). It refuses negative padding ("negative padding is not
/// supported"); XLA and TensorFlow have it.
void widen(Convolution& convolution, Domain domain, corpus::RandomSource& random);

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
