#include "properties/cases/generators/beaten_paths/beaten_path.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gradproof::cases {

std::int64_t taps_of(const NetworkLayer& row) {
  std::int64_t taps = 1;
  for (std::size_t axis = 0; axis < row.axes; ++axis) taps *= row.windows.at(axis).kernel;
  return taps;
}

namespace {

/// Positions along an axis of the smaller map, as networks have them for images of 224, 299, 256,
/// 513 and 640 elements, patches and frames.
constexpr std::array<std::int64_t, 24> real_lengths{
    1, 4, 7, 8, 10, 13, 14, 16, 17, 20, 28, 32, 35, 40, 55, 56, 64, 65, 73, 80, 112, 128, 147, 224};

/// Channels of wide layers are multiples of these; how fast code for blocks of channels begins.
constexpr std::array<std::int64_t, 7> wide_units{8, 16, 16, 32, 32, 64, 24};
constexpr std::int64_t growth_unit = 12;
constexpr std::array<std::int64_t, 9> class_counts{5, 10, 18, 19, 21, 80, 85, 100, 255};

/// A real length with its residue kept and its multiple of 8, 16, 32 or 64 taken away: what tells a
/// whole block from the tail. At most `most`.
std::int64_t draw_length(std::int64_t most, corpus::RandomSource& random) {
  const std::int64_t real = random.one_of(std::span<const std::int64_t>(real_lengths));
  for (std::int64_t block = random.one_of<std::int64_t>({8, 8, 16, 32, 64}); block > 1;
       block /= 2) {
    const std::int64_t length = real % block == 0 ? block : real % block;
    if (length <= most) return length;
  }
  return std::min(real, most);
}

std::int64_t draw_multiple(std::int64_t unit, std::int64_t most, corpus::RandomSource& random) {
  if (unit > most) return random.between(1, most);
  const std::int64_t channels = unit * random.log_between(1, most / unit);
  if (random.chance(72)) return channels;
  return channels + (random.chance(50) && channels < most ? 1 : -1);
}

std::int64_t draw_wide(std::int64_t most, corpus::RandomSource& random) {
  std::int64_t unit = random.one_of(std::span<const std::int64_t>(wide_units));
  while (unit > most && unit >= 16) unit /= 2;
  return draw_multiple(unit, most, random);
}

std::int64_t draw_channels(LayerChannels kind, std::int64_t most, corpus::RandomSource& random) {
  switch (kind) {
    case LayerChannels::Wide:
      return draw_wide(most, random);
    case LayerChannels::Growth:
      return draw_multiple(growth_unit, most, random);
    case LayerChannels::Colours:
      return std::min(most, random.one_of<std::int64_t>({1, 2, 3, 3, 3, 4}));
    case LayerChannels::Single:
      return 1;
    case LayerChannels::ClassCount:
      break;
  }
  return std::min(most, random.one_of(std::span<const std::int64_t>(class_counts)));
}

/// Percentage of the wide layers that get blocks of channels: those with room for a block of 16
/// channels on either side, or of 32, even where the map then is as small as it can be.
constexpr unsigned percent_blocks = 20;
constexpr std::int64_t least_blocks = 256, most_blocks = 1'089;  // 16 by 16, 33 by 33
constexpr std::int64_t most_weights_of_blocks = 8'000;

/// Pairs of channels that a layer gets for its blocks; 0 where it has none. Those of a depthwise
/// layer cost little, and networks have no others.
std::int64_t draw_blocks(const NetworkLayer& row, corpus::RandomSource& random) {
  constexpr std::int64_t depthwise_blocks = 32;
  if (row.groups == LayerGroups::Depthwise && row.in == LayerChannels::Wide) {
    const bool has_room = taps_of(row) * depthwise_blocks <= most_weights_of_blocks;
    return has_room && random.chance(50) ? random.between(8, depthwise_blocks) : 0;
  }
  const bool is_wide = row.in == LayerChannels::Wide && row.out == LayerChannels::Wide;
  const std::int64_t most = std::min(most_blocks, most_weights_of_blocks / taps_of(row));
  if (!is_wide || row.groups != LayerGroups::One || most < least_blocks) return 0;
  return random.chance(percent_blocks) ? random.log_between(least_blocks, most) : 0;
}

/// Draws channels and groups; `product`: how many pairs of channels may meet.
void draw_channels_and_groups(const NetworkLayer& row, std::int64_t product, Convolution& drawn,
                              corpus::RandomSource& random) {
  if (row.groups == LayerGroups::Depthwise) {
    drawn.groups = std::max<std::int64_t>(
        2, draw_channels(row.in, std::max<std::int64_t>(product, 2), random));
    if (random.chance(12)) drawn.small_channels_per_group = 2;
    return;
  }
  if (row.groups == LayerGroups::Several) {
    const std::int64_t groups = random.one_of<std::int64_t>({2, 3, 4, 8, 16, 32});
    drawn.groups = std::clamp<std::int64_t>(groups, 2, std::max<std::int64_t>(2, product / 4));
    product = std::max<std::int64_t>(1, product / drawn.groups);
  }
  std::int64_t& in = row.transposed ? drawn.small_channels_per_group : drawn.big_channels_per_group;
  std::int64_t& out =
      row.transposed ? drawn.big_channels_per_group : drawn.small_channels_per_group;
  // Both sides about alike, as most layers have it, or one of them with all there is.
  const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(product)));
  const std::int64_t first_most = random.chance(60) ? std::max<std::int64_t>(1, root) : product;
  const bool in_first = random.chance(50);
  (in_first ? in : out) = draw_channels(in_first ? row.in : row.out, first_most, random);
  const std::int64_t left = std::max<std::int64_t>(1, product / (in_first ? in : out));
  (in_first ? out : in) = draw_channels(in_first ? row.out : row.in, left, random);
  const bool one_is_depthwise = row.groups == LayerGroups::Several;
  if (one_is_depthwise && drawn.big_channels_per_group == 1) drawn.big_channels_per_group = 2;
}

std::int64_t covered_by(const LayerWindow& window, std::int64_t outputs) {
  return (outputs - 1) * window.stride + window.dilation * (window.kernel - 1) + 1;
}

/// The fewest positions for which two elements of the larger map remain between the paddings, or,
/// where the layer takes the whole map at once, one.
std::int64_t fewest_positions(const LayerWindow& window, LayerMap map) {
  if (map == LayerMap::OnePlace) return 1;
  std::int64_t outputs = 1;
  while (covered_by(window, outputs) - window.padding - window.end() < 2 &&
         outputs < window.padding + window.end() + 2) {
    ++outputs;
  }
  return outputs;
}

/// Elements at the end that no position reaches.
std::int64_t unread_of(const LayerWindow& window, LayerMap map, std::int64_t outputs,
                       corpus::RandomSource& random) {
  if (random.chance(20)) return random.between(0, window.stride - 1);
  if (map != LayerMap::Multiple) return 0;
  const std::int64_t big = covered_by(window, outputs) - window.padding - window.end();
  return (window.stride - big % window.stride) % window.stride;
}

/// Draws the axes of a layer with about so many positions in total.
void draw_axes(const NetworkLayer& row, std::int64_t positions, Convolution& drawn,
               corpus::RandomSource& random) {
  drawn.axes.resize(row.axes);
  const double root = std::pow(static_cast<double>(positions), 1.0 / static_cast<double>(row.axes));
  const bool is_square = random.chance(60);
  const std::int64_t common = draw_length(std::max<std::int64_t>(1, std::llround(root)), random);
  const bool forward = random.chance(50);
  for (std::size_t i = 0; i < row.axes; ++i) {
    const std::size_t place = forward ? i : row.axes - 1 - i;
    const LayerWindow& window = row.windows.at(place);
    const std::int64_t fewest = fewest_positions(window, row.map);
    std::int64_t outputs = is_square ? common : draw_length(positions, random);
    if (row.map == LayerMap::OnePlace) outputs = 1;
    const bool is_idle = window.kernel == 1 && window.stride == 1;  // a map of one row is usual
    if (is_idle && row.axes > 1 && random.chance(25)) outputs = 1;
    outputs = std::max(fewest, outputs);
    positions = std::max<std::int64_t>(1, positions / outputs);
    SpatialAxis& axis = drawn.axes[place];
    axis = {.kernel = window.kernel,
            .stride = window.stride,
            .dilation = window.dilation,
            .padding_begin = window.padding,
            .padding_end = window.end()};
    axis.big = covered_by(window, outputs) - window.padding - window.end() +
               unread_of(window, row.map, outputs, random);
  }
}

/// Elements of a map that a case may have, about: the oracle visits each.
std::int64_t draw_most_elements(corpus::RandomSource& random) {
  constexpr std::int64_t usual = 1 << 9, largest = 1 << 13;
  return random.chance(94) ? usual : largest;
}

/// Positions of all samples together that multiply-accumulates and elements leave.
std::int64_t most_positions(const NetworkLayer& row, std::int64_t macs, std::int64_t elements_left,
                            const Convolution& drawn) {
  const std::int64_t big_channels = drawn.groups * drawn.big_channels_per_group;
  std::int64_t elements = big_channels;  // of a map, for one position
  for (const LayerWindow& window : row.windows) elements *= window.stride;
  const std::int64_t pairs = big_channels * drawn.small_channels_per_group;
  elements = std::max(elements, drawn.groups * drawn.small_channels_per_group);
  return std::max<std::int64_t>(1, std::min(macs / taps_of(row) / pairs, elements_left / elements));
}

std::int64_t larger_map_elements(const Convolution& drawn) {
  std::int64_t elements = drawn.batch * drawn.groups * drawn.big_channels_per_group;
  for (const SpatialAxis& axis : drawn.axes) elements *= axis.big;
  return elements;
}

/// Makes samples fewer, then channels, then groups, where the shortest map is long.
void make_fewer(const NetworkLayer& row, Convolution& drawn) {
  constexpr std::int64_t most_elements = 1 << 13;
  const std::int64_t least_channels = row.groups == LayerGroups::Several ? 2 : 1;
  const std::int64_t least_groups = row.groups == LayerGroups::One ? 1 : 2;
  while (larger_map_elements(drawn) > most_elements) {
    if (drawn.batch > 1) {
      drawn.batch = (drawn.batch + 1) / 2;
    } else if (drawn.big_channels_per_group > least_channels) {
      drawn.big_channels_per_group = (drawn.big_channels_per_group + 1) / 2;
    } else if (drawn.groups > least_groups) {
      drawn.groups = (drawn.groups + 1) / 2;
    } else {
      return;
    }
  }
}

}  // namespace

Convolution draw_layer(const NetworkLayer& row, std::int64_t macs, corpus::RandomSource& random) {
  Convolution drawn;
  drawn.transposed = row.transposed;
  std::int64_t least = 1;  // multiply-accumulates of one pair of channels
  for (std::size_t axis = 0; axis < row.axes; ++axis) {
    const LayerWindow& window = row.windows.at(axis);
    least *= window.kernel * fewest_positions(window, row.map);
  }
  const std::int64_t left = std::max<std::int64_t>(1, macs / least);
  // Many channels on a map of 2 x 2, many positions of few channels, or something of both.
  std::int64_t most = random.chance(45) ? left : random.log_between(1, left);
  most = std::max(most, draw_blocks(row, random));
  draw_channels_and_groups(row, most, drawn, random);
  std::int64_t positions = most_positions(row, macs, draw_most_elements(random), drawn);
  if (random.chance(45)) {
    drawn.batch = random.log_between(1, std::clamp<std::int64_t>(positions / 4, 1, 9));
    positions /= drawn.batch;
  }
  draw_axes(row, positions, drawn, random);
  make_fewer(row, drawn);
  return drawn;
}

}  // namespace gradproof::cases
