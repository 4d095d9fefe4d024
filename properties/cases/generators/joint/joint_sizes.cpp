#include "properties/cases/generators/joint/joint_cases.h"

#include <algorithm>
#include <array>
#include <span>

namespace gradproof::cases {
namespace {

// Places of classes in their dimension, as call_classes has them.
enum Kernel : std::uint8_t { One, Three, Other, Mixed };
enum Groups : std::uint8_t { Single, Depthwise, Several };
enum Padding : std::uint8_t { None, Same, Full, OtherPadding, Asymmetric };

/// Where in each dimension a row is.
class ClassRow {
 public:
  explicit ClassRow(const Classes& classes) : classes_(classes) {}
  std::size_t operator[](Dimension dimension) const {
    return place_in_dimension(classes_.at(to_size(dimension)));
  }

 private:
  const Classes& classes_;
};

struct ChannelCounts {
  std::int64_t groups, small, big;  ///< of a group
};

std::size_t groups_place_of(const ChannelCounts& counts) {
  if (counts.groups == 1) return Single;
  return counts.big == 1 ? Depthwise : Several;
}

std::size_t channels_place_of(const ChannelCounts& counts) {
  const std::int64_t small = counts.groups * counts.small, big = counts.groups * counts.big;
  if (small % 16 == 0 && big % 16 == 0) return 0;
  if (small % 8 == 0 && big % 8 == 0) return 1;
  return small % 8 == 0 || big % 8 == 0 ? 2 : 3;
}

/// Few enough that a volume of them is cheap.
constexpr std::int64_t most_channels = 33;

std::vector<ChannelCounts> counts_in(std::size_t groups_place, std::size_t channels_place) {
  constexpr std::int64_t groups[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 32};
  constexpr std::int64_t channels[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33};
  std::vector<ChannelCounts> found;
  for (const std::int64_t group : groups) {
    for (const std::int64_t small : channels) {
      for (const std::int64_t big : channels) {
        const ChannelCounts counts{group, small, big};
        if (group * std::max(small, big) <= most_channels &&
            groups_place_of(counts) == groups_place &&
            channels_place_of(counts) == channels_place) {
          found.push_back(counts);
        }
      }
    }
  }
  return found;
}

constexpr std::size_t groups_classes = 3, channels_classes = 4;

const std::vector<ChannelCounts>& counts_of(const ClassRow& row) {
  static const auto table = [] {
    std::array<std::array<std::vector<ChannelCounts>, channels_classes>, groups_classes> made;
    for (std::size_t groups = 0; groups < groups_classes; ++groups) {
      for (std::size_t channels = 0; channels < channels_classes; ++channels) {
        made.at(groups).at(channels) = counts_in(groups, channels);
      }
    }
    return made;
  }();
  return table.at(row[Dimension::Groups]).at(row[Dimension::Channels]);
}

void set_channels(Convolution& sizes, const ChannelCounts& counts) {
  sizes.groups = counts.groups;
  sizes.small_channels_per_group = counts.small;
  sizes.big_channels_per_group = counts.big;
}

/// Largest number of products of one gradient: half of what a selection admits by default.
constexpr std::int64_t most_joint_macs = 500'000;

/// Draws few channels where map and kernel are large, so that each row stays an affordable call.
void draw_channels_of_row(Convolution& sizes, const ClassRow& row, corpus::RandomSource& random) {
  const auto& counts = counts_of(row);
  constexpr int attempts = 8;
  for (int i = 0; i < attempts; ++i) {
    set_channels(sizes, random.one_of(std::span<const ChannelCounts>(counts)));
    if (mac_count(sizes) <= most_joint_macs) return;
  }
  sizes.batch = 1;
  set_channels(sizes, *std::ranges::min_element(counts, {}, [](const ChannelCounts& few) {
                 return few.groups * few.small * few.big;
               }));
}

bool all_equal(const std::vector<SpatialAxis>& axes) {
  return std::ranges::all_of(
      axes, [&](const SpatialAxis& axis) { return axis.kernel == axes.front().kernel; });
}

/// Draws odd kernels where the padding must be half of what they reach over.
void draw_kernels(std::vector<SpatialAxis>& axes, const ClassRow& row,
                  corpus::RandomSource& random) {
  const bool is_odd = row[Dimension::Padding] == Same;
  const auto set_all = [&](std::int64_t kernel) {
    for (SpatialAxis& axis : axes) axis.kernel = kernel;
  };
  switch (static_cast<Kernel>(row[Dimension::Kernel])) {
    case One:
      return set_all(1);
    case Three:
      return set_all(3);
    case Other:
      if (is_odd) return set_all(axes.size() == 3 ? 5 : random.one_of<std::int64_t>({5, 7}));
      return set_all(axes.size() == 3 ? 2 : random.one_of<std::int64_t>({2, 4, 5, 7}));
    case Mixed:
      break;
  }
  do {
    for (SpatialAxis& axis : axes) {
      axis.kernel = is_odd ? random.one_of<std::int64_t>({1, 3, 5}) : random.between(1, 4);
    }
  } while (all_equal(axes));
}

/// Sets a value above 1 on one of the axes that lend themselves to it, and at times on the others.
template <typename Lends, typename Set>
void draw_on_axes(std::vector<SpatialAxis>& axes, corpus::RandomSource& random, Lends lends,
                  Set set) {
  std::vector<SpatialAxis*> able;
  for (SpatialAxis& axis : axes) {
    if (lends(axis)) able.push_back(&axis);
  }
  SpatialAxis* const surely = random.one_of(std::span<SpatialAxis* const>(able));
  const bool on_all = axes.size() < 3 && random.chance(50);
  for (SpatialAxis* const axis : able) {
    if (axis == surely || on_all) set(*axis);
  }
}

std::int64_t reach_of(const SpatialAxis& axis) { return axis.dilation * (axis.kernel - 1); }

void draw_paddings_of_row(std::vector<SpatialAxis>& axes, const ClassRow& row,
                          corpus::RandomSource& random) {
  const auto relation = static_cast<Padding>(row[Dimension::Padding]);
  for (SpatialAxis& axis : axes) {
    const std::int64_t reach = reach_of(axis);
    const std::int64_t free = relation >= OtherPadding ? random.between(0, reach + 1) : 0;
    axis.padding_begin = relation == Same ? reach / 2 : relation == Full ? reach : free;
    axis.padding_end = axis.padding_begin;
  }
  if (relation < OtherPadding) return;
  SpatialAxis& first = axes[to_size(random.between(0, static_cast<std::int64_t>(axes.size()) - 1))];
  if (relation == OtherPadding) {  // more than all of it is none of the named relations
    first.padding_begin = first.padding_end = reach_of(first) + 1;
  } else {
    (random.chance(50) ? first.padding_begin : first.padding_end) += 1;
  }
}

/// Sets the larger map that a number of positions needs; more positions where the paddings would
/// leave none of it.
void set_map(SpatialAxis& axis, std::int64_t positions, std::int64_t unread) {
  const std::int64_t paddings = axis.padding_begin + axis.padding_end;
  const auto covered = [&] { return (positions - 1) * axis.stride + reach_of(axis) + 1 + unread; };
  while (covered() <= paddings) ++positions;
  axis.big = covered() - paddings;
}

Convolution draw_once(const Frame& frame, const Classes& classes, corpus::RandomSource& random) {
  const ClassRow row(classes);
  Convolution sizes;
  sizes.transposed = frame.transposed;
  sizes.batch = random.chance(70) ? 1 : random.between(2, 3);
  sizes.axes.resize(to_size(frame.rank - 2));
  draw_kernels(sizes.axes, row, random);
  if (row[Dimension::Dilation] == 1) {
    draw_on_axes(
        sizes.axes, random, [](const SpatialAxis& axis) { return axis.kernel > 1; },
        [&](SpatialAxis& axis) { axis.dilation = random.between(2, 3); });
  }
  if (const std::size_t stride = row[Dimension::Stride]; stride > 0) {
    draw_on_axes(
        sizes.axes, random, [](const SpatialAxis&) { return true; },
        [&](SpatialAxis& axis) { axis.stride = stride == 1 ? 2 : random.between(3, 5); });
  }
  draw_paddings_of_row(sizes.axes, row, random);
  for (SpatialAxis& axis : sizes.axes) {
    const std::int64_t least = axis.stride > 1 ? 2 : 1;  // one position moves nowhere
    const std::int64_t unread = random.between(0, axis.stride - 1);
    set_map(axis, random.between(least, 3), unread);
  }
  draw_channels_of_row(sizes, row, random);
  return sizes;
}

}  // namespace

Convolution draw_joint_sizes(const Frame& frame, const Classes& classes,
                             corpus::RandomSource& random) {
  constexpr int attempts = 8;  // one in some thousands is too large with the fewest channels
  Convolution sizes = draw_once(frame, classes, random);
  for (int i = 1; i < attempts && mac_count(sizes) > most_joint_macs; ++i) {
    sizes = draw_once(frame, classes, random);
  }
  return sizes;
}

}  // namespace gradproof::cases
