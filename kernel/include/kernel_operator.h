#ifndef GRADPROOF_KERNEL_OPERATOR_H
#define GRADPROOF_KERNEL_OPERATOR_H

#include <cstdint>

#include "lib/conv_backprop/conv_backprop_types.h"

// The basics of Ascend C for kernels that run on simulated cores. kernel_launcher.h starts them.

// What the device's compiler adds to C++ says nothing here.
#define __aicore__
#define __gm__
#define __global__
#define __vector__
#define __cube__
#define __mix__(cubes, vectors)
#define __schedmode__(mode)
#define GM_ADDR __gm__ uint8_t*

/// FLOAT16. Rounds to nearest, ties to even; arithmetic is that of FLOAT.
struct half {
  half() = default;
  half(float value);  // as the compiler's own type
  operator float() const;
  uint16_t bits;
};

/// BFLOAT16, likewise.
struct bfloat16_t {
  bfloat16_t() = default;
  bfloat16_t(float value);
  operator float() const;
  uint16_t bits;
};

namespace AscendC {

/// Number of the block that the calling core runs, and number of all blocks of the launch.
int64_t GetBlockIdx();
int64_t GetBlockNum();

/// Access of this API's headers to the simulated device; kernels have no use for it.
namespace simulation {

/// A GlobalTensor without its type: elements from `start` on, and where operator[] moved.
struct GlobalWindow {
  static constexpr uint64_t whole_allocation = UINT64_MAX;

  const void* start = nullptr;       ///< device address; null before SetGlobalBuffer
  uint64_t size = whole_allocation;  ///< elements from start that may be touched
  uint64_t offset = 0;               ///< elements from start, modulo 2^64
  uint32_t elementBytes = 1;
};

void read_element(const GlobalWindow& window, uint64_t index, void* value);
void write_element(const GlobalWindow& window, uint64_t index, const void* value);

}  // namespace simulation

/// A view of device memory. Moving it is free of checks; touching an element outside of the buffer,
/// or of the allocation that it lies in, ends the block with a diagnostic.
template <typename T>
class GlobalTensor {
 public:
  using PrimType = T;

  /// Sets the buffer of bufferSize elements; 0, the default: up to the allocation's end.
  void SetGlobalBuffer(__gm__ T* buffer, uint64_t bufferSize = 0) {
    window_ = {};
    window_.start = buffer;
    if (bufferSize != 0) window_.size = bufferSize;
    window_.elementBytes = sizeof(T);
  }

  GlobalTensor operator[](uint64_t offset) const {
    GlobalTensor moved = *this;
    moved.window_.offset += offset;
    return moved;
  }

  T GetValue(uint64_t offset) const {
    T value;
    simulation::read_element(window_, offset, &value);
    return value;
  }
  void SetValue(uint64_t offset, T value) { simulation::write_element(window_, offset, &value); }

  /// Elements from here to the buffer's end; 0 where SetGlobalBuffer was told no size.
  uint64_t GetSize() const {
    const bool isTold = window_.size != simulation::GlobalWindow::whole_allocation;
    return isTold && window_.offset <= window_.size ? window_.size - window_.offset : 0;
  }

  /// An address of the device: it can be handed on, not dereferenced.
  const __gm__ T* GetPhyAddr(uint64_t offset = 0) const {
    const auto bytes = (window_.offset + offset) * sizeof(T);
    return reinterpret_cast<const T*>(reinterpret_cast<uintptr_t>(window_.start) + bytes);
  }

  /// Region of global memory, for the headers of this API.
  const simulation::GlobalWindow& window() const { return window_; }

 private:
  simulation::GlobalWindow window_;
};

}  // namespace AscendC

#endif
