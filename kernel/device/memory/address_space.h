#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace gradproof::kernel::device {

/// Addresses for device memory: ranges of the process's own address space that are reserved and
/// never accessible. A host program that dereferences a device pointer faults, pointer arithmetic
/// inside an allocation works, and no device address is ever also a host address. Not thread-safe.
class AddressSpace {
 public:
  /// Ranges start at, and are as long as, a multiple of this.
  static constexpr std::size_t granule_bytes = std::size_t{2} << 20;

  /// Start of a free range, or 0 when the process can't have so many addresses.
  std::uintptr_t take(std::size_t bytes);
  /// Takes the range that starts there. False where some of it is no free range of a device.
  bool take_at(std::uintptr_t start, std::size_t bytes);
  void give_back(std::uintptr_t start, std::size_t bytes);

  /// True if the address is a device's, allocated or not.
  bool contains(std::uintptr_t address) const;

 private:
  struct Segment {
    std::uintptr_t start;
    std::size_t bytes;
  };

  bool reserve(std::size_t bytes);

  std::vector<Segment> segments_;
  std::map<std::uintptr_t, std::size_t> free_;  // start to bytes; neighbours are merged
};

}  // namespace gradproof::kernel::device
