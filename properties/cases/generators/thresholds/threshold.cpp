#include "properties/cases/generators/thresholds/threshold.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gradproof::cases {
namespace {

using corpus::RandomSource;

std::int64_t product_of(const std::vector<std::int64_t>& lengths) {
  std::int64_t product = 1;
  for (const std::int64_t length : lengths) product *= length;
  return product;
}

/// The axis so far from the last one, W; null where the rank has none.
SpatialAxis* axis_of(Convolution& sizes, std::size_t from_last) {
  return from_last < sizes.axes.size() ? &sizes.axes[sizes.axes.size() - 1 - from_last] : nullptr;
}
std::int64_t extent(const SpatialAxis& axis) { return axis.dilation * (axis.kernel - 1) + 1; }

/// The kernel becomes one element where the map is too short for it.
void set_big_length(SpatialAxis& axis, std::int64_t length) {
  if (length + axis.padding_begin + axis.padding_end < extent(axis)) {
    axis = {.stride = axis.stride};
  }
  axis.big = length;
}

void set_positions(SpatialAxis& axis, std::int64_t positions) {
  const std::int64_t length = (positions - 1) * axis.stride + extent(axis) + unread_length(axis) -
                              axis.padding_begin - axis.padding_end;
  if (length < 1) axis = {.stride = axis.stride};
  axis.big = length < 1 ? (positions - 1) * axis.stride + 1 : length;
}

/// The value as two factors, the first one at most `most`.
std::pair<std::int64_t, std::int64_t> split(std::int64_t value, std::int64_t most,
                                            RandomSource& random) {
  constexpr std::array<std::int64_t, 10> divisors{1, 2, 3, 4, 5, 7, 9, 16, 31, 64};
  for (int tries = 0; tries < 6; ++tries) {
    std::int64_t first = random.one_of(std::span<const std::int64_t>(divisors));
    if (value % first != 0) continue;
    if (random.chance(50)) first = value / first;
    if (first <= most) return {first, value / first};
  }
  return {1, value};
}
constexpr std::int64_t any = INT64_MAX;

void make_plain(Convolution& sizes) {
  for (SpatialAxis& axis : sizes.axes) axis = SpatialAxis{};
}

std::int64_t big_channels(const Convolution& sizes) {
  return sizes.groups * sizes.big_channels_per_group;
}
std::int64_t small_channels(const Convolution& sizes) {
  return sizes.groups * sizes.small_channels_per_group;
}
std::int64_t batch(const Convolution& sizes) { return sizes.batch; }
std::int64_t groups(const Convolution& sizes) { return sizes.groups; }
std::int64_t weights(const Convolution& sizes) { return product_of(sizes.weight_shape()); }
std::int64_t big_elements(const Convolution& sizes) { return product_of(sizes.big_shape()); }
std::int64_t small_elements(const Convolution& sizes) { return product_of(sizes.small_shape()); }

std::int64_t positions(const Convolution& sizes) {
  std::int64_t product = 1;
  for (const SpatialAxis& axis : sizes.axes) product *= small_length(axis);
  return product;
}
std::int64_t weight_reduction(const Convolution& sizes) { return sizes.batch * positions(sizes); }
std::int64_t input_reduction(const Convolution& sizes) {
  std::int64_t taps =
      sizes.transposed ? sizes.big_channels_per_group : sizes.small_channels_per_group;
  for (const SpatialAxis& axis : sizes.axes) taps *= axis.kernel;
  return taps;
}
std::int64_t common_channels(const Convolution& sizes) {
  return std::min(big_channels(sizes), small_channels(sizes));
}

template <std::size_t from_last>
std::int64_t big_length_of(const Convolution& sizes) {
  const std::size_t count = sizes.axes.size();
  return from_last < count ? sizes.axes[count - 1 - from_last].big : 0;
}
template <std::size_t from_last>
std::int64_t positions_of(const Convolution& sizes) {
  const std::size_t count = sizes.axes.size();
  return from_last < count ? small_length(sizes.axes[count - 1 - from_last]) : 0;
}
template <auto member>
std::int64_t largest(const Convolution& sizes) {
  std::int64_t most = 0;
  for (const SpatialAxis& axis : sizes.axes) most = std::max(most, axis.*member);
  return most;
}

void set_big_channels(Convolution& sizes, std::int64_t value, RandomSource&) {
  sizes.groups = 1;
  sizes.big_channels_per_group = value;
}
void set_small_channels(Convolution& sizes, std::int64_t value, RandomSource&) {
  sizes.groups = 1;
  sizes.small_channels_per_group = value;
}
void set_both_channels(Convolution& sizes, std::int64_t value, RandomSource&) {
  sizes.groups = 1;
  sizes.big_channels_per_group = sizes.small_channels_per_group = value;
}
void set_batch(Convolution& sizes, std::int64_t value, RandomSource&) { sizes.batch = value; }
void set_groups(Convolution& sizes, std::int64_t value, RandomSource&) { sizes.groups = value; }

template <std::size_t from_last>
void set_big_length_of(Convolution& sizes, std::int64_t value, RandomSource&) {
  if (SpatialAxis* axis = axis_of(sizes, from_last)) set_big_length(*axis, value);
}
template <std::size_t from_last>
void set_positions_of(Convolution& sizes, std::int64_t value, RandomSource&) {
  if (SpatialAxis* axis = axis_of(sizes, from_last)) set_positions(*axis, value);
}

/// Sets an attribute; the number of positions stays.
template <auto member>
void set_attribute(Convolution& sizes, std::int64_t value, RandomSource& random) {
  const std::int64_t last = static_cast<std::int64_t>(sizes.axes.size()) - 1;
  SpatialAxis& axis = sizes.axes[to_size(random.between(0, last))];
  const std::int64_t outputs = std::max<std::int64_t>(small_length(axis), 2);
  axis.*member = value;
  if (member == &SpatialAxis::dilation) axis.kernel = std::max<std::int64_t>(axis.kernel, 2);
  if (member == &SpatialAxis::padding_begin) {
    axis.padding_end = value;
    axis.big = std::max<std::int64_t>(axis.big, extent(axis) - 2 * value);
    return;
  }
  set_positions(axis, outputs);
  if (small_length(axis) < 1) set_positions(axis, 1);
}

void set_positions_product(Convolution& sizes, std::int64_t value, RandomSource& random) {
  const auto [first, second] = split(value, sizes.axes.size() > 1 ? any : 1, random);
  for (std::size_t i = 2; i < sizes.axes.size(); ++i) *axis_of(sizes, i) = SpatialAxis{};
  set_positions(*axis_of(sizes, 0), second);
  if (SpatialAxis* rows = axis_of(sizes, 1)) set_positions(*rows, first);
}
void set_weight_reduction(Convolution& sizes, std::int64_t value, RandomSource& random) {
  const auto [first, second] = split(value, any, random);
  sizes.batch = first;
  set_positions_product(sizes, second, random);
}
void set_input_reduction(Convolution& sizes, std::int64_t value, RandomSource& random) {
  constexpr std::int64_t longest_kernel = 255;
  const auto [kernel, channels] = split(value, longest_kernel, random);
  make_plain(sizes);
  sizes.groups = 1;
  (sizes.transposed ? sizes.big_channels_per_group : sizes.small_channels_per_group) = channels;
  SpatialAxis& axis = sizes.axes.back();
  axis.kernel = kernel;
  axis.big = kernel + random.between(0, 1);
}
void set_weights(Convolution& sizes, std::int64_t value, RandomSource& random) {
  const auto [big, others] = split(value, any, random);
  set_input_reduction(sizes, others, random);
  (sizes.transposed ? sizes.small_channels_per_group : sizes.big_channels_per_group) = big;
}
void set_big_elements(Convolution& sizes, std::int64_t value, RandomSource& random) {
  const auto [samples, sample] = split(value, any, random);
  const auto [channels, places] = split(sample, any, random);
  const SpatialAxis last = sizes.axes.back();
  make_plain(sizes);
  sizes.groups = 1;
  sizes.batch = samples;
  sizes.big_channels_per_group = channels;
  sizes.axes.back() = last;
  set_big_length(sizes.axes.back(), places);
}
void set_small_elements(Convolution& sizes, std::int64_t value, RandomSource& random) {
  const auto [channels, others] = split(value, any, random);
  sizes.groups = 1;
  sizes.small_channels_per_group = channels;
  set_weight_reduction(sizes, others, random);
}

}  // namespace

int draw_exponent(int highest, RandomSource& random) {
  constexpr int level = 11;  // up to here a case costs the same whatever its size
  const auto weight = [](int exponent) {
    return std::int64_t{1} << std::min(highest_exponent - level, highest_exponent - exponent);
  };
  std::int64_t total = 0;
  for (int exponent = 0; exponent <= highest; ++exponent) total += weight(exponent);
  std::int64_t drawn = random.between(0, total - 1);
  int exponent = 0;
  while ((drawn -= weight(exponent)) >= 0) ++exponent;
  return exponent;
}

std::int64_t draw_threshold(int exponent, RandomSource& random) {
  const std::int64_t power = std::int64_t{1} << exponent;
  const std::int64_t half = power / 2;
  const std::int64_t value =
      random.one_of({power - 1, power, power + 1, power + 1, exponent > 0 ? power + half : 1});
  return std::max<std::int64_t>(1, value);
}

const std::vector<ThresholdQuantity>& threshold_quantities() {
  static const std::vector<ThresholdQuantity> rows{
      {"channels of the larger map", big_channels, set_big_channels},
      {"channels of the smaller map", small_channels, set_small_channels},
      {"channels of both maps", common_channels, set_both_channels, 15, 2},
      {"batch", batch, set_batch},
      {"groups", groups, set_groups},
      {"columns of the larger map", big_length_of<0>, set_big_length_of<0>},
      {"rows of the larger map", big_length_of<1>, set_big_length_of<1>},
      {"planes of the larger map", big_length_of<2>, set_big_length_of<2>},
      {"columns of the smaller map", positions_of<0>, set_positions_of<0>},
      {"rows of the smaller map", positions_of<1>, set_positions_of<1>},
      {"planes of the smaller map", positions_of<2>, set_positions_of<2>},
      {"positions", positions, set_positions_product},
      {"kernel", largest<&SpatialAxis::kernel>, set_attribute<&SpatialAxis::kernel>},
      {"stride", largest<&SpatialAxis::stride>, set_attribute<&SpatialAxis::stride>, 5},
      {"dilation", largest<&SpatialAxis::dilation>, set_attribute<&SpatialAxis::dilation>, 5},
      {"padding", largest<&SpatialAxis::padding_begin>, set_attribute<&SpatialAxis::padding_begin>,
       5},
      {"elements of weight", weights, set_weights},
      {"elements of the larger map", big_elements, set_big_elements},
      {"elements of the smaller map", small_elements, set_small_elements},
      {"products summed for an element of gradInput", input_reduction, set_input_reduction, 40},
      {"products summed for an element of gradWeight", weight_reduction, set_weight_reduction, 40},
  };
  return rows;
}

}  // namespace gradproof::cases
