#include "kernel/device/memory/memory.h"

#include "kernel/device/error_text.h"
#include "kernel/device/memory/memory_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

namespace gradproof::kernel::device {
namespace {

std::string describe(std::uintptr_t address) {
  const HeapBlock* block = memory().heap.find(address);
  if (block == nullptr || block->state == HeapBlock::State::Free) {
    return memory().heap.is_device_address(address)
               ? "is a device address where nothing is allocated"
               : "is no memory of a device";
  }
  const auto offset = static_cast<std::int64_t>(address - block->address);
  const bool is_freed = block->state == HeapBlock::State::Freed;
  const std::string name = name_of(*block) + (is_freed ? ", which was freed already" : "");
  const auto end = static_cast<std::int64_t>(block->size);
  if (offset < 0) return fmt::format("lies {} bytes before {}", -offset, name);
  if (offset == 0) return fmt::format("is the start of {}", name);
  if (offset >= end) return fmt::format("lies {} bytes past the end of {}", offset - end, name);
  return fmt::format("is byte {} of {}", offset, name);
}

/// Checks a block's guards. Returns 0, or 507043 with a text at the first sight of damage.
aclError check_guards(HeapBlock& block, std::string_view when) {
  if (block.damage_is_known) return 0;
  const auto damage = Heap::damage_of(block);
  if (!damage.has_value()) return 0;
  block.damage_is_known = true;
  return refuse(ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW,
                fmt::format("EE1001: {}: {} was written to out of bounds, first at byte {}", when,
                            name_of(block), damage->offset));
}

/// The live block that has all of [address, address + bytes) as far as it reaches, or nullptr.
HeapBlock* block_within(Reach reach, std::uintptr_t address, std::size_t bytes) {
  constexpr std::size_t granule = 32;
  HeapBlock* const block = live_block(address, 0);
  if (block == nullptr || reach == Reach::Asked || memory().checks != CheckLevel::Off ||
      block->origin != HeapBlock::Origin::Allocated) {
    return live_block(address, bytes);
  }
  const std::size_t end = (block->size + granule - 1) / granule * granule;
  return bytes <= end - (address - block->address) ? block : nullptr;
}

HeapBlock* any_live_block(int device) {
  const auto& live = memory().heap.live();
  const auto found = std::ranges::find(live, device, &HeapBlock::device);
  return found == live.end() ? nullptr : *found;
}

}  // namespace

/// Host pointer into a live block, which a running task then holds. The lock is held.
std::byte* view_in(HeapBlock* block, std::uintptr_t address) {
  if (block == nullptr) return nullptr;
  block->is_poisoned = false;
  auto* const holds = holds_of_running_task();
  const auto is_held = [block](const MemoryHold& hold) { return hold.block_ == block; };
  if (holds != nullptr && std::ranges::none_of(*holds, is_held)) {
    ++block->holds;
    holds->push_back(MemoryHold::adopt(block));
  }
  return block->bytes + (address - block->address);
}

std::byte* host_view(const void* device_address, std::size_t bytes) {
  const std::lock_guard lock(memory().mutex);
  const std::uintptr_t address = number(device_address);
  return view_in(live_block(address, bytes), address);
}

HeldView held_view(const void* device_address, std::size_t bytes, Reach reach) {
  const std::lock_guard lock(memory().mutex);
  const std::uintptr_t address = number(device_address);
  HeldView view;
  view.is_on_device = memory().heap.is_device_address(address);
  HeapBlock* const block = view.is_on_device ? block_within(reach, address, bytes) : nullptr;
  if (block == nullptr) return view;
  view.bytes = view_in(block, address);
  ++block->holds;
  view.hold = MemoryHold::adopt(block);
  return view;
}

bool is_untouched(const void* device_address, std::size_t bytes) {
  const std::lock_guard lock(memory().mutex);
  const HeapBlock* block = live_block(number(device_address), bytes);
  return block != nullptr && block->is_poisoned;
}

MemoryHold::MemoryHold(const void* device_address) {
  const std::lock_guard lock(memory().mutex);
  block_ = live_block(number(device_address), 0);
  if (block_ != nullptr) ++block_->holds;
}

MemoryHold MemoryHold::adopt(HeapBlock* block) {
  MemoryHold hold;
  hold.block_ = block;
  return hold;
}

MemoryHold::~MemoryHold() {
  if (block_ == nullptr) return;
  const std::lock_guard lock(memory().mutex);
  if (--block_->holds == 0) memory().hold_ended.notify_all();
}

std::vector<MemoryHold> hold_each(std::span<const void* const> device_addresses) {
  std::vector<MemoryHold> holds;
  holds.reserve(device_addresses.size());
  const std::lock_guard lock(memory().mutex);
  for (const void* const address : device_addresses) {
    HeapBlock* const block = live_block(number(address), 0);
    if (block != nullptr) ++block->holds;
    holds.push_back(MemoryHold::adopt(block));
  }
  return holds;
}

void end_holds(std::vector<MemoryHold>& holds) {
  {
    const std::lock_guard lock(memory().mutex);
    bool is_last = false;
    for (MemoryHold& hold : holds) {
      HeapBlock* const block = std::exchange(hold.block_, nullptr);
      if (block != nullptr && --block->holds == 0) is_last = true;
    }
    if (is_last) memory().hold_ended.notify_all();
  }
  holds.clear();
}

std::optional<HeldAllocation> hold_allocation(const void* device_address) {
  const std::lock_guard lock(memory().mutex);
  HeapBlock* block = live_block(number(device_address), 0);
  if (block == nullptr) return std::nullopt;
  ++block->holds;
  block->is_poisoned = false;
  return HeldAllocation{block->address, block->size, block->bytes, MemoryHold::adopt(block)};
}

std::vector<MemoryHold>*& holds_of_running_task() {
  thread_local std::vector<MemoryHold>* holds = nullptr;
  return holds;
}

void* allocate(const AllocationRequest& request) {
  if (request.size > request.device_memory) return nullptr;
  const std::uint64_t cost = (request.size + 31) / 32 * 32 + request.slack;
  const std::lock_guard lock(memory().mutex);
  const std::uint64_t used = memory().used[request.device].now;
  if (cost > request.device_memory || used > request.device_memory - cost) return nullptr;
  HeapBlock* block = memory().heap.allocate(request.size, request.device);
  if (block == nullptr) return nullptr;
  block->cost = cost;
  charge(request.device, cost);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
  return reinterpret_cast<void*>(block->address);
}

aclError release(void* address) {
  std::shared_ptr<void> keeper;  // ends after the lock
  const std::lock_guard lock(memory().mutex);
  HeapBlock* block = live_block(number(address), 0);
  if (block == nullptr || block->address != number(address) ||
      block->origin != HeapBlock::Origin::Allocated) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID,
                  fmt::format("EE1001: aclrtFree: devPtr {} {}; pass what aclrtMalloc gave, once",
                              address, describe(number(address))));
  }
  if (block->holds > 0) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID,
                  fmt::format("EE1001: aclrtFree: {} is in use by a task or a copy that has not "
                              "ended; synchronise the "
                              "stream first",
                              name_of(*block)));
  }
  const aclError code = check_guards(*block, "aclrtFree");
  keeper = finish(*block);
  return code;
}

std::vector<std::string> release_all(int device) {
  std::vector<std::shared_ptr<void>> keepers;  // end after the lock
  std::unique_lock lock(memory().mutex);
  std::map<std::uint64_t, std::string> leftovers;
  while (HeapBlock* block = any_live_block(device)) {
    if (block->holds > 0) {
      memory().hold_ended.wait(lock);
      continue;
    }
    check_guards(*block, "the device's reset");
    if (block->origin != HeapBlock::Origin::Device)
      leftovers.emplace(block->ordinal, name_of(*block));
    keepers.push_back(finish(*block));
  }
  std::vector<std::string> names;
  names.reserve(leftovers.size());
  for (auto& [ordinal, name] : leftovers) names.push_back(std::move(name));
  return names;
}

aclError check_guards_at_synchronisation() {
  const std::lock_guard lock(memory().mutex);
  if (memory().checks != CheckLevel::Full) return 0;
  aclError first = 0;
  for (HeapBlock* block : memory().heap.live()) {
    const aclError code = check_guards(*block, "synchronisation");
    if (first == 0) first = code;
  }
  return first;
}

bool is_device_address(const void* address) {
  const std::lock_guard lock(memory().mutex);
  return memory().heap.is_device_address(number(address));
}

int device_of(const void* address) {
  const std::lock_guard lock(memory().mutex);
  const HeapBlock* block = live_block(number(address), 0);
  return block == nullptr ? -1 : block->device;
}

std::string describe_address(const void* address) {
  const std::lock_guard lock(memory().mutex);
  return describe(number(address));
}

std::uint64_t used_memory(int device) {
  const std::lock_guard lock(memory().mutex);
  return memory().used[device].now;
}

std::uint64_t peak_memory(int device) {
  const std::lock_guard lock(memory().mutex);
  return memory().used[device].peak;
}

std::optional<LiveRange> live_range_at(const void* address) {
  const std::lock_guard lock(memory().mutex);
  const HeapBlock* const block = live_block(number(address), 0);
  return block == nullptr ? std::nullopt : std::optional(LiveRange{block->address, block->size});
}

void* overflow_words_of(int device) {
  constexpr std::size_t bytes = 64;
  const std::lock_guard lock(memory().mutex);
  HeapBlock*& words = memory().overflow_words[device];
  if (words == nullptr) {
    words = memory().heap.allocate(bytes, device);
    if (words == nullptr) return nullptr;
    words->origin = HeapBlock::Origin::Device;
    words->cost = 0;
    words->is_poisoned = false;
    std::memset(words->bytes, 0, bytes);
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
  return reinterpret_cast<void*>(words->address);
}

void set_memory_checks(CheckLevel checks) {
  const std::lock_guard lock(memory().mutex);
  memory().checks = checks;
  memory().heap.set_checks(checks);
}

}  // namespace gradproof::kernel::device
