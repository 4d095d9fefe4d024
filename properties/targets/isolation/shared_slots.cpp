#include "properties/targets/isolation/shared_slots.h"

#include <fmt/core.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <new>

namespace gradproof::targets {
namespace {

constexpr std::size_t head_bytes = 4096;
/// Room for the largest case that is run (RunSettings::memory_limit_bytes), then for less, where
/// the address space is limited.
constexpr std::array<std::size_t, 3> slot_sizes{std::size_t{16} << 30, std::size_t{1} << 30,
                                                std::size_t{64} << 20};
/// Bodies up to this size keep their pages: touching them again would cost more than they do.
constexpr std::size_t kept_bytes = std::size_t{1} << 20;

static_assert(sizeof(SlotHead) <= head_bytes);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace

tl::expected<std::unique_ptr<SharedSlots>, std::string> SharedSlots::reserve(std::size_t count) {
  for (const std::size_t slot_bytes : slot_sizes) {
    void* const base = ::mmap(nullptr, count * slot_bytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) continue;
    ::madvise(base, count * slot_bytes, MADV_DONTDUMP);
    std::unique_ptr<SharedSlots> slots(
        new SharedSlots(static_cast<std::byte*>(base), count, slot_bytes));
    return slots;
  }
  return tl::unexpected(fmt::format("no address space for memory shared with child processes: {}",
                                    std::strerror(errno)));
}

SharedSlots::~SharedSlots() { ::munmap(base_, count_ * slot_bytes_); }

SlotHead& SharedSlots::head(std::size_t slot) const {
  // Fresh pages are zeros, which is what a new head is.
  return *std::launder(reinterpret_cast<SlotHead*>(base_ + slot * slot_bytes_));
}

std::span<std::byte> SharedSlots::body(std::size_t slot) const {
  return {base_ + slot * slot_bytes_ + head_bytes, slot_bytes_ - head_bytes};
}

void SharedSlots::keep_only(std::size_t slot) const {
  std::byte* const begin = base_ + slot * slot_bytes_;
  std::byte* const end = begin + slot_bytes_;
  if (begin != base_) ::munmap(base_, static_cast<std::size_t>(begin - base_));
  std::byte* const last = base_ + count_ * slot_bytes_;
  if (end != last) ::munmap(end, static_cast<std::size_t>(last - end));
}

void SharedSlots::drop_pages(std::size_t slot) const {
  const auto bytes = body(slot).subspan(kept_bytes);
  ::madvise(bytes.data(), bytes.size(), MADV_REMOVE);
}

void pass_turn(SlotHead& head, Turn turn) {
  head.turn.store(static_cast<std::uint32_t>(turn), std::memory_order_release);
  wake(head);
}

void wake(SlotHead& head) { ::syscall(SYS_futex, &head.turn, FUTEX_WAKE, 1, nullptr, nullptr, 0); }

bool await_other_turn(SlotHead& head, Turn turn, std::chrono::microseconds at_most) {
  const auto own = static_cast<std::uint32_t>(turn);
  if (head.turn.load(std::memory_order_acquire) != own) return true;
  // Sleeps at once: the two sides take turns, and spinning would take the processor from the other
  // (measured: 100 spins make a round trip 10 us instead of 4).
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at_most);
  const std::chrono::nanoseconds rest = at_most - seconds;
  const timespec limit{.tv_sec = seconds.count(), .tv_nsec = rest.count()};
  ::syscall(SYS_futex, &head.turn, FUTEX_WAIT, own, &limit, nullptr, 0);
  return head.turn.load(std::memory_order_acquire) != own;
}

}  // namespace gradproof::targets
