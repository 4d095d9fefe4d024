#pragma once

#include <cstdint>

#include "lib/conv_backprop/conv3d_bp_filter_tiling_data.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling_data.h"
#include "properties/targets/tiling/tiling_question.h"

namespace gradproof::targets {

/// GetTiling of a fresh object that was told the question; -1 where a setter refuses.
std::int64_t get_tiling(const TilingQuestion& question,
                        AscendC::tiling::Conv3DBackpropInputTilingData& data);
std::int64_t get_tiling(const TilingQuestion& question,
                        AscendC::tiling::Conv3DBackpropFilterTilingData& data);

}  // namespace gradproof::targets
