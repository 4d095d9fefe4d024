#pragma once

#include "corpus/case.h"

namespace gradproof::cases {

/// Converts a call of aclnnConvolutionBackward, its axes in the order N C L, to the forward call of
/// `api` whose gradients it asks for; its listed data and the
/// recipe of each tensor go along. A bias with biasSizes, of
/// gradOutput's dtype.
corpus::Case forward_call(corpus::Case gradients, corpus::Api api);

}  // namespace gradproof::cases
