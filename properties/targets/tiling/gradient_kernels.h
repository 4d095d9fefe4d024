#pragma once

#include "kernel_operator.h"
#include "lib/conv_backprop/conv3d_bp_filter_tiling_data.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling_data.h"

namespace gradproof::targets {

/// Where a kernel's operands and its result lie in device memory, in private layouts.
struct KernelOperands {
  GM_ADDR grad_output;
  GM_ADDR other;  ///< weight of dx, input of dw
  GM_ADDR result;
};

/// Kernels that compute a whole gradient with Conv3DBackpropInput and Conv3DBackpropFilter, cut as
/// GetTiling says: every block takes its part of the tasks. T: half, bfloat16_t or float. dx where
/// nothing contributes stays as it was, and dw is added to what is there.
template <typename T>
__global__ __aicore__ void dx_kernel(KernelOperands operands,
                                     AscendC::tiling::TConv3DBackpropInputTiling tiling);
template <typename T>
__global__ __aicore__ void dw_kernel(KernelOperands operands,
                                     AscendC::tiling::TConv3DBpFilterTiling tiling);

}  // namespace gradproof::targets
