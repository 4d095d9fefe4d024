#pragma once

#include "bench/kernel_gradient.h"

namespace gradproof::bench {

/// oneDNN's dx or dw in FLOAT with `threads` threads, in layouts of its choice. `plain`: tensors
/// are NCHW on both sides and its reorders are part of the computation; else operands lie ready in
/// its layouts. Empty where the build has no oneDNN.
Computation onednn_gradient(const Layer& layer, Gradient gradient, bool plain, int threads);

}  // namespace gradproof::bench
