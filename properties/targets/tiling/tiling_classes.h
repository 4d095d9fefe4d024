#pragma once

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

}  // namespace gradproof::targets
