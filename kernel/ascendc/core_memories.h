#pragma once

#include <memory>

#include "kernel/cube/local_buffers.h"
#include "kernel/device/product.h"

namespace gradproof::kernel::ascendc {

/// The local memories of one core, nothing allocated in them: reused from a core that has ended, or
/// new ones. They are megabytes, and allocating them takes the host longer than computing a small
/// block. Thread-safe.
class CoreMemories {
 public:
  explicit CoreMemories(device::Product product);
  ~CoreMemories();
  CoreMemories(const CoreMemories&) = delete;
  CoreMemories& operator=(const CoreMemories&) = delete;

  cube::LocalBuffers& operator*() const { return *buffers_; }
  cube::LocalBuffers* operator->() const { return buffers_.get(); }

 private:
  cube::BufferCapacities capacities_;
  std::unique_ptr<cube::LocalBuffers> buffers_;
};

}  // namespace gradproof::kernel::ascendc
