#include "kernel/ascendc/core/turns.h"

#include <algorithm>

namespace gradproof::kernel::ascendc {

std::optional<std::uint32_t> Turns::begin() {
  const std::lock_guard lock(mutex_);
  if (begun_ == has_ended_.size() || first_failed_ != UINT32_MAX) return std::nullopt;
  return begun_++;
}

void Turns::end(std::uint32_t turn, bool has_failed) {
  {
    const std::lock_guard lock(mutex_);
    has_ended_[turn] = true;
    while (ended_ < has_ended_.size() && has_ended_[ended_]) ++ended_;
    if (has_failed) first_failed_ = std::min(first_failed_, turn);
  }
  changed_.notify_all();
}

bool Turns::await(std::uint32_t turn) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ended_ >= turn || first_failed_ < turn; });
  return first_failed_ >= turn;
}

}  // namespace gradproof::kernel::ascendc
