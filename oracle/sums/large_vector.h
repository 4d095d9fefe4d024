#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace gradproof::oracle {

/// Memory of vectors that may be large: in huge pages, where the system has them.
/// The C library returns whatever has more than 32 MiB to the system, and the next vector would get
/// it back 4 KiB at a time: the pages took several times as long as all products of its sums.
template <typename T>
struct LargeMemory {
  using value_type = T;

  LargeMemory() = default;
  template <typename Other>
  explicit LargeMemory(const LargeMemory<Other>& /*other*/) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < least_bytes) return static_cast<T*>(::operator new(bytes));
    void* const memory = ::operator new(bytes, alignment);
    ::madvise(memory, bytes, MADV_HUGEPAGE);  // advice: no result depends on it
    return static_cast<T*>(memory);
  }

  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < least_bytes) return ::operator delete(memory);
    ::operator delete(memory, alignment);
  }

  friend bool operator==(const LargeMemory&, const LargeMemory&) { return true; }

 private:
  static constexpr std::align_val_t alignment{std::size_t{1} << 21U};  ///< of a huge page
  static constexpr std::size_t least_bytes = std::size_t{1} << 23U;
};

template <typename T>
using LargeVector = std::vector<T, LargeMemory<T>>;

}  // namespace gradproof::oracle
