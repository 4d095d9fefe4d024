#include "kernel/ascendc/core_memories.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace gradproof::kernel::ascendc {
namespace {

using Buffers = std::unique_ptr<cube::LocalBuffers>;

/// Number of idle memories to keep: as many as a host's threads have in use at once.
constexpr std::size_t most_idle = 16;

/// Memories that no core has, with their capacities: chips of one family share them.
struct Idle {
  std::mutex mutex;
  std::vector<std::pair<cube::BufferCapacities, Buffers>> buffers;
};

/// Lives as long as the process: kernels may still end while static objects are destroyed.
Idle& idle() {
  static Idle& instance = *[] {
    auto* created = new Idle;
    created->buffers.reserve(most_idle);  // so that nothing is thrown where they are given back
    return created;
  }();
  return instance;
}

Buffers taken(const cube::BufferCapacities& capacities) {
  const std::lock_guard lock(idle().mutex);
  auto& buffers = idle().buffers;
  const auto found =
      std::ranges::find_if(buffers, [&](const auto& one) { return one.first == capacities; });
  if (found == buffers.end()) return nullptr;
  Buffers kept = std::move(found->second);
  buffers.erase(found);
  return kept;
}

}  // namespace

CoreMemories::CoreMemories(device::Product product)
    : capacities_(cube::capacities_of(product)), buffers_(taken(capacities_)) {
  if (!buffers_) buffers_ = std::make_unique<cube::LocalBuffers>(capacities_);
}

CoreMemories::~CoreMemories() {
  buffers_->release();
  const std::lock_guard lock(idle().mutex);
  if (idle().buffers.size() == most_idle) return;
  idle().buffers.emplace_back(capacities_, std::move(buffers_));
}

}  // namespace gradproof::kernel::ascendc
