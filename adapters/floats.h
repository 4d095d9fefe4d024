#pragma once

#include <cstring>

#include "adapters/convolution.h"

namespace gradproof::adapters {

/// FLOAT elements of a call, or of a part of it.
using Floats = std::vector<float>;

inline const float* floats(const Elements& elements) {
  return reinterpret_cast<const float*>(elements.data());
}
inline float* floats(Elements& elements) { return reinterpret_cast<float*>(elements.data()); }

/// The channels of one group of [batch, groups * channels, positions], as [batch, channels,
/// positions].
struct GroupOfChannels {
  std::int64_t batch, groups, group, channels, positions;

  Floats taken_from(const float* all) const {
    Floats part(static_cast<std::size_t>(batch * channels * positions));
    for_each_sample([&](std::int64_t at, std::int64_t in_all, std::size_t count) {
      std::memcpy(part.data() + at, all + in_all, count * sizeof(float));
    });
    return part;
  }
  void put_into(float* all, const float* part) const {
    for_each_sample([&](std::int64_t at, std::int64_t in_all, std::size_t count) {
      std::memcpy(all + in_all, part + at, count * sizeof(float));
    });
  }

 private:
  template <typename Visit>
  void for_each_sample(Visit&& visit) const {
    const std::int64_t length = channels * positions;
    for (std::int64_t n = 0; n < batch; ++n) {
      visit(n * length, (n * groups + group) * length, static_cast<std::size_t>(length));
    }
  }
};

/// Sums elements of [batch, channels, positions] over batch and positions, one by one: for
/// libraries that have no sum of their own.
inline void add_up(std::int64_t batch, std::int64_t channels, std::int64_t positions,
                   const float* values, float* sums) {
  for (std::int64_t n = 0; n < batch; ++n) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const float* row = values + (n * channels + c) * positions;
      for (std::int64_t i = 0; i < positions; ++i) sums[c] += row[i];
    }
  }
}

}  // namespace gradproof::adapters
