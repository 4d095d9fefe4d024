#pragma once

#include <cerrno>
#include <cstdint>
#include <system_error>

#include <unistd.h>

namespace gradproof::cli {

/// Drawn from the system's source of randomness. Not by std::random_device, which in a statically
/// linked C++ library needs glibc 2.36 (cmake's GRADPROOF_PORTABLE). Throws std::system_error where
/// the system has no such source.
template <typename Number>
Number drawn_number() {
  Number number = 0;
  if (::getentropy(&number, sizeof number) != 0) {
    throw std::system_error(errno, std::generic_category(), "getentropy");
  }
  return number;
}

/// What a run takes as its seed unless one is given: short enough to be typed.
inline std::uint64_t drawn_seed() { return drawn_number<std::uint32_t>(); }

}  // namespace gradproof::cli
