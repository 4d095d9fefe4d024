#include "kernel/device/memory/host_memory.h"

#include "kernel/device/error_text.h"

#include <fmt/core.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>

namespace gradproof::kernel::device {
namespace {

constexpr std::size_t page = 4096;

struct HostBlocks {
  std::mutex mutex;
  std::map<std::uintptr_t, std::size_t> bytes;  // by start
};

HostBlocks& blocks() {
  static HostBlocks& instance = *new HostBlocks;
  return instance;
}

std::uintptr_t host_address(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

}  // namespace

void* allocate_host(std::size_t bytes) {
  if (bytes > SIZE_MAX - page) return nullptr;
  void* memory = std::aligned_alloc(page, (bytes + page - 1) / page * page);
  if (memory == nullptr) return nullptr;
  const std::lock_guard lock(blocks().mutex);
  blocks().bytes.emplace(host_address(memory), bytes);
  return memory;
}

aclError release_host(void* address) {
  {
    const std::lock_guard lock(blocks().mutex);
    if (blocks().bytes.erase(host_address(address)) == 0) {
      return refuse(ACL_ERROR_RT_PARAM_INVALID,
                    fmt::format("EE1001: aclrtFreeHost: hostPtr {} is no live block; pass what "
                                "aclrtMallocHost gave, once",
                                address));
    }
  }
  std::free(address);
  return 0;
}

bool is_pinned(const void* address, std::size_t bytes) {
  if (is_registered(address, bytes)) return true;
  const std::lock_guard lock(blocks().mutex);
  auto block = blocks().bytes.upper_bound(host_address(address));
  if (block == blocks().bytes.begin()) return false;
  --block;
  const std::size_t offset = host_address(address) - block->first;
  return offset <= block->second && bytes <= block->second - offset;
}

std::size_t live_host_blocks() {
  const std::lock_guard lock(blocks().mutex);
  return blocks().bytes.size();
}

}  // namespace gradproof::kernel::device
