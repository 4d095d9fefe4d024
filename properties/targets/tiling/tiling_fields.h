#pragma once

#include "lib/conv_backprop/conv3d_bp_filter_tiling_data.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling_data.h"
#include "properties/targets/tiling/tiling_question.h"

namespace gradproof::targets {

/// Notes all fields of the structure, in their order, by their names, into an answer that has none.
void note_fields(const AscendC::tiling::Conv3DBackpropInputTilingData& data, TilingAnswer& answer);
void note_fields(const AscendC::tiling::Conv3DBackpropFilterTilingData& data, TilingAnswer& answer);

}  // namespace gradproof::targets
