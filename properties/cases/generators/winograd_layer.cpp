#include "properties/cases/generators/winograd_layer.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "properties/cases/generators/axis_limits.h"
#include "properties/cases/generators/beaten_paths/beaten_path.h"
#include "properties/cases/generators/shares.h"
#include "properties/cases/generators/valid_case.h"

namespace gradproof::cases {
namespace {

using corpus::RandomSource;

constexpr std::array<std::string_view, 3> tile_layer_names{"none", "ascend950", "all"};

/// Output positions of all samples: each costs as many products as there are pairs of channels.
constexpr std::int64_t few_positions = 12, some_positions = 64, many_positions = 300;

struct Channels {
  std::int64_t small, big;
};

/// 16 blocks of 64 x 64, at times with a tail or one channel short of them.
Channels draw_blocks_of_channels(RandomSource& random) {
  constexpr std::array<Channels, 5> blocks{
      {{64, 1024}, {128, 512}, {256, 256}, {512, 128}, {1024, 64}}};
  Channels drawn = blocks.at(static_cast<std::size_t>(random.between(0, 4)));
  const auto tail = [&] {
    if (random.chance(45)) return std::int64_t{0};
    return random.chance(60) ? random.one_of<std::int64_t>({1, 2, 7, 8, 9, 16, 17})
                             : random.between(1, 63);
  };
  drawn.small += tail();
  drawn.big += tail();
  if (random.chance(6)) {
    std::int64_t& short_one = random.chance(50) ? drawn.small : drawn.big;
    short_one = short_one / 64 * 64 - 1;
  }
  return drawn;
}

/// A length and a padding: those for which half of the tiles need no padding along this axis alone
/// are 2 p + 1 and longer.
SpatialAxis draw_axis(RandomSource& random) {
  SpatialAxis axis;
  axis.kernel = 3;
  std::int64_t padding = 0;
  const std::int64_t kind = random.between(0, 9);
  if (kind < 4) {
    axis.big = random.one_of<std::int64_t>({3, 3, 4, 5, 6});
  } else if (kind < 7) {
    axis.big = random.between(5, 9);
    padding = 1;
  } else if (kind < 9) {
    padding =
        random.chance(60) ? random.between(1, 3) : random.one_of<std::int64_t>({4, 6, 7, 8, 8, 8});
    axis.big = 2 * padding + random.between(1, 3);
  } else {
    axis.big = random.between(3, 40);
    padding = random.between(0, 2);
  }
  axis.padding_begin = axis.padding_end = padding;
  return axis;
}

SpatialAxis axis_of(std::int64_t length, std::int64_t padding) {
  return {.big = length, .kernel = 3, .padding_begin = padding, .padding_end = padding};
}

/// Along one axis one attribute up to its border, the other as short as it can be: a large padding
/// costs few positions so, and no other attribute hides what it does.
std::vector<SpatialAxis> draw_one_attribute_alone(RandomSource& random) {
  const std::int64_t padding =
      random.chance(50) ? random.one_of<std::int64_t>({1, 2, 3, 5, 6, 7, 8, 8}) : 0;
  const std::int64_t length =
      padding > 0 ? 2 * padding + random.between(1, 3)
                  : random.one_of<std::int64_t>({4, 5, 8, 17, 18, 19, 33, 34, 35, 40, 65, 66});
  std::vector<SpatialAxis> axes{axis_of(3, 0), axis_of(length, padding)};
  if (random.chance(50)) std::swap(axes.front(), axes.back());
  return axes;
}

/// More tiles than a core takes at once, or rows that are long.
std::vector<SpatialAxis> draw_large_map(RandomSource& random) {
  const auto side = [&](std::int64_t least, std::int64_t most) {
    const std::int64_t padding = random.between(0, 2);
    return axis_of(random.between(least, most), padding);
  };
  if (random.chance(60)) return {side(8, 18), side(8, 18)};
  std::vector<SpatialAxis> axes{axis_of(random.between(3, 5), 0), side(19, 70)};
  if (random.chance(40)) std::swap(axes.front(), axes.back());
  return axes;
}

std::int64_t positions_of(const Convolution& sizes) {
  std::int64_t positions = sizes.batch;
  for (const SpatialAxis& axis : sizes.axes)
    positions *= std::max<std::int64_t>(0, small_length(axis));
  return positions;
}

/// One condition missed by as little as its attribute allows.
void miss_a_condition(Convolution& sizes, RandomSource& random) {
  SpatialAxis& axis = sizes.axes.at(static_cast<std::size_t>(random.between(0, 1)));
  switch (random.between(0, 3)) {
    case 0:  // one tile with padding too many
      axis.padding_begin = axis.padding_end = random.between(1, 4);
      axis.big = 2 * axis.padding_begin;
      break;
    case 1:
      axis.padding_begin = axis.padding_end = 9;
      axis.big = random.between(19, 22);
      break;
    case 2:  // no position without padding
      axis.padding_begin = axis.padding_end = 1;
      axis.big = random.between(1, 2);
      break;
    default:
      change_one_attribute(sizes, true, random);
  }
}

std::vector<bool> draw_mask(RandomSource& random) {
  if (random.chance(70)) return {false, true, false};
  return {random.chance(50), random.chance(90), random.chance(50)};
}

bool has_layers_of_ascend950(const Frame& frame, const Selection& selection) {
  return selection.tile_layers != TileLayers::None && frame.product == corpus::Product::Ascend950 &&
         frame.rank == 4 && !frame.transposed;
}

/// Channels that lie more than 65,535 bytes apart, more tiles than 8 bits count, or a few of each.
std::vector<SpatialAxis> draw_small_map(const Frame& frame, bool is_large, RandomSource& random) {
  const bool is_long = random.chance(25);
  std::vector<SpatialAxis> axes;
  for (int i = 2; i < frame.rank; ++i) {
    if (i < frame.rank - 2 || (frame.rank == 4 && random.chance(6))) {
      axes.push_back({.big = random.between(1, 4)});
      continue;
    }
    const std::int64_t small = is_long ? random.between(10, 48) : random.between(1, 12);
    const std::int64_t length = is_large ? random.between(128, 136) : small;
    axes.push_back(axis_of(length, random.chance(40) ? 1 : random.between(0, 3)));
  }
  return axes;
}

/// Channels and maps with tails of every length.
Convolution draw_small_layer(const Frame& frame, RandomSource& random) {
  const bool is_large = random.chance(6);
  const auto channels = [&] {
    if (is_large) return random.between(1, 2);
    return random.chance(60) ? random.between(1, 8) : random.between(9, 40);
  };
  Convolution sizes;
  sizes.transposed = frame.transposed;
  if (random.chance(15)) sizes.groups = random.between(2, 3);
  if (!is_large && random.chance(50)) sizes.batch = random.between(2, 5);
  sizes.small_channels_per_group = channels();
  sizes.big_channels_per_group = channels();
  sizes.axes = draw_small_map(frame, is_large, random);
  return sizes;
}

}  // namespace

std::string_view name_of(TileLayers layers) {
  return tile_layer_names.at(static_cast<std::size_t>(layers));
}

corpus::Meaning<TileLayers> tile_layers_from_words(std::string_view words) {
  const auto* found = std::ranges::find(tile_layer_names, words);
  if (found != tile_layer_names.end()) {
    return static_cast<TileLayers>(found - tile_layer_names.begin());
  }
  return tl::unexpected(fmt::format("\"{}\" is none of none, ascend950 and all", words));
}

Convolution draw_winograd_layer(RandomSource& random) {
  const std::int64_t share = random.between(0, 99);
  const std::int64_t most = share < 30   ? few_positions
                            : share < 75 ? some_positions
                                         : many_positions;
  const Channels channels = draw_blocks_of_channels(random);
  Convolution sizes;
  sizes.small_channels_per_group = channels.small;
  sizes.big_channels_per_group = channels.big;
  const bool is_alone = most == some_positions && random.chance(85);
  do {
    sizes.axes = most == many_positions ? draw_large_map(random)
                 : is_alone             ? draw_one_attribute_alone(random)
                                        : std::vector{draw_axis(random), draw_axis(random)};
  } while (positions_of(sizes) > most);
  const std::int64_t most_samples =
      std::min<std::int64_t>(5, std::max(most, 2 * some_positions) / positions_of(sizes));
  if (random.chance(55)) sizes.batch = random.between(1, most_samples);
  if (!random.chance(19)) return sizes;
  Convolution missed = sizes;
  miss_a_condition(missed, random);
  return positions_of(missed) >= 1 && positions_of(missed) <= many_positions ? missed : sizes;
}

Convolution draw_tile_layer(const Frame& frame, RandomSource& random) {
  constexpr std::int64_t most_macs = 1'000'000;
  Convolution sizes = draw_small_layer(frame, random);
  while (positions_of(sizes) < 1 || mac_count(sizes) > most_macs) {
    sizes = draw_small_layer(frame, random);
  }
  return sizes;
}

std::optional<corpus::Case> draw_tile_case(const Frame& frame, const Selection& selection,
                                           RandomSource& random) {
  if (frame.dtype != corpus::DataType::Float || selection.of_tensors || selection.max_macs_binds) {
    return std::nullopt;
  }
  const bool has_large = has_layers_of_ascend950(frame, selection);
  const bool has_small =
      selection.tile_layers == TileLayers::All && !is_first_generation(frame.product);
  if (!has_large && !has_small) return std::nullopt;
  if (!random.chance(has_small ? shares::tile_layer : shares::winograd_layer)) return std::nullopt;
  const bool is_large =
      !has_small || (has_large && random.chance(shares::ascend950s_of_tile_layers));
  const auto draw = [&] {
    return is_large ? draw_winograd_layer(random) : draw_tile_layer(frame, random);
  };
  Convolution sizes = draw();
  while (!keeps_limits(frame, sizes)) sizes = draw();
  const CallWishes wishes{
      .cube_math_type =
          random.chance(90) ? std::int8_t{0} : random.one_of<std::int8_t>({0, 1, 2, 3}),
      .output_mask =
          is_large ? draw_mask(random)
                   : std::vector<bool>{random.chance(80), random.chance(80), random.chance(30)},
      .has_views = random.chance(10)};
  return draw_wished_case(frame, selection, sizes, wishes, random);
}

}  // namespace gradproof::cases
