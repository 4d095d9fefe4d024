#pragma once

#include <cstdint>

#include "corpus/case.h"
#include "lib/conv_backprop/conv3d_bp_filter_tiling_data.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling_data.h"
#include "properties/targets/tiling/tiling_question.h"

namespace gradproof::targets {

// NOLINTBEGIN(readability-identifier-naming): named as functions of a C API are
extern "C" {
/// Tells and asks Conv3DBpInputTiling and Conv3dBpFilterTiling once for each of the two structures
/// that they fill.
void gradproofConv3DBpInputTiling(const TilingQuestion* question, TilingAnswer* answer);
void gradproofConv3dBpFilterTiling(const TilingQuestion* question, TilingAnswer* answer);

/// The gradient by a kernel that uses Conv3DBackpropInput or Conv3DBackpropFilter and is cut as
/// GetTiling says, on the cores of the device that is current. All three shapes must be told, in
/// the private formats. 0, GetTiling's -1, or what the runtime returned.
int gradproofConv3DBpInputTilingRun(const TilingQuestion* question, const HostOperands* operands);
int gradproofConv3dBpFilterTilingRun(const TilingQuestion* question, const HostOperands* operands);
}
// NOLINTEND(readability-identifier-naming)

/// Beyond this a tiling class is asked, and no kernel run: one element at a time, the simulated
/// cores take seconds.
inline constexpr std::uint64_t most_macs_on_cores = 2'000'000;

/// True for a gradient that is computed with the tiling: all three tensors are there, and it is not
/// too large.
bool computes_on_cores(const corpus::Case& test_case);

/// Notes all fields of the structure, in their order, by their names, into an answer that has none.
void note_fields(const AscendC::tiling::Conv3DBackpropInputTilingData& data, TilingAnswer& answer);
void note_fields(const AscendC::tiling::Conv3DBackpropFilterTilingData& data, TilingAnswer& answer);

}  // namespace gradproof::targets
