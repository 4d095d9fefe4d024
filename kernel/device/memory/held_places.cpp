#include "kernel/device/memory/memory.h"
#include "kernel/device/memory/memory_table.h"

#include <mutex>

namespace gradproof::kernel::device {

std::vector<HeldPlace> places_of(std::span<const MemoryHold> holds) {
  std::vector<HeldPlace> places;
  places.reserve(holds.size());
  const std::lock_guard lock(memory().mutex);
  for (const MemoryHold& hold : holds) {
    if (hold.block_ != nullptr) places.push_back({hold.block_->address, hold.block_->ordinal});
  }
  return places;
}

std::optional<std::vector<MemoryHold>> hold_again(std::span<const HeldPlace> places,
                                                  std::uintptr_t& gone) {
  std::vector<HeapBlock*> blocks;
  blocks.reserve(places.size());
  std::vector<MemoryHold> holds;
  holds.reserve(places.size());
  const std::lock_guard lock(memory().mutex);
  for (const HeldPlace& place : places) {
    HeapBlock* const block = live_block(place.address, 0);
    if (block == nullptr || block->ordinal != place.ordinal) {
      gone = place.address;
      return std::nullopt;
    }
    blocks.push_back(block);
  }
  for (HeapBlock* const block : blocks) {
    ++block->holds;
    holds.push_back(MemoryHold::adopt(block));
  }
  return holds;
}

}  // namespace gradproof::kernel::device
