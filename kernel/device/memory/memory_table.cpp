#include "kernel/device/memory/memory_table.h"

#include "kernel/device/error_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace gradproof::kernel::device {
namespace {

void report_stale_write(const HeapBlock& block) {
  report_error(
      fmt::format("EE1001: {} was written to after it had been freed; a host pointer into device "
                  "memory was kept",
                  name_of(block)));
}

}  // namespace

/// Memory of the process, never destroyed: threads may use it while static objects are destroyed.
MemoryTable& memory() {
  static MemoryTable& instance = *[] {
    auto* created = new MemoryTable;
    created->heap.set_stale_write_observer(report_stale_write);
    return created;
  }();
  return instance;
}

HeapBlock* live_block(std::uintptr_t address, std::size_t bytes) {
  HeapBlock* block = memory().heap.find(address);
  if (block == nullptr || block->state != HeapBlock::State::Live || address < block->address ||
      !block->is_accessible)
    return nullptr;
  const std::size_t offset = address - block->address;
  return offset <= block->size && bytes <= block->size - offset ? block : nullptr;
}

std::string name_of(const HeapBlock& block) {
  constexpr const char* kinds[] = {"allocation", "the device's own memory",
                                   "registered host memory", "mapping", "import"};
  return fmt::format("{} #{} ({} bytes, device {})", kinds[static_cast<int>(block.origin)],
                     block.ordinal, block.size, block.device);
}

void charge(int device, std::uint64_t bytes) {
  MemoryUse& use = memory().used[device];
  use.now += bytes;
  use.peak = std::max(use.peak, use.now);
}

void discharge(int device, std::uint64_t bytes) { memory().used[device].now -= bytes; }

std::shared_ptr<void> finish(HeapBlock& block) {
  if (const auto at_end = std::exchange(block.at_end, nullptr)) at_end(block);
  if (block.origin == HeapBlock::Origin::Device) memory().overflow_words.erase(block.device);
  if (block.origin != HeapBlock::Origin::Allocated && block.origin != HeapBlock::Origin::Device)
    return memory().heap.displace(block);
  if (block.home != nullptr) {
    block.bytes = std::exchange(block.home, nullptr);
    block.is_poisoned = false;
  }
  std::shared_ptr<void> keeper = std::move(block.keeper);
  discharge(block.device, block.cost);
  memory().heap.release(block);
  return keeper;
}

}  // namespace gradproof::kernel::device
