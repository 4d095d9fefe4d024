#pragma once

#include <cstdint>

#include "corpus/random_source.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/frame.h"

namespace gradproof::cases {

/// Sizes of a layer for which Ascend's released library has code of its own, with up to three of
/// its quantities moved to a border where that code decides. What the vendor mended in 2026 in this
/// operator sat on such pairs: the last of six paddings of a 1x1 layer, a negative backward padding
/// of a layer that is split by its stride. At most `max_macs` multiply-accumulates,
/// and elements of a tensor.
Convolution draw_device_path(const Frame& frame, std::int64_t max_macs,
                             corpus::RandomSource& random);

}  // namespace gradproof::cases
