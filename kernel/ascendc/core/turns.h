#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace gradproof::kernel::ascendc {

/// The order of a launch's blocks, by turn: who is next, who has ended, who failed first.
/// Thread-safe. Blocks begin in order, so that waiting for earlier ones always ends.
class Turns {
 public:
  explicit Turns(std::uint32_t count) : has_ended_(count, false) {}

  /// The next turn to begin; nullopt once all have begun or one failed.
  std::optional<std::uint32_t> begin();
  void end(std::uint32_t turn, bool has_failed);

  /// Waits until all turns before this one have ended. False if one of them failed.
  bool await(std::uint32_t turn);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> has_ended_;
  std::uint32_t begun_ = 0;
  std::uint32_t ended_ = 0;  // turns from 0 without a gap
  std::uint32_t first_failed_ = UINT32_MAX;
};

}  // namespace gradproof::kernel::ascendc
