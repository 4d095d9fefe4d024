#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "corpus/element_hash.h"

namespace gradproof::corpus {

/// Where generators take their choices from: a counter under a mixing function, so that the n-th
/// case of a seed is a pure function of (seed, n), on every platform and for every number of
/// workers.
class RandomSource {
 public:
  RandomSource(std::uint64_t seed, std::uint64_t index)
      : key_(mixed(mixed(seed + golden) + golden * (index + 1))) {}

  std::uint64_t next() { return mixed(key_ + golden * ++drawn_); }

  /// An integer of [low, high], both included; low where the range is empty.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    if (high <= low) return low;
    const auto width = static_cast<unsigned __int128>(high - low) + 1;
    return low + static_cast<std::int64_t>((next() * width) >> 64);
  }

  /// True in `percent` of 100 cases.
  bool chance(unsigned percent) { return between(0, 99) < static_cast<std::int64_t>(percent); }

  template <typename T>
  const T& one_of(std::span<const T> values) {
    return values[static_cast<std::size_t>(
        between(0, static_cast<std::int64_t>(values.size()) - 1))];
  }
  template <typename T>
  T one_of(std::initializer_list<T> values) {
    return one_of(std::span<const T>(values.begin(), values.size()));
  }

  /// Every magnitude of [low, high] is as likely as every other: 1..10 as often as 10..100. low
  /// must be positive.
  std::int64_t log_between(std::int64_t low, std::int64_t high);

 private:
  std::uint64_t key_;
  std::uint64_t drawn_ = 0;
};

}  // namespace gradproof::corpus
