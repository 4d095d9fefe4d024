#include "corpus/random_source.h"

#include <algorithm>
#include <bit>

namespace gradproof::corpus {

std::int64_t RandomSource::log_between(std::int64_t low, std::int64_t high) {
  if (high <= low) return low;
  // First a binade, then a number in it: integers only, so that no libm decides what is generated.
  const auto lowest = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(low)));
  const auto highest = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(high)));
  const std::int64_t binade = between(lowest, highest);
  const std::int64_t first = std::int64_t{1} << (binade - 1);
  return between(std::max(low, first), std::min(high, first + (first - 1)));
}

}  // namespace gradproof::corpus
