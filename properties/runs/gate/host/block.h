#pragma once

// Part of the program library_host, which is one source.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "properties/runs/gate/host/channel.h"

namespace {

/// Bytes before a result.
constexpr std::size_t guard = 64;

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
    return size == 0 ||
           api.aclrtMemcpy(to, size, from, size, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS;
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
