#include "kernel/device/memory/address_space.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

namespace gradproof::kernel::device {
namespace {

/// Reserved at a time. Addresses cost nothing, but under `ulimit -v` they are counted: then a small
/// part of the limit.
std::size_t usual_segment_bytes() {
  constexpr std::size_t plenty = std::size_t{64} << 30;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return plenty;
  return std::clamp<std::size_t>(limit.rlim_cur / 8, AddressSpace::granule_bytes, plenty);
}

/// Reserves pages with the operating system's own call: the sanitizers' mmap would prepare shadow
/// memory for all of it, although most of it is never touched.
void* reserve_pages(std::size_t bytes) {
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  const long result = ::syscall(SYS_mmap, nullptr, bytes, PROT_NONE, flags, -1, 0);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a system call returns addresses as numbers
  return result == -1 ? nullptr : reinterpret_cast<void*>(result);
}

constexpr std::uintptr_t rounded_up(std::uintptr_t value) {
  return (value + AddressSpace::granule_bytes - 1) / AddressSpace::granule_bytes *
         AddressSpace::granule_bytes;
}

}  // namespace

std::uintptr_t AddressSpace::take(std::size_t bytes) {
  const auto fits = [bytes](const auto& range) { return range.second >= bytes; };
  auto range = std::ranges::find_if(free_, fits);
  if (range == free_.end()) {
    if (!reserve(bytes)) return 0;
    range = std::ranges::find_if(free_, fits);
  }
  const auto [start, size] = *range;
  free_.erase(range);
  if (size > bytes) free_.emplace(start + bytes, size - bytes);
  return start;
}

bool AddressSpace::take_at(std::uintptr_t start, std::size_t bytes) {
  auto range = free_.upper_bound(start);
  if (start % granule_bytes != 0 || range == free_.begin()) return false;
  --range;
  const auto [first, size] = *range;
  const std::size_t offset = start - first;
  if (offset >= size || bytes > size - offset) return false;
  free_.erase(range);
  if (offset > 0) free_.emplace(first, offset);
  if (size > offset + bytes) free_.emplace(start + bytes, size - offset - bytes);
  return true;
}

void AddressSpace::give_back(std::uintptr_t start, std::size_t bytes) {
  auto next = free_.lower_bound(start);
  if (next != free_.end() && start + bytes == next->first) {
    bytes += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == start) {
      before->second += bytes;
      return;
    }
  }
  free_.emplace(start, bytes);
}

bool AddressSpace::contains(std::uintptr_t address) const {
  return std::ranges::any_of(segments_, [address](const Segment& segment) {
    return address >= segment.start && address - segment.start < segment.bytes;
  });
}

bool AddressSpace::reserve(std::size_t bytes) {
  for (std::size_t size = std::max(usual_segment_bytes(), bytes);;
       size = std::max(size / 2, bytes)) {
    // One granule more, so that an aligned range of `size` bytes fits wherever the kernel puts it.
    void* pages = reserve_pages(size + granule_bytes);
    if (pages != nullptr) {
      const std::uintptr_t start = rounded_up(reinterpret_cast<std::uintptr_t>(pages));
      const std::size_t usable = size / granule_bytes * granule_bytes;
      segments_.push_back({start, usable});
      give_back(start, usable);
      return true;
    }
    if (size == bytes) return false;
  }
}

}  // namespace gradproof::kernel::device
