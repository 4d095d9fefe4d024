#include "properties/cases/generators/thresholds/beyond_memory.h"

namespace gradproof::cases {
namespace {

/// 2^29 elements of four bytes are 2^31 bytes.
constexpr std::int64_t first_exponent = 29, last_exponent = 32;
/// Exponents (of 2) of the length along W or of the batch; others stay below RANGE-11.
constexpr std::int64_t least_share = 12, most_share = 18;

/// Percentage of the calls that are such layers, where the frame may take Winograd's algorithm.
constexpr unsigned percent_of_winograd = 40;

bool may_take_winograd(const Frame& frame) {
  return frame.product == corpus::Product::Ascend950 && frame.rank == 4 && !frame.transposed &&
         frame.dtype == corpus::DataType::Float;
}

/// A 3x3 layer whose dw Ascend950 computes by Winograd's algorithm, on maps from 2^21 bytes a
/// channel on: beyond 65,535 blocks of 32 bytes, which a copy counts in 16 bits.
Convolution draw_long_winograd_map(corpus::RandomSource& random) {
  constexpr std::int64_t positions = std::int64_t{1} << 19;
  Convolution drawn;
  drawn.small_channels_per_group = 256 + random.between(0, 17);
  drawn.big_channels_per_group = 256 + random.between(0, 17);
  const std::int64_t rows = random.between(64, 1'024);
  for (const std::int64_t length : {rows, positions / rows + random.between(-1, 64)}) {
    const std::int64_t padding = random.between(0, 2);
    drawn.axes.push_back(
        {.big = length, .kernel = 3, .padding_begin = padding, .padding_end = padding});
  }
  return drawn;
}

}  // namespace

Convolution draw_beyond_memory(const Frame& frame, corpus::RandomSource& random) {
  if (may_take_winograd(frame) && random.chance(percent_of_winograd)) {
    return draw_long_winograd_map(random);
  }
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
