#pragma once

#include "properties/runs/prove/scope.h"

namespace gradproof::runs {

/// Calls with channels at the edges of the blocks that optimised libraries cut them into:
/// depthwise, grouped and dense, ordinary and transposed, with strides, dilations, paddings,
/// kernels and masks.
///
/// A covering array of strength 3: every combination of any three of these choices is in some call.
/// Then 2D calls whose axes have other paddings at their ends than at their begins.
/// Built greedily (Cohen et al., "The AETG System", 1997), the same on every machine.
Scope block_scope();

}  // namespace gradproof::runs
