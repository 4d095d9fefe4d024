#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <tl/expected.hpp>

namespace gradproof::targets {

/// Whose turn it is in a slot.
enum class Turn : std::uint32_t {
  Child,   ///< it loads or works
  Parent,  ///< the child has answered
  Over,    ///< the child is dead: `wait_status` says how
};

/// The first page of a slot; all of it may be overwritten by a target that writes anywhere.
struct SlotHead {
  std::atomic<std::uint32_t> turn{0};
  std::atomic<std::int32_t> process{0};      ///< the child's id
  std::atomic<std::int32_t> wait_status{0};  ///< as waitpid gives it
  std::atomic<std::uint32_t> cases_done{0};  ///< of the request that the child is at
  std::array<char, 1024> doing{};            ///< what the child was at, while it loads
};

/// Memory that this process shares with all it forks: one slot for each child, each with a head and
/// room for a case and its results. Pages that were never touched cost nothing.
class SharedSlots {
 public:
  /// Errors: the address space is not there.
  static tl::expected<std::unique_ptr<SharedSlots>, std::string> reserve(std::size_t count);
  ~SharedSlots();
  SharedSlots(const SharedSlots&) = delete;
  SharedSlots& operator=(const SharedSlots&) = delete;

  std::size_t count() const { return count_; }
  SlotHead& head(std::size_t slot) const;
  std::span<std::byte> body(std::size_t slot) const;
  /// Makes every other slot inaccessible to this process: a wild write must fault or hit its own
  /// slot.
  void keep_only(std::size_t slot) const;
  /// Gives back the pages of a body beyond a small size.
  void drop_pages(std::size_t slot) const;

 private:
  SharedSlots(std::byte* base, std::size_t count, std::size_t slot_bytes)
      : base_(base), count_(count), slot_bytes_(slot_bytes) {}
  std::byte* base_;
  std::size_t count_, slot_bytes_;
};

/// Writes the turn and wakes who waits for it.
void pass_turn(SlotHead& head, Turn turn);
/// Wakes who waits, where the turn has been changed already.
void wake(SlotHead& head);
/// Waits while it is `turn`, at most so long; false where it still is.
bool await_other_turn(SlotHead& head, Turn turn, std::chrono::microseconds at_most);

}  // namespace gradproof::targets
