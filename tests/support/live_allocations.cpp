#include "tests/support/live_allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GRADPROOF_OPERATORS_ARE_TAKEN
#endif
#endif

namespace {

std::atomic<long> live{0};

}  // namespace

long gradproof::tests::live_allocations() { return live.load(); }

#ifdef GRADPROOF_OPERATORS_ARE_TAKEN

// ThreadSanitizer defines operator new itself, and tells of each allocation.
#include <sanitizer/allocator_interface.h>

namespace {

void count_allocation(const volatile void* memory, std::size_t) {
  if (memory != nullptr) live.fetch_add(1, std::memory_order_relaxed);
}

void count_release(const volatile void* memory) {
  if (memory != nullptr) live.fetch_sub(1, std::memory_order_relaxed);
}

[[maybe_unused]] const int hooks =
    __sanitizer_install_malloc_and_free_hooks(count_allocation, count_release);

}  // namespace

#else

namespace {

// Not inlined: GCC would see free() called on what it knows as new's and warn of a mismatch.
[[gnu::noinline]] void* counted_allocation(std::size_t bytes) {
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory != nullptr) live.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

[[gnu::noinline]] void counted_release(void* memory) {
  if (memory == nullptr) return;
  live.fetch_sub(1, std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace

// All forms, so that a sanitizer sees none of its own mixed in.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return counted_allocation(bytes);
}

void* operator new(std::size_t bytes) {
  void* const memory = counted_allocation(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* operator new[](std::size_t bytes) { return operator new(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return operator new(bytes, std::nothrow);
}

void operator delete(void* memory) noexcept { counted_release(memory); }
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { operator delete(memory); }
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { operator delete(memory); }

#endif
