#pragma once

#include <string>

#include "corpus/case.h"

namespace gradproof::advice {

/// The call as Python that runs without an NPU: torch.ops.aten.convolution_backward on tensors of
/// random numbers. Where PyTorch cannot say the call (a null pointer, paddings that differ at the
/// two ends, an 8-bit dtype), a comment says so.
std::string python_call(const corpus::Case& test_case);

/// The call as a C function: device addresses come in, the status of the first phase that fails
/// goes out. Compiled as C++, which CANN's own headers ask for.
std::string c_call(const corpus::Case& test_case);

}  // namespace gradproof::advice
