#pragma once

// Part of the program library_host, which is one source.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "properties/runs/gate/host/channel.h"

namespace {

/// Bytes before a result.
constexpr std::size_t guard = 64;

/// Bytes of device memory as the vendor's runtime gives them; empty: it does not know the address.
std::vector<char> seen_at(const void* address, std::size_t size) {
  std::vector<char> bytes(size);
  const auto copy = api.vendors_memcpy;
  const bool is_known = copy != nullptr && copy(bytes.data(), size, address, size,
                                                ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS;
  if (!is_known) bytes.clear();
  return bytes;
}

/// True once aclrtMemcpy, which may be the candidate's, gave other bytes than lay there before.
bool copies_differ = false;

/// Device memory, the same for one call after the other where it is large enough.
struct Block {
  void* address = nullptr;
  std::size_t room = 0;

  bool reserve(std::size_t size) {
    if (size <= room) return true;
    if (address != nullptr) api.aclrtFree(address);
    address = nullptr;
    room = 0;
    if (api.aclrtMalloc(&address, size, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return false;
    room = size;
    return true;
  }
  bool write(const void* from, std::size_t size, std::size_t at = 0) const {
    char* const to = static_cast<char*>(address) + at;
    return size == 0 ||
           api.aclrtMemcpy(to, size, from, size, ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS;
  }
  bool read(void* to, std::size_t size, std::size_t at = 0) const {
    const char* const from = static_cast<const char*>(address) + at;
    if (size == 0) return true;
    std::vector<char> seen;
    if (api.vendors_memcpy != api.aclrtMemcpy) seen = seen_at(from, size);
    const auto status = api.aclrtMemcpy(to, size, from, size, ACL_MEMCPY_DEVICE_TO_HOST);
    copies_differ |= !seen.empty() && std::memcmp(seen.data(), to, size) != 0;
    return status == ACL_SUCCESS;
  }
};

/// Lets whole pages of an operand on the host be read only, or written again; a device's stay.
void protect(const Block& block, std::size_t size, int what) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  auto* const address = static_cast<char*>(block.address);
  const std::size_t over = reinterpret_cast<std::uintptr_t>(address) % page;
  const std::size_t skip = (page - over) % page;
  if (skip < size) ::mprotect(address + skip, (size - skip) / page * page, what);
}

}  // namespace
