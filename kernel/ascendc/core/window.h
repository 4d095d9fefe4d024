#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/ascendc/core/core.h"
#include "kernel/numeric/format.h"
#include "kernel_operator.h"

namespace gradproof::kernel::ascendc {

using AscendC::simulation::GlobalWindow;

/// Elements of a GlobalTensor that one call touches, for its checks and their texts.
struct Touch {
  const char* call;
  const char* tensor;  ///< what the call takes it for: "gradOutput"
};

/// Copies between global memory and `values`, with checks. Elements outside of the window, outside
/// of its allocation, or not aligned to their size end the block: 507042 reading, 507043 writing.
/// Cores may touch an element at the same time; it then has one of the values written.
void copy_in(Core& core, const Touch& touch, const GlobalWindow& window, std::uint64_t first,
             std::uint64_t count, void* values);
void copy_out(Core& core, const Touch& touch, const GlobalWindow& window, std::uint64_t first,
              std::uint64_t count, const void* values);

/// Adds elements to what is in memory, in the core's turn; each sum is rounded to the format.
void add_out(Core& core, const Touch& touch, const GlobalWindow& window, std::uint64_t first,
             std::uint64_t count, numeric::Format format, const std::byte* values);

}  // namespace gradproof::kernel::ascendc
