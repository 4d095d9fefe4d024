#include "properties/cases/generators/thresholds/threshold.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "properties/cases/generators/axis_limits.h"
#include "properties/cases/generators/beaten_paths/beaten_path.h"
#include "properties/cases/generators/shares.h"
#include "properties/cases/generators/sizes.h"

namespace gradproof::cases {
namespace {

/// Elements of all tensors together: what a case may cost, whichever of its sizes is the large one.
constexpr std::int64_t most_elements_of_a_threshold = std::int64_t{1} << 19;
constexpr std::int64_t most_groups = 65'535;  // RANGE-10

const ThresholdQuantity& draw_quantity(corpus::RandomSource& random) {
  const auto& rows = threshold_quantities();
  std::int64_t total = 0;
  for (const auto& row : rows) total += row.weight;
  std::int64_t drawn = random.between(0, total - 1);
  for (const auto& row : rows) {
    drawn -= row.weight;
    if (drawn < 0) return row;
  }
  return rows.back();
}

Convolution plain_convolution(const Frame& frame, corpus::RandomSource& random) {
  Convolution plain;
  plain.transposed = frame.transposed;
  plain.axes.resize(to_size(frame.rank - 2));
  plain.axes.back().kernel = random.between(1, 2);
  plain.axes.back().big = random.between(2, 3);
  return plain;
}

/// Draws all sizes but the size in question.
Convolution draw_others(const Frame& frame, std::int64_t max_macs, corpus::RandomSource& random) {
  constexpr std::int64_t macs_of_path = 1'000, macs_of_usual = 300;
  const std::int64_t kind = random.between(0, 99);
  if (kind < 45) {
    const auto path = draw_beaten_path(frame, std::min(max_macs, macs_of_path), random);
    if (path) return *path;
  }
  if (kind < 65) return draw_usual_convolution(frame, std::min(max_macs, macs_of_usual), random);
  return plain_convolution(frame, random);
}

std::int64_t elements_of(const Convolution& sizes) {
  std::int64_t elements = 0;
  for (const auto& shape : {sizes.big_shape(), sizes.small_shape(), sizes.weight_shape()}) {
    elements += std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  }
  return elements;
}

/// True if the call is legal, and at most so many times as expensive as the size alone makes it.
bool fits(const Frame& frame, const Convolution& sizes, std::int64_t elements,
          std::int64_t max_macs) {
  const bool has_positions = std::ranges::all_of(
      sizes.axes, [](const SpatialAxis& axis) { return axis.big >= 1 && small_length(axis) >= 1; });
  return has_positions && sizes.groups <= most_groups && keeps_limits(frame, sizes) &&
         mac_count(sizes) <= std::min(max_macs, 4 * elements) && elements_of(sizes) <= elements;
}

/// The sizes with one of them at a threshold, as large as drawn or as large as fits; unchanged
/// where none does.
Convolution with_threshold(const Frame& frame, const Convolution& others, std::int64_t max_macs,
                           corpus::RandomSource& random) {
  const ThresholdQuantity& quantity = draw_quantity(random);
  const Convolution plain = plain_convolution(frame, random);
  int highest = highest_exponent;
  while (highest >= 0) {
    const int exponent = draw_exponent(highest, random);
    const std::int64_t value = draw_threshold(exponent / quantity.power, random);
    const std::int64_t elements = std::min(
        most_elements_of_a_threshold, (std::int64_t{5} << exponent) + elements_of(others) + 1'000);
    for (const Convolution* base : {&others, &plain}) {
      Convolution sizes = *base;
      quantity.set(sizes, value, random);
      if (fits(frame, sizes, elements, max_macs)) return sizes;
    }
    highest = exponent - 1;
  }
  return others;
}

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

Convolution draw_threshold_convolution(const Frame& frame, std::int64_t max_macs,
                                       corpus::RandomSource& random) {
  Convolution sizes = with_threshold(frame, draw_others(frame, max_macs, random), max_macs, random);
  if (random.chance(shares::joint_threshold)) {
    sizes = with_threshold(frame, sizes, max_macs, random);
  }
  return sizes;
}

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
