#pragma once

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/selection.h"

namespace gradproof::cases {

/// Makes some of the convolutions ones that only a wider domain than CANN's holds: an output
/// padding of a transposed one from the stride up to the dilation, and in Domain::Any a negative
/// padding. The smaller map keeps its lengths, and with them the products their number.
///
/// Output padding: PyTorch asks for output_padding < max(stride, dilation) along each axis (its
/// convolution's check of shapes). It refuses negative padding ("negative padding is not
/// supported"); XLA and TensorFlow have it.
void widen(Convolution& convolution, Domain domain, corpus::RandomSource& random);

}  // namespace gradproof::cases
