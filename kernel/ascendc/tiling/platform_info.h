#pragma once

#include "lib/conv_backprop/conv3d_bp_input_tiling.h"

namespace gradproof::kernel::ascendc::tiling {

/// What the tiling classes keep of a platform. Bias table and fixpipe buffer are the same for all.
ConvBackpropApi::PlatformInfo info_of(const platform_ascendc::PlatformAscendC& platform);

/// That of a class made without one: Ascend910B.
ConvBackpropApi::PlatformInfo default_platform();

}  // namespace gradproof::kernel::ascendc::tiling
