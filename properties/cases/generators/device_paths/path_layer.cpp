#include "properties/cases/generators/device_paths/device_path.h"

#include <algorithm>
#include <array>

namespace gradproof::cases {
namespace {

using corpus::RandomSource;

std::int64_t draw_few(RandomSource& random) {
  return random.one_of<std::int64_t>({1, 1, 2, 3, 4, 5, 7, 8, 9});
}

/// Channels of whole blocks of 16, or a few more or fewer.
std::int64_t draw_blocks(RandomSource& random) {
  return random.one_of<std::int64_t>({15, 16, 16, 17, 24, 31, 32, 33, 40, 48, 63, 63, 64});
}

std::int64_t draw_channels_of_path(RandomSource& random) {
  return random.chance(65) ? draw_few(random) : draw_blocks(random);
}

void draw_both_channels(Convolution& sizes, RandomSource& random) {
  sizes.small_channels_per_group = draw_channels_of_path(random);
  sizes.big_channels_per_group = draw_channels_of_path(random);
}

SpatialAxis& last_axis(Convolution& sizes) { return sizes.axes.back(); }
SpatialAxis& row_axis(Convolution& sizes) {
  return sizes.axes[sizes.axes.size() < 2 ? 0 : sizes.axes.size() - 2];
}

/// One value for all axes, or another one for each.
template <typename Draw>
void draw_windows(Convolution& sizes, RandomSource& random, Draw draw) {
  const bool is_square = random.chance(55);
  const SpatialAxis common = draw();
  for (SpatialAxis& axis : sizes.axes) axis = is_square ? common : draw();
}

void set_outputs(Convolution& sizes, std::int64_t least, std::int64_t most, RandomSource& random) {
  for (SpatialAxis& axis : sizes.axes) set_lengths(axis, random.between(least, most), 0);
}

void draw_pointwise(Convolution& sizes, RandomSource& random) {
  draw_both_channels(sizes, random);
  for (SpatialAxis& axis : sizes.axes) axis.big = random.chance(25) ? 1 : random.between(2, 5);
}

/// The stride is the kernel: each element of the larger map is read once.
void draw_patches(Convolution& sizes, RandomSource& random) {
  draw_both_channels(sizes, random);
  draw_windows(sizes, random, [&] {
    SpatialAxis axis;
    axis.kernel = axis.stride = random.chance(35) ? random.between(7, 9) : random.between(1, 4);
    return axis;
  });
  set_outputs(sizes, 1, 3, random);
}

/// The kernel is the map, or is spread over it.
void draw_whole_map(Convolution& sizes, RandomSource& random) {
  draw_both_channels(sizes, random);
  const std::int64_t dilation = random.chance(85) ? 1 : random.between(2, 3);
  for (SpatialAxis& axis : sizes.axes) {
    axis = {.kernel = random.between(1, 6), .dilation = dilation};
    if (random.chance(40)) axis.stride = random.between(1, 4);
    set_lengths(axis, 1, 0);
  }
}

/// dx by four kernels of half the length: stride 2 on rows and columns, and 12 columns or more.
void draw_halved(Convolution& sizes, RandomSource& random) {
  draw_both_channels(sizes, random);
  draw_windows(sizes, random, [&] {
    SpatialAxis axis{.kernel = random.between(1, 4), .stride = 2};
    axis.padding_begin = axis.padding_end = random.between(0, axis.kernel - 1);
    return axis;
  });
  set_outputs(sizes, 2, 3, random);
  const std::int64_t unread = random.between(0, 1);
  set_lengths(last_axis(sizes), random.between(6, 9), unread);
  if (sizes.axes.size() == 3 && random.chance(60)) sizes.axes.front() = {.big = 2};
}

/// dx by as many kernels as the stride of the rows: 16 channels and 32 columns or more.
void draw_split_rows(Convolution& sizes, RandomSource& random) {
  sizes.small_channels_per_group = random.one_of<std::int64_t>({16, 16, 17, 20});
  sizes.big_channels_per_group = random.one_of<std::int64_t>({16, 16, 17, 20});
  for (SpatialAxis& axis : sizes.axes) axis = SpatialAxis{};
  SpatialAxis& rows = row_axis(sizes);
  rows.stride = random.between(2, 3);
  rows.kernel = random.chance(70) ? rows.stride + random.between(0, 2) : random.between(1, 17);
  rows.padding_begin = rows.padding_end = random.between(0, 1);
  const std::int64_t unread = random.between(0, rows.stride - 1);
  set_lengths(rows, random.between(1, 2), unread);
  if (sizes.axes.size() < 2) return;
  SpatialAxis& columns = last_axis(sizes);
  columns.kernel = random.between(1, 2);
  columns.stride = random.between(1, 4);
  set_lengths(columns, 31 / columns.stride + 2, 0);
}

/// Layers as networks have them, in groups at times.
void draw_ordinary(Convolution& sizes, RandomSource& random) {
  draw_both_channels(sizes, random);
  const std::int64_t kernel = random.one_of<std::int64_t>({2, 3, 3, 3, 4, 5});
  const SpatialAxis window{.kernel = kernel,
                           .stride = random.one_of<std::int64_t>({1, 1, 2}),
                           .padding_begin = (kernel - 1) / 2,
                           .padding_end = (kernel - 1) / 2};
  for (SpatialAxis& axis : sizes.axes) axis = window;
  set_outputs(sizes, 2, 4, random);
  if (random.chance(25)) sizes.groups = random.between(2, 4);
}

/// Kernels of 64 taps and more, on maps that give each tap a position.
void draw_large_kernel(Convolution& sizes, RandomSource& random) {
  sizes.small_channels_per_group = random.between(1, 2);
  sizes.big_channels_per_group = random.between(1, 2);
  for (SpatialAxis& axis : sizes.axes) {
    axis = {.kernel = random.between(7, 11)};
    if (random.chance(25)) axis.stride = random.between(2, 4);
    axis.padding_begin = axis.padding_end = random.chance(50) ? axis.kernel / 2 : 0;
    set_lengths(axis, random.chance(50) ? axis.kernel + 1 : random.between(1, 3), 0);
  }
  if (sizes.axes.size() == 3) sizes.axes.front() = {.big = random.between(1, 2)};
}

/// dx with its weights transposed first: 16 channels of the gradient, or 32 and more.
void draw_transposed_weights(Convolution& sizes, RandomSource& random) {
  std::int64_t& of_gradient =
      sizes.transposed ? sizes.small_channels_per_group : sizes.big_channels_per_group;
  draw_both_channels(sizes, random);
  of_gradient = random.one_of<std::int64_t>({16, 16, 32, 33, 48});
  draw_windows(sizes, random, [&] {
    return SpatialAxis{.kernel = random.between(1, 3), .stride = random.between(1, 3)};
  });
  last_axis(sizes).kernel = random.between(2, 3);
  set_outputs(sizes, 1, 3, random);
}

/// gradOutput spread out first: a stride above 2.
void draw_spread(Convolution& sizes, RandomSource& random) {
  draw_both_channels(sizes, random);
  draw_windows(sizes, random, [&] {
    return SpatialAxis{.kernel = random.between(1, 5), .stride = random.between(1, 4)};
  });
  SpatialAxis& axis = random.chance(50) ? last_axis(sizes) : row_axis(sizes);
  axis.stride = random.between(3, 5);
  set_outputs(sizes, 2, 3, random);
}

void draw_depthwise(Convolution& sizes, RandomSource& random) {
  sizes.groups = random.chance(50) ? random.between(2, 9) : draw_blocks(random);
  if (random.chance(25)) sizes.small_channels_per_group = random.between(2, 3);
  draw_windows(sizes, random, [&] {
    SpatialAxis axis{.kernel = random.between(1, 4), .stride = random.between(1, 2)};
    axis.padding_begin = axis.padding_end = random.between(0, axis.kernel - 1);
    return axis;
  });
  set_outputs(sizes, 1, 4, random);
}

/// Groups of whole blocks of 16 channels on both sides: none is joined with another.
void draw_groups_of_blocks(Convolution& sizes, RandomSource& random) {
  const auto draw = [&] { return random.chance(80) ? std::int64_t{16} : std::int64_t{32}; };
  sizes.groups = random.between(2, 4);
  sizes.small_channels_per_group = draw();
  sizes.big_channels_per_group = draw();
  draw_windows(sizes, random, [&] { return SpatialAxis{.kernel = random.between(1, 2)}; });
  set_outputs(sizes, 1, 2, random);
}

/// Groups that are joined until they fill a block of 16.
void draw_joined_groups(Convolution& sizes, RandomSource& random) {
  sizes.groups = random.one_of<std::int64_t>({2, 3, 4, 5, 6, 7, 8, 9, 16, 17});
  sizes.small_channels_per_group = random.one_of<std::int64_t>({1, 2, 3, 4, 5, 6, 8, 12});
  sizes.big_channels_per_group = random.one_of<std::int64_t>({2, 2, 3, 4, 5, 6, 8, 12});
  draw_windows(sizes, random, [&] {
    return SpatialAxis{.kernel = random.between(1, 3), .stride = random.between(1, 2)};
  });
  set_outputs(sizes, 1, 3, random);
}

/// An ordinary layer whose positions of all samples together are many: code counts its tiles and
/// tails by that product. Channels have tails as often as not.
void draw_large_map(Convolution& sizes, RandomSource& random) {
  draw_ordinary(sizes, random);
  const bool is_3x3 = random.chance(50);
  for (SpatialAxis& axis : sizes.axes) {
    if (is_3x3) axis = {.kernel = 3, .padding_begin = 1, .padding_end = 1};
  }
  const bool is_long = random.chance(20);
  const auto draw_channels = [&] {
    return is_long || random.chance(50)
               ? random.between(1, is_long ? 2 : 3)
               : random.one_of<std::int64_t>({8, 16, 17, 18, 20, 24, 31, 33, 40});
  };
  sizes.small_channels_per_group = draw_channels();
  sizes.big_channels_per_group = draw_channels();
  sizes.batch = random.chance(60) ? 1 : random.log_between(2, 130);
  const std::int64_t total =
      is_long ? random.log_between(8'192, 32'768) : random.log_between(512, 4'096);
  const std::int64_t positions = std::max<std::int64_t>(4, (total + sizes.batch - 1) / sizes.batch);
  const std::int64_t rows = sizes.axes.size() == 1 ? 1 : random.log_between(2, positions / 2);
  if (rows > 1) set_lengths(row_axis(sizes), rows, 0);
  set_lengths(last_axis(sizes), std::max<std::int64_t>(2, positions / rows), 0);
  if (sizes.axes.size() == 3) set_lengths(sizes.axes.front(), 1, 0);
}

/// Positions times taps from 2^16 to 2^20, mostly a bit above the first: what a matrix of gathered
/// elements would have.
void draw_many_products(Convolution& sizes, RandomSource& random) {
  const int most = random.chance(12) ? 20 : 17;
  const std::int64_t products = random.log_between(std::int64_t{1} << 16, std::int64_t{1} << most);
  std::int64_t taps = 1;
  for (SpatialAxis& axis : sizes.axes) {
    axis = {.kernel = random.between(1, 5)};
    axis.padding_begin = axis.padding_end = random.between(0, axis.kernel / 2);
    taps *= axis.kernel;
    set_lengths(axis, 1, 0);
  }
  sizes.big_channels_per_group = random.between(1, 4);
  const std::int64_t positions =
      std::max<std::int64_t>(1, products / taps / sizes.big_channels_per_group);
  const std::int64_t rows = sizes.axes.size() == 1 ? 1 : random.log_between(1, positions);
  if (rows > 1) set_lengths(row_axis(sizes), rows, 0);
  set_lengths(last_axis(sizes), std::max<std::int64_t>(1, positions / rows), 0);
}

/// No attribute as it is in an ordinary layer, on any axis.
void draw_all_at_once(Convolution& sizes, RandomSource& random) {
  sizes.batch = random.between(2, 3);
  sizes.groups = random.between(2, 5);
  sizes.small_channels_per_group = random.between(1, 5);
  sizes.big_channels_per_group = random.between(1, 5);
  for (SpatialAxis& axis : sizes.axes) {
    axis = {.kernel = random.between(2, 4),
            .stride = random.between(2, 4),
            .dilation = random.between(2, 3)};
    axis.padding_begin = axis.padding_end = random.between(1, 2 + axis.kernel);
    const std::int64_t unread = random.between(0, axis.stride - 1);
    set_lengths(axis, random.between(1, 3), unread);
  }
}

/// Maps of one element, or of a few under a real layer's kernel, and what is left then: channels.
void draw_few_elements(Convolution& sizes, RandomSource& random) {
  const bool has_blocks = random.chance(25);
  const std::int64_t least = has_blocks ? 48 : 1, most = has_blocks ? 160 : 128;
  sizes.small_channels_per_group = random.log_between(least, most);
  sizes.big_channels_per_group = random.log_between(least, most);
  if (!has_blocks) return;
  const std::int64_t half = random.chance(70) ? 1 : 0;
  for (SpatialAxis& axis : sizes.axes) {
    axis = {.kernel = 2 * half + 1, .padding_begin = half, .padding_end = half};
  }
  if (sizes.axes.size() == 3) sizes.axes.front() = {};
  set_outputs(sizes, 1, 2, random);
}

constexpr std::array all_layers{
    PathLayer{"1x1", 7, 8'000, draw_pointwise},
    PathLayer{"stride = kernel", 5, 16'000, draw_patches},
    PathLayer{"kernel = map", 5, 8'000, draw_whole_map},
    PathLayer{"rows and columns halved", 9, 10'000, draw_halved},
    PathLayer{"rows split by their stride", 3, 55'000, draw_split_rows},
    PathLayer{"ordinary", 4, 8'000, draw_ordinary},
    PathLayer{"large kernel", 2, 16'000, draw_large_kernel},
    PathLayer{"weights transposed first", 2, 10'000, draw_transposed_weights},
    PathLayer{"gradOutput spread out first", 2, 8'000, draw_spread},
    PathLayer{"depthwise", 3, 8'000, draw_depthwise},
    PathLayer{"groups of whole blocks", 2, 12'000, draw_groups_of_blocks},
    PathLayer{"groups joined", 3, 8'000, draw_joined_groups},
    PathLayer{"large map", 5, 600'000, draw_large_map},
    PathLayer{"many products", 1, 1'000'000, draw_many_products},
    PathLayer{"all at once", 3, 8'000, draw_all_at_once},
    PathLayer{"few elements", 2, 600'000, draw_few_elements},
};

}  // namespace

std::span<const PathLayer> path_layers() { return all_layers; }

}  // namespace gradproof::cases
