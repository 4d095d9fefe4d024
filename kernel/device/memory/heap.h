#pragma once

#include "kernel/device/memory/address_space.h"
#include "kernel/device/settings.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace gradproof::kernel::device {

/// A piece of device memory that is, was or can be an allocation. Its addresses are the device's,
/// its bytes are kept in host memory, and around what the caller asked for lie guard zones on both
/// sides.
struct HeapBlock {
  enum class State : std::uint8_t { Free, Live, Freed };
  enum class Origin : std::uint8_t {
    Allocated,
    Device,      ///< the device's own: it ends with the device's reset
    Registered,  ///< host memory of the program, under an address of the device
    Mapped,      ///< physical memory in a reserved range
    Imported,    ///< another process's
  };

  std::uintptr_t address = 0;  ///< of the caller's first byte
  std::byte* bytes =
      nullptr;  ///< the same byte in host memory; nullptr once a freed block has given it back
  std::size_t capacity = 0;  ///< bytes of the whole block, guard zones included
  std::size_t size = 0;      ///< what the caller asked for
  State state = State::Free;
  bool is_guarded = false;
  /// Every byte is poison, except the guard zones while it is live: the block is free, or no view
  /// of it was given out yet.
  bool is_poisoned = false;
  bool damage_is_known = false;  ///< reported already
  int device = 0;
  std::uint64_t ordinal = 0;  ///< counts allocations, from 1
  std::uint64_t cost = 0;     ///< bytes that the device accounts for it
  std::uint32_t holds = 0;    ///< tasks and copies that need the bytes to stay
  std::size_t live_index = 0;
  Origin origin = Origin::Allocated;
  bool is_accessible = true;  ///< to kernels and copies
  /// Keeper of memory that others use as well; null for what the heap has by itself.
  std::shared_ptr<void> keeper;
  /// Where the bytes were before other processes were let in; nullptr for what stayed.
  std::byte* home = nullptr;
  /// Called when the block ends, by the table that also knows it; null where none does.
  void (*at_end)(const HeapBlock&) = nullptr;
};

/// Where a guard zone was overwritten: bytes before the allocation's start (negative) or from its
/// end on.
struct GuardDamage {
  std::int64_t offset;
};

/// Device memory: small blocks of a few hundred sizes from slabs, large ones each with a mapping of
/// its own. A freed block is kept out of use until enough others have been freed, so that a use
/// after free finds it. Not thread-safe.
class Heap {
 public:
  /// Guard zone on each side of an allocation. A multiple of the alignment of allocations.
  static constexpr std::size_t guard_bytes = 256;
  static constexpr std::byte guard_value{0xA5};
  /// Freed small blocks that wait before they are used again.
  static constexpr std::size_t quarantine_bytes = std::size_t{8} << 20;
  /// Freed large blocks, of which only the addresses are kept.
  static constexpr std::size_t quarantined_mappings = 64;

  /// Told of a block found overwritten while it was free.
  using StaleWriteObserver = std::function<void(const HeapBlock&)>;

  void set_checks(CheckLevel checks) { checks_ = checks; }
  void set_stale_write_observer(StaleWriteObserver observer) {
    on_stale_write_ = std::move(observer);
  }

  /// A live block of `size` (> 0) bytes, or nullptr where host memory or addresses give out.
  HeapBlock* allocate(std::size_t size, int device);

  /// Ends a live block that nothing holds.
  void release(HeapBlock& block);

  /// Bytes of someone else's that get addresses of the device.
  struct Placement {
    std::uintptr_t address;  ///< inside a range taken before, or 0: the heap finds one
    std::byte* bytes;
    std::size_t size;
    int device;
    HeapBlock::Origin origin;
    std::shared_ptr<void> keeper;  ///< of the bytes
  };
  /// A live block of those bytes, or nullptr where addresses give out.
  HeapBlock* place(Placement placement);
  /// Ends a placed block that nothing holds. The keeper is the caller's to end, outside of locks.
  std::shared_ptr<void> displace(HeapBlock& block);

  AddressSpace& addresses() { return addresses_; }

  /// The block, in whatever state, that has the address among its bytes or guard zones; nullptr if
  /// none was ever there.
  HeapBlock* find(std::uintptr_t address);

  bool is_device_address(std::uintptr_t address) const { return addresses_.contains(address); }

  /// The first damaged byte of a live block's guard zones.
  static std::optional<GuardDamage> damage_of(const HeapBlock& block);

  const std::vector<HeapBlock*>& live() const { return live_; }

 private:
  struct Region {
    std::uintptr_t start = 0;
    std::byte* pages = nullptr;
    std::size_t bytes = 0;
    std::size_t block_bytes = 0;
    bool has_own_addresses = true;  // given back with it
    std::vector<HeapBlock> blocks;
  };
  struct SizeClass {
    std::vector<HeapBlock*> fresh;  // never used since their slab was mapped
    // Whose quarantine is over. The last one comes first: its bytes have just been looked at.
    std::vector<HeapBlock*> reusable;
  };

  HeapBlock* take_small(std::size_t size_class);
  HeapBlock* take_large(std::size_t capacity);
  Region* add_region(std::size_t bytes, std::size_t block_bytes, std::byte* pages);
  void prepare(HeapBlock& block) const;
  static void poison_again(HeapBlock& block);
  void quarantine(HeapBlock& block);
  void leave_quarantine(HeapBlock& block);
  void drop_mapping(HeapBlock& block);
  void make_live(HeapBlock& block, std::size_t size, int device);
  void end_life(HeapBlock& block);

  CheckLevel checks_ = CheckLevel::Full;
  StaleWriteObserver on_stale_write_;
  AddressSpace addresses_;
  std::map<std::uintptr_t, std::unique_ptr<Region>> regions_;  // by start
  std::map<std::size_t, SizeClass> classes_;                   // by block size
  std::vector<HeapBlock*> live_;
  std::deque<HeapBlock*> small_quarantine_, large_quarantine_;
  std::size_t quarantined_bytes_ = 0;
  std::uint64_t allocations_ = 0;
};

}  // namespace gradproof::kernel::device
