#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace gradproof::oracle {

/// Memory in blocks so large that the system takes longer to provide their pages than a gradient's
/// products take: the C library returns whatever has more than 32 MiB to it, to get it back 4 KiB
/// at a time. A thread keeps up to 64 MiB that it has no use for at present, until it ends; new
/// blocks are in huge pages, where the system has them.
class LargeBlocks {
 public:
  static constexpr std::size_t least_bytes = std::size_t{1} << 23U;

  /// Memory for at least so many bytes, which hold anything.
  static void* take(std::size_t bytes);
  static void give_back(void* memory) noexcept;
};

/// Memory of vectors that may be large.
template <typename T>
struct LargeMemory {
  using value_type = T;

  LargeMemory() = default;
  template <typename Other>
  explicit LargeMemory(const LargeMemory<Other>& /*other*/) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    const bool is_large = bytes >= LargeBlocks::least_bytes;
    return static_cast<T*>(is_large ? LargeBlocks::take(bytes) : ::operator new(bytes));
  }

  void deallocate(T* memory, std::size_t count) noexcept {
    if (count * sizeof(T) < LargeBlocks::least_bytes) return ::operator delete(memory);
    LargeBlocks::give_back(memory);
  }

  friend bool operator==(const LargeMemory&, const LargeMemory&) { return true; }
};

template <typename T>
using LargeVector = std::vector<T, LargeMemory<T>>;

}  // namespace gradproof::oracle
