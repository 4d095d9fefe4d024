#pragma once

#include <memory>

#include "kernel/cube/local_buffers.h"
#include "kernel/device/product.h"

namespace gradproof::kernel::ascendc {

/// The local memories of one core, nothing allocated in them: those of a core that has ended, or
/// new ones. They are megabytes, and a small block is computed in less time than the host takes to
/// hand them out anew. Thread-safe.
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
