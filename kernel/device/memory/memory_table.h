#pragma once

// The memory of all devices, for the sources that keep it.

#include "kernel/device/memory/heap.h"
#include "kernel/device/settings.h"

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace gradproof::kernel::device {

/// Bytes that a device accounts for.
struct MemoryUse {
  std::uint64_t now = 0, peak = 0;
};

struct MemoryTable {
  std::mutex mutex;  // of what follows
  std::condition_variable hold_ended;
  Heap heap;
  CheckLevel checks = CheckLevel::Full;
  std::map<int, MemoryUse> used;
  std::map<int, HeapBlock*> overflow_words;
};

MemoryTable& memory();

inline std::uintptr_t number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

// With the lock held:

/// The live block that has all of [address, address + bytes), or nullptr.
HeapBlock* live_block(std::uintptr_t address, std::size_t bytes);

/// "allocation #5 (64 bytes, device 0)".
std::string name_of(const HeapBlock& block);

/// Counts more, or fewer, bytes of a device.
void charge(int device, std::uint64_t bytes);
void discharge(int device, std::uint64_t bytes);

/// Ends a live block of any origin. What kept its bytes is the caller's to end, outside of locks.
std::shared_ptr<void> finish(HeapBlock& block);

}  // namespace gradproof::kernel::device
