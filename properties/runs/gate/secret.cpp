#include "properties/runs/gate/secret.h"

#include <sys/random.h>

#include <cerrno>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace gradproof::runs {

std::uint64_t Secret::next() {
  if (used_ == drawn_.size()) {
    auto* at = reinterpret_cast<char*>(drawn_.data());
    for (std::size_t left = sizeof drawn_; left > 0;) {
      const ssize_t count = ::getrandom(at, left, 0);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw std::runtime_error("the system gives no random numbers");
      at += count;
      left -= static_cast<std::size_t>(count);
    }
    used_ = 0;
  }
  return drawn_.at(used_++);
}

std::int64_t Secret::between(std::int64_t low, std::int64_t high) {
  if (high <= low) return low;
  const auto width = static_cast<unsigned __int128>(high - low) + 1;
  return low + static_cast<std::int64_t>((next() * width) >> 64U);
}

double Secret::uniform() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

double Secret::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

}  // namespace gradproof::runs
