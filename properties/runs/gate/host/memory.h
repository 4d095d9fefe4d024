#pragma once

// Of the program library_host alone: it has one source.

#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

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

/// Whole pages of an operand on the host are read-only while a call runs; a device's stay.
void protect(const Block& block, std::size_t size, int what) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  auto* const address = static_cast<char*>(block.address);
  const std::size_t over = reinterpret_cast<std::uintptr_t>(address) % page;
  const std::size_t skip = (page - over) % page;
  if (skip < size) ::mprotect(address + skip, (size - skip) / page * page, what);
}

/// The begin of an operand again and again, 0, or no numbers.
std::vector<char> used_memory(std::size_t size, unsigned kind, const std::vector<char>& operand) {
  std::vector<char> used(size, kind == 3 ? '\xff' : '\0');
  for (std::size_t at = 0; at < size && !operand.empty() && kind < 2; ++at) {
    used[at] = operand[at % operand.size()];
  }
  return used;
}

/// Earlier results of some calls: what a caller holds is not written any more.
class HeldResults {
 public:
  /// Takes the block.
  void hold(Block& block, const std::vector<char>& result) {
    held_.push_back({block, result.size(), hash_of(result)});
    block = {};
    bytes_ += result.size();
    while (bytes_ > 32'000'000 || held_.size() > 1'000) {
      std::swap(held_.at(chance_() % held_.size()), held_.back());
      api.aclrtFree(held_.back().block.address);
      bytes_ -= held_.back().size;
      held_.pop_back();
    }
  }
  /// Looks at times alone.
  bool are_as_they_were() {
    const auto now = std::chrono::steady_clock::now();
    if (now < look_at_) return true;
    look_at_ = now + std::chrono::milliseconds(100 + chance_() % 500);
    for (const Held& one : held_) {
      std::vector<char> bytes(one.size);
      if (!one.block.read(bytes.data(), one.size, guard) || hash_of(bytes) != one.hash)
        return false;
    }
    return true;
  }

 private:
  struct Held {
    Block block;
    std::size_t size, hash;
  };
  static std::size_t hash_of(const std::vector<char>& bytes) {
    return std::hash<std::string_view>()({bytes.data(), bytes.size()});
  }
  std::vector<Held> held_;
  std::size_t bytes_ = 0;
  std::chrono::steady_clock::time_point look_at_;
  std::random_device chance_;
};

}  // namespace
