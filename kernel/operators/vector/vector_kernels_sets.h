#pragma once

#include "kernel/operators/vector/vector_kernels.h"

namespace gradproof::kernel::operators {

/// Of one instruction set each; null where the compiler does not know it. Whether the processor has
/// it is for the caller to find out.
const VectorKernels* avx512_kernels();
const VectorKernels* avx2_kernels();
const VectorKernels* portable_kernels();

}  // namespace gradproof::kernel::operators
