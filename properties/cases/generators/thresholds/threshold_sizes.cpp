#include "properties/cases/generators/thresholds/threshold_sizes.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "properties/cases/generators/axis_limits.h"
#include "properties/cases/generators/beaten_paths/beaten_path.h"
#include "properties/cases/generators/shares.h"
#include "properties/cases/generators/thresholds/threshold.h"
#include "properties/cases/generators/usual_sizes.h"

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

}  // namespace

Convolution draw_threshold_convolution(const Frame& frame, std::int64_t max_macs,
                                       corpus::RandomSource& random) {
  Convolution sizes = with_threshold(frame, draw_others(frame, max_macs, random), max_macs, random);
  if (random.chance(shares::joint_threshold)) {
    sizes = with_threshold(frame, sizes, max_macs, random);
  }
  return sizes;
}

}  // namespace gradproof::cases
