#pragma once

#include "corpus/case.h"

namespace gradproof::advice {

/// The call that computes one element of a gradient as `test_case` does, with as few channels as
/// that takes: one of those that the sum does not run over, one group, and one image for gradInput.
/// Its longest sum is that of `test_case`; so are dtypes, formats, attributes, mode and product.
/// Only this gradient is asked for. Tensors become contiguous.
///
/// `test_case` must be a legal call of aclnnConvolutionBackward with a geometry.
corpus::Case narrow_call(const corpus::Case& test_case, corpus::OutputRole role);

}  // namespace gradproof::advice
