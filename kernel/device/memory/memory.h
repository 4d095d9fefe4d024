#pragma once

#include "acl/acl_base.h"
#include "kernel/device/settings.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gradproof::kernel::device {

/// Host pointer to the bytes [device_address, device_address + bytes), or nullptr unless that range
/// lies inside one live allocation. Any address inside an allocation will do, not only its start; 0
/// bytes are inside wherever their address is inside or at the end.
///
/// Called by a running task it also keeps the allocation from being freed until that task has
/// ended. Elsewhere the pointer is good for as long as the allocation lives.
std::byte* host_view(const void* device_address, std::size_t bytes);

/// Where an allocation ends. Asked: at its size. Granted: where nothing is checked
/// (CheckLevel::Off) at the next multiple of 32 bytes, as on a real device, so that copies that
/// round sizes up run there.
enum class Reach : std::uint8_t { Asked, Granted };

/// Keeps one allocation from being freed while it exists: aclrtFree refuses. Empty for an address
/// in no live allocation.
class MemoryHold {
 public:
  MemoryHold() = default;
  explicit MemoryHold(const void* device_address);
  MemoryHold(MemoryHold&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  MemoryHold& operator=(MemoryHold&& other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~MemoryHold();
  explicit operator bool() const { return block_ != nullptr; }

 private:
  friend std::byte* view_in(struct HeapBlock* block, std::uintptr_t address);
  friend struct HeldView held_view(const void* device_address, std::size_t bytes, Reach reach);
  friend std::optional<struct HeldAllocation> hold_allocation(const void* device_address);
  friend std::vector<MemoryHold> hold_each(std::span<const void* const> device_addresses);
  friend void end_holds(std::vector<MemoryHold>& holds);
  friend std::vector<struct HeldPlace> places_of(std::span<const MemoryHold> holds);
  friend std::optional<std::vector<MemoryHold>> hold_again(std::span<const struct HeldPlace> places,
                                                           std::uintptr_t& gone);
  static MemoryHold adopt(struct HeapBlock* block);

  struct HeapBlock* block_ = nullptr;
};

/// A hold for each address, in that order, some of them empty: many at the price of one.
std::vector<MemoryHold> hold_each(std::span<const void* const> device_addresses);

/// Allocation that a hold was of. It may be freed since, and its address given out again.
struct HeldPlace {
  std::uintptr_t address;
  std::uint64_t ordinal;  ///< of the allocation
};

/// Places of the holds that are not empty.
std::vector<HeldPlace> places_of(std::span<const MemoryHold> holds);

/// Holds all again. nullopt where one is not there any more: `gone` is its address.
std::optional<std::vector<MemoryHold>> hold_again(std::span<const HeldPlace> places,
                                                  std::uintptr_t& gone);

/// Ends all of them and leaves none.
void end_holds(std::vector<MemoryHold>& holds);

/// Memory as a copy needs it.
struct HeldView {
  bool is_on_device = false;   ///< the address is a device's, allocated or not
  std::byte* bytes = nullptr;  ///< as host_view
  MemoryHold hold;             ///< of the allocation, where there are bytes
};

HeldView held_view(const void* device_address, std::size_t bytes, Reach reach = Reach::Asked);

/// A live allocation, kept from being freed: for who touches it often and looks it up once.
struct HeldAllocation {
  std::uintptr_t address;  ///< of its first byte on the device
  std::size_t bytes;
  std::byte* host;
  MemoryHold hold;
};

/// The live allocation around the address, or nullopt.
std::optional<HeldAllocation> hold_allocation(const void* device_address);

/// The holds that host_view takes for the task running on this thread, or nullptr when none is
/// running.
std::vector<MemoryHold>*& holds_of_running_task();

struct AllocationRequest {
  std::size_t size;   ///< bytes, > 0
  std::size_t slack;  ///< bytes that the device adds to the size rounded up to 32
  int device;
  std::size_t device_memory;  ///< bytes that the device has
};

/// Address of fresh device memory, aligned to 256 bytes and full of poison, or nullptr when the
/// device or the host has no more.
void* allocate(const AllocationRequest& request);

/// Device address of 64 zero bytes of the device's own, where kernels look for overflows; nullptr
/// when it has no more memory. They live until the device is reset.
void* overflow_words_of(int device);

/// aclrtFree. 107000 (with a text) for what is no live allocation's start or is in use by a task or
/// a copy; 507043 when a guard zone was found overwritten, the allocation is freed then.
aclError release(void* address);

/// Frees all that the device still has; waits for copies in progress. Returns what was left over,
/// one text each.
std::vector<std::string> release_all(int device);

/// Checks the guard zones of every live allocation, if the machine's level asks for it at a
/// synchronisation. 0, or 507043 with a text for each newly damaged allocation.
aclError check_guards_at_synchronisation();

/// True if the pointer is a device's, allocated or not.
bool is_device_address(const void* address);

/// The device whose live allocation contains the address, or -1.
int device_of(const void* address);

/// Describes an address for error texts: "is byte 16 of allocation #5 (64 bytes, device 0)", "is no
/// device memory", ...
std::string describe_address(const void* address);

/// Bytes that live allocations of the device account for, and the most that they ever did.
std::uint64_t used_memory(int device);
std::uint64_t peak_memory(int device);

/// First byte and size of what is live around the address, as the program asked for it; nullopt
/// where nothing is.
struct LiveRange {
  std::uintptr_t start;
  std::size_t size;
};
std::optional<LiveRange> live_range_at(const void* address);

/// True if the bytes [device_address, device_address + bytes) lie inside one live allocation of
/// which no view was ever given out, so that it is still full of poison.
bool is_untouched(const void* device_address, std::size_t bytes);

/// Applies to allocations from now on.
void set_memory_checks(CheckLevel checks);

}  // namespace gradproof::kernel::device
