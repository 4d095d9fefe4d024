#include "properties/cases/generators/thresholds/beyond_memory.h"

namespace gradproof::cases {
namespace {

/// 2^29 elements of four bytes are 2^31 bytes.
constexpr std::int64_t first_exponent = 29, last_exponent = 32;
/// Exponents (of 2) of the length along W or of the batch; others stay below RANGE-11.
constexpr std::int64_t least_share = 12, most_share = 18;

}  // namespace

Convolution draw_beyond_memory(const Frame& frame, corpus::RandomSource& random) {
  Convolution drawn;
  drawn.transposed = frame.transposed;
  drawn.axes.resize(to_size(frame.rank - 2));
  const std::int64_t exponent = random.between(first_exponent, last_exponent);
  const std::int64_t share = random.between(least_share, most_share);
  const std::int64_t channels = std::int64_t{1} << (exponent - share);
  const std::int64_t others = (std::int64_t{1} << share) + random.between(-1, 1);
  const std::int64_t kind = random.between(0, 2);
  std::int64_t& first = kind == 1 ? drawn.small_channels_per_group : drawn.big_channels_per_group;
  first = channels;
  if (kind == 2) {  // the weight
    drawn.small_channels_per_group = others;
  } else if (random.chance(50)) {
    drawn.batch = others;
  } else {
    drawn.axes.back().big = others;
  }
  return drawn;
}

}  // namespace gradproof::cases
