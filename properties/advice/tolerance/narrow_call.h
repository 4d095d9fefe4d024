#pragma once

#include "corpus/case.h"

namespace gradproof::properties {

/// The call that computes one element of a gradient as `problem` does, with as few channels as that
/// takes: one of those that the sum does not run over, one group, and one image for gradInput. Its
/// longest sum is that of `problem`; so are dtypes, formats, attributes, mode and product. Only
/// this gradient is asked for. Tensors become contiguous.
///
/// `problem` must be a legal call of aclnnConvolutionBackward with a geometry.
corpus::Case narrow_call(const corpus::Case& problem, corpus::OutputRole role);

}  // namespace gradproof::properties
