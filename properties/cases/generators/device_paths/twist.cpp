#include "properties/cases/generators/device_paths/device_path.h"

#include <algorithm>
#include <array>

#include "properties/cases/generators/beaten_paths/beaten_path.h"

namespace gradproof::cases {
namespace {

using corpus::RandomSource;

/// Multiply-accumulates of one gradient.
constexpr std::int64_t cheap = 0, dear = 80'000, of_long_axes = 140'000;

SpatialAxis& axis_to_twist(Convolution& sizes, RandomSource& random) {
  // The last one oftenest: code is written for columns.
  if (random.chance(30)) return sizes.axes.back();
  const auto last = static_cast<std::int64_t>(sizes.axes.size()) - 1;
  return sizes.axes[to_size(random.between(0, last))];
}

std::int64_t reach(const SpatialAxis& axis) { return axis.dilation * (axis.kernel - 1); }

/// What may change at the two ends of an axis.
struct Ends {
  bool begin, end;
};
Ends draw_ends(bool sides_may_differ, RandomSource& random) {
  if (!sides_may_differ) return {true, true};
  const std::int64_t which = random.between(0, 2);
  return {which != 0, which != 1};
}

/// The positions stay as many, and the elements that none reads.
template <typename Change>
void keep_positions(SpatialAxis& axis, Change change) {
  const std::int64_t outputs = small_length(axis);
  const std::int64_t unread = unread_length(axis);
  change();
  set_lengths(axis, outputs, std::min(unread, axis.stride - 1));
}

void lone_padding(Convolution& sizes, bool sides_may_differ, RandomSource& random) {
  SpatialAxis& axis = axis_to_twist(sizes, random);
  const Ends ends = draw_ends(sides_may_differ, random);
  const std::int64_t padding = random.chance(60) ? random.between(1, 2) : random.between(1, 8);
  keep_positions(axis, [&] {
    if (ends.begin) axis.padding_begin = padding;
    if (ends.end) axis.padding_end = padding;
  });
}

/// Paddings of dx as a convolution of gradOutput: (k-1) d - p at the beginning, the same and the
/// unread elements at the end. Both just above 0, 0, or below.
void backward_padding_at_0(SpatialAxis& axis, bool sides_may_differ, RandomSource& random) {
  const Ends ends = draw_ends(sides_may_differ, random);
  const std::int64_t unread = random.chance(50) ? 0 : random.between(0, axis.stride - 1);
  const std::int64_t outputs = random.chance(50) ? small_length(axis) : random.between(1, 4);
  const std::int64_t begin = reach(axis) + random.between(-1, 3);
  const std::int64_t end = sides_may_differ ? reach(axis) + unread + random.between(-1, 3) : begin;
  if (ends.begin) axis.padding_begin = std::max<std::int64_t>(0, begin);
  if (ends.end) axis.padding_end = std::max<std::int64_t>(0, end);
  set_lengths(axis, outputs, unread);
}

void backward_padding_at_0(Convolution& sizes, bool sides_may_differ, RandomSource& random) {
  if (random.chance(70)) {
    return backward_padding_at_0(axis_to_twist(sizes, random), sides_may_differ, random);
  }
  for (SpatialAxis& axis : sizes.axes) backward_padding_at_0(axis, sides_may_differ, random);
}

/// The same at 255, the last value of a byte: by the dilated kernel, or by what no position reads.
void backward_padding_at_255(Convolution& sizes, bool, RandomSource& random) {
  SpatialAxis& axis = axis_to_twist(sizes, random);
  const std::int64_t wanted = random.between(253, 258);
  std::int64_t unread = 0;
  axis.padding_begin = axis.padding_end = random.chance(60) ? 0 : random.between(1, 3);
  if (random.chance(60)) {
    axis.kernel = random.one_of<std::int64_t>({2, 2, 3, 4});
    axis.dilation = (wanted + axis.padding_begin) / (axis.kernel - 1);
    axis.stride = random.between(1, 3);
  } else {
    unread = std::max<std::int64_t>(0, wanted + axis.padding_end - reach(axis));
    axis.stride = unread + random.between(1, 2);
  }
  set_lengths(axis, random.between(1, 2), unread);
}

void one_attribute(Convolution& sizes, bool sides_may_differ, RandomSource& random) {
  change_one_attribute(sizes, sides_may_differ, random);
}

std::int64_t& any_channels(Convolution& sizes, RandomSource& random) {
  return random.chance(50) ? sizes.small_channels_per_group : sizes.big_channels_per_group;
}

void channel_tail(Convolution& sizes, bool, RandomSource& random) {
  const std::int64_t block = random.one_of<std::int64_t>({8, 16, 16, 16, 32, 64});
  const std::int64_t blocks = random.between(1, 3);
  any_channels(sizes, random) =
      std::max<std::int64_t>(1, block * blocks + random.one_of<std::int64_t>({-1, 0, 1, 7, 8, 9}));
}

/// Maps as short as the attributes allow, or a bit longer.
void shorten(Convolution& sizes, RandomSource& random) {
  sizes.batch = 1;
  for (SpatialAxis& axis : sizes.axes) {
    set_lengths(axis, random.chance(70) ? 1 : 2, std::min(unread_length(axis), axis.stride - 1));
  }
}

/// Elements between the windows that none reads: a stride above the dilated kernel.
void leave_gaps(SpatialAxis& axis, RandomSource& random) {
  axis.stride = reach(axis) + 1 + random.between(1, 3);
  const std::int64_t unread = random.between(0, axis.stride - 1);
  set_lengths(axis, random.between(2, 3), unread);
}
void stride_above_kernel(Convolution& sizes, bool, RandomSource& random) {
  leave_gaps(random.chance(50) ? sizes.axes.front() : axis_to_twist(sizes, random), random);
}

/// A sum of dx over more products than one accumulator takes, by a little or by a multiple: of all
/// taps, or of those of one kernel depth. Gaps along the first axis are planes that no sum writes.
void long_sum(Convolution& sizes, bool, RandomSource& random) {
  const std::int64_t segment =
      random.one_of<std::int64_t>({1'024, 2'048, 2'048, 2'048, 2'048, 4'096, 32'768, 32'768});
  const bool of_one_depth = sizes.axes.size() == 3 && random.chance(85);
  std::int64_t taps = 1;
  for (const SpatialAxis& axis : sizes.axes) taps *= axis.kernel;
  if (of_one_depth) taps /= sizes.axes.front().kernel;
  auto& summed = sizes.transposed ? sizes.big_channels_per_group : sizes.small_channels_per_group;
  auto& others = sizes.transposed ? sizes.small_channels_per_group : sizes.big_channels_per_group;
  shorten(sizes, random);
  // In groups, some code counts the sum of one, some that over all of them.
  const bool of_one_group = random.chance(40);
  sizes.groups = random.chance(50) ? 1 : random.between(2, of_one_group && segment > 4'096 ? 2 : 4);
  const std::int64_t whole =
      std::max<std::int64_t>(1, segment / taps / (of_one_group ? 1 : sizes.groups));
  summed = whole + (random.chance(75) ? random.between(0, 17) : random.between(0, whole));
  others = whole * taps * sizes.groups > dear / 2 ? 1
           : random.chance(60)                    ? random.between(1, 5)
                               : random.one_of<std::int64_t>({8, 15, 16, 17, 18, 24, 33});
  const bool has_planes = sizes.axes.size() == 3;
  if (!random.chance(has_planes ? 80 : 40)) return;
  leave_gaps(sizes.axes.front(), random);
  if (!has_planes) return;
  // Such sums are long: few of them fit into a case.
  others = random.between(1, 3);
  for (std::size_t i = 1; i < sizes.axes.size(); ++i) set_lengths(sizes.axes.at(i), 1, 0);
}

/// A batch about a multiple of the cores that some product has.
void batch_at_cores(Convolution& sizes, bool, RandomSource& random) {
  const std::int64_t cores =
      random.one_of<std::int64_t>({8, 10, 20, 24, 25, 28, 32, 36, 40, 48, 64});
  shorten(sizes, random);
  const std::int64_t whole = cores * random.between(1, 2);
  sizes.batch = std::max<std::int64_t>(2, whole + random.between(-2, 3));
}

std::int64_t beyond_16_bits(RandomSource& random) {
  return random.one_of<std::int64_t>({65'535, 65'536, 65'537, 65'538, 65'551, 70'000, 98'304});
}

/// One size beyond 16 bits where all others are as small as can be.
void long_axis(Convolution& sizes, bool, RandomSource& random) {
  sizes.groups = sizes.small_channels_per_group = sizes.big_channels_per_group = 1;
  shorten(sizes, random);
  switch (random.between(0, 4)) {
    case 0:
      sizes.batch = beyond_16_bits(random);
      break;
    case 1:
      sizes.small_channels_per_group = beyond_16_bits(random);
      break;
    case 2:
      sizes.big_channels_per_group = beyond_16_bits(random);
      break;
    default: {
      SpatialAxis& axis = axis_to_twist(sizes, random);
      set_lengths(axis, beyond_16_bits(random) / axis.stride + 1, 0);
    }
  }
}

/// Sizes of a layer that can be large: batch, groups, channels of both sides, then of each axis the
/// positions and the kernel.
std::size_t count_of_sizes(const Convolution& sizes) { return 4 + 2 * sizes.axes.size(); }
bool is_kernel(std::size_t place) { return place >= 4 && place % 2 == 1; }

/// Changes one of them by what `change` makes of its value; paddings stay what they are to the
/// kernel.
template <typename Change>
void change_size(Convolution& sizes, std::size_t place, Change change) {
  const std::array before{&sizes.batch, &sizes.groups, &sizes.small_channels_per_group,
                          &sizes.big_channels_per_group};
  if (place < before.size()) {
    *before.at(place) = change(*before.at(place));
    return;
  }
  SpatialAxis& axis = sizes.axes.at((place - before.size()) / 2);
  if (!is_kernel(place)) return set_lengths(axis, change(small_length(axis)), unread_length(axis));
  keep_positions(axis, [&] {
    const std::int64_t kernel = change(axis.kernel);
    axis.padding_begin = axis.padding_begin * kernel / axis.kernel;
    axis.padding_end = axis.padding_end * kernel / axis.kernel;
    axis.kernel = kernel;
  });
}

bool is_dear(const Convolution& sizes, std::int64_t most_macs) {
  constexpr std::int64_t most_elements = std::int64_t{1} << 16;
  return mac_count(sizes) > most_macs ||
         corpus::element_count(sizes.big_shape()).value_or(most_elements) >= most_elements;
}

/// Two of the sizes large; the others are halved until the layer is no longer dear.
void two_large_sizes(Convolution& sizes, bool, RandomSource& random) {
  const auto count = static_cast<std::int64_t>(count_of_sizes(sizes));
  const auto draw_place = [&] { return to_size(random.between(0, count - 1)); };
  const std::size_t first = draw_place(), second = draw_place();
  for (const std::size_t place : {first, second}) {
    change_size(sizes, place, [&](std::int64_t) {
      return is_kernel(place) ? random.log_between(6, 48) : random.log_between(16, 640);
    });
  }
  const std::int64_t most = random.log_between(dear / 16, dear / 2);
  for (int tries = 0; tries < 100 && is_dear(sizes, most); ++tries) {
    const std::size_t place = draw_place();
    if ((place == first || place == second) && tries < 90) continue;
    change_size(sizes, place,
                [](std::int64_t size) { return std::max<std::int64_t>(1, size / 2); });
  }
}

/// Elements at the end that no position reads.
void unread_end(Convolution& sizes, bool, RandomSource& random) {
  SpatialAxis& axis = axis_to_twist(sizes, random);
  const std::int64_t outputs = small_length(axis);
  axis.stride = std::max<std::int64_t>(axis.stride, random.between(2, 5));
  set_lengths(axis, outputs, random.between(1, axis.stride - 1));
}

/// A map of one element along an axis, under a kernel that is longer.
void axis_of_one(Convolution& sizes, bool, RandomSource& random) {
  const bool all = random.chance(30);
  SpatialAxis& chosen = axis_to_twist(sizes, random);
  for (SpatialAxis& axis : sizes.axes) {
    if (!all && &axis != &chosen) continue;
    axis.kernel = std::max<std::int64_t>(axis.kernel, random.between(2, 3));
    axis.stride = random.between(1, 3);
    axis.padding_begin = axis.padding_end = (reach(axis) + 1) / 2 + random.between(0, 3);
    axis.big = 1;
  }
}

void several_groups(Convolution& sizes, bool, RandomSource& random) {
  sizes.groups = random.one_of<std::int64_t>({2, 3, 4, 5, 7, 8, 9, 16, 17});
}

void several_samples(Convolution& sizes, bool, RandomSource& random) {
  sizes.batch = random.between(2, 5);
}

constexpr std::array all_twists{
    Twist{"one end padded", 6, cheap, lone_padding},
    Twist{"backward padding at 0", 8, cheap, backward_padding_at_0},
    Twist{"backward padding at 255", 3, cheap, backward_padding_at_255},
    Twist{"one attribute changed", 4, cheap, one_attribute},
    Twist{"tail of channels", 4, cheap, channel_tail},
    Twist{"long sum", 5, dear, long_sum},
    Twist{"batch at a number of cores", 2, cheap, batch_at_cores},
    Twist{"stride above the kernel", 4, cheap, stride_above_kernel},
    Twist{"size beyond 16 bits", 2, of_long_axes, long_axis},
    Twist{"two large sizes", 3, dear, two_large_sizes},
    Twist{"unread end", 3, cheap, unread_end},
    Twist{"axis of one element", 2, cheap, axis_of_one},
    Twist{"groups", 4, cheap, several_groups},
    Twist{"batch", 4, cheap, several_samples},
};

}  // namespace

std::span<const Twist> twists() { return all_twists; }

}  // namespace gradproof::cases
