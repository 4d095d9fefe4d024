#include "properties/cases/generators/device_paths/device_path.h"

#include <algorithm>

#include "properties/cases/generators/axis_limits.h"

namespace gradproof::cases {
namespace {

using corpus::RandomSource;

/// Elements of each tensor: the oracle visits all. A run that asks for few products wants few of
/// these too; a checker in Python draws each.
std::int64_t most_elements_of_a_path(std::int64_t max_macs) {
  return std::min(max_macs, std::int64_t{1} << 17);
}

template <typename Row>
const Row& draw_row(std::span<const Row> rows, RandomSource& random) {
  std::int64_t total = 0;
  for (const Row& row : rows) total += row.weight;
  std::int64_t drawn = random.between(0, total - 1);
  for (const Row& row : rows) {
    drawn -= row.weight;
    if (drawn < 0) return row;
  }
  return rows.back();
}

/// `most_macs`: of this draw; `max_macs`: of the run.
bool fits_the_run(const Frame& frame, const Convolution& sizes, std::int64_t most_macs,
                  std::int64_t max_macs) {
  const bool has_positions = std::ranges::all_of(
      sizes.axes, [](const SpatialAxis& axis) { return axis.big >= 1 && small_length(axis) >= 1; });
  const std::int64_t most = most_elements_of_a_path(max_macs);
  const auto is_small = [most](const std::vector<std::int64_t>& shape) {
    return corpus::element_count(shape).value_or(most + 1) <= most;
  };
  return has_positions && keeps_limits(frame, sizes) &&
         mac_count(sizes) <= std::min(most_macs, max_macs) && is_small(sizes.big_shape()) &&
         is_small(sizes.small_shape()) && is_small(sizes.weight_shape());
}

Convolution one_element(const Frame& frame) {
  Convolution sizes;
  sizes.transposed = frame.transposed;
  sizes.axes.resize(to_size(frame.rank - 2));
  return sizes;
}

/// A few draws of a layer; the least convolution of all where none fits.
Convolution draw_fitting(const PathLayer& layer, const Frame& frame, std::int64_t max_macs,
                         RandomSource& random) {
  constexpr int tries = 20;
  for (int i = 0; i < tries; ++i) {
    Convolution sizes = one_element(frame);
    layer.draw(sizes, random);
    if (fits_the_run(frame, sizes, layer.most_macs, max_macs)) return sizes;
  }
  return one_element(frame);
}

/// The sizes with a twist, where one of a few fits. `most_macs` rises to the twist's: what follows
/// may not make the border's sizes too dear again.
Convolution with_twist(const Convolution& sizes, std::int64_t& most_macs, const Frame& frame,
                       std::int64_t max_macs, RandomSource& random) {
  constexpr int tries = 6;
  for (int i = 0; i < tries; ++i) {
    const Twist& twist = draw_row(twists(), random);
    Convolution twisted = sizes;
    twist.apply(twisted, frame.rank == 4, random);
    const std::int64_t most = std::max(most_macs, twist.most_macs);
    if (!fits_the_run(frame, twisted, most, max_macs)) continue;
    most_macs = most;
    return twisted;
  }
  return sizes;
}

std::int64_t draw_number_of_twists(RandomSource& random) {
  const std::int64_t percent = random.between(0, 99);
  return percent < 14 ? 0 : percent < 58 ? 1 : percent < 91 ? 2 : 3;
}

}  // namespace

Convolution draw_device_path(const Frame& frame, std::int64_t max_macs, RandomSource& random) {
  const PathLayer& layer = draw_row(path_layers(), random);
  Convolution sizes = draw_fitting(layer, frame, max_macs, random);
  std::int64_t most_macs = layer.most_macs;
  for (std::int64_t left = draw_number_of_twists(random); left > 0; --left) {
    sizes = with_twist(sizes, most_macs, frame, max_macs, random);
  }
  return sizes;
}

}  // namespace gradproof::cases
