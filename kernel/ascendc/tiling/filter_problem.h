#pragma once

#include <string>

#include <tl/expected.hpp>

#include "kernel/ascendc/tiling/problem.h"
#include "lib/conv_backprop/conv3d_bp_filter_tiling.h"

namespace gradproof::kernel::ascendc::tiling {

/// The problem of dw; its backprop pads are not used.
/// Error: the first check of Conv3dBpFilterTiling::GetTiling that fails, in words. As in the
/// released class, extents are not held against each other.
tl::expected<TilingProblem, std::string> checked(
    const ConvBackpropApi::Conv3dBpFilterRequest& request);

}  // namespace gradproof::kernel::ascendc::tiling
