#include "properties/cases/generators/sizes.h"

#include <algorithm>
#include <array>

#include "properties/cases/generators/axis_limits.h"

namespace gradproof::cases {
namespace {

/// Elements of one feature map, whatever stride and dilation ask for; the oracle visits each of
/// them, so only some cases may have many.
constexpr std::int64_t usual_map = 1 << 10, largest_map = 1 << 14;

/// Channels around the cube's 16 and C0's 8 and 32, where tails begin and end.
constexpr std::array<std::int64_t, 14> edge_channels{1,  2,  3,  4,  7,  8,  9,
                                                     15, 16, 17, 31, 32, 33, 64};

/// A budget that the factors of a product share; what one leaves, the next may use.
class Budget {
 public:
  explicit Budget(std::int64_t total) : left_(total) {}
  std::int64_t left() const { return left_; }
  std::int64_t spend(std::int64_t factor) {
    left_ /= std::max<std::int64_t>(factor, 1);
    return factor;
  }

 private:
  std::int64_t left_;
};

/// Draws a budget, mostly small, so that thousands run a second, with a long tail of large ones.
std::int64_t draw_budget(std::int64_t max_macs, corpus::RandomSource& random) {
  const std::int64_t kind = random.between(0, 999);
  if (kind < 3) return random.log_between(std::min<std::int64_t>(max_macs, 60'000), max_macs);
  if (kind < 200) return random.between(1, std::min<std::int64_t>(max_macs, 24'000));
  return random.log_between(1, std::min<std::int64_t>(max_macs, 8'000));
}

std::int64_t draw_channels(Budget& budget, corpus::RandomSource& random) {
  const std::int64_t most = std::max<std::int64_t>(1, budget.left());
  if (random.chance(25)) return 1;
  if (random.chance(25))
    return budget.spend(random.log_between(1, std::min<std::int64_t>(most, 70)));
  const auto fitting = std::ranges::upper_bound(edge_channels, most) - edge_channels.begin();
  return budget.spend(
      random.one_of(std::span<const std::int64_t>(edge_channels.data(), to_size(fitting))));
}

/// Draws 1, a few, or something of the whole range with its last values.
std::int64_t draw_attribute(std::int64_t limit, unsigned percent_one,
                            corpus::RandomSource& random) {
  if (random.chance(percent_one)) return 1;
  if (random.chance(85)) return random.between(2, std::min<std::int64_t>(limit, 4));
  if (random.chance(30)) return random.between(std::max<std::int64_t>(1, limit - 1), limit);
  return random.log_between(1, limit);
}

/// Budget of an axis: products (outputs times taps) and elements of the larger map.
struct AxisBudget {
  Budget products;
  std::int64_t elements;
};

std::int64_t draw_kernel(const AxisLimits& limits, AxisBudget& budget,
                         corpus::RandomSource& random) {
  if (random.chance(22)) return 1;
  const std::int64_t most = std::min({limits.kernel, budget.products.left(), budget.elements});
  const bool wide = random.chance(4);
  const std::int64_t usual = std::min<std::int64_t>(most, 7);
  if (wide && random.chance(30)) return budget.products.spend(std::max<std::int64_t>(1, most));
  return budget.products.spend(wide ? random.log_between(1, most) : random.between(1, usual));
}

std::int64_t draw_outputs(AxisBudget& budget, corpus::RandomSource& random) {
  if (random.chance(12)) return 1;
  const std::int64_t most = std::min<std::int64_t>(budget.products.left(), 40);
  return budget.products.spend(random.log_between(1, std::max<std::int64_t>(1, most)));
}

/// Shrinks a drawn attribute until what it multiplies fits; 1 always does or nothing can.
std::int64_t fitting(std::int64_t drawn, std::int64_t multiplied, std::int64_t room_left) {
  if (multiplied <= 0) return drawn;
  return std::clamp<std::int64_t>(room_left / multiplied, 1, drawn);
}

struct Paddings {
  std::int64_t begin, end;
};

Paddings draw_paddings(std::int64_t covered, std::int64_t limit, bool one_value,
                       corpus::RandomSource& random) {
  const auto draw = [&](std::int64_t most) -> std::int64_t {
    most = std::min(most, limit);
    if (most <= 0 || random.chance(35)) return 0;
    if (random.chance(75)) return random.between(0, std::min<std::int64_t>(most, 3));
    return random.chance(40) ? most : random.between(0, most);
  };
  // At least one element of the map has to remain between the paddings.
  if (one_value) {
    const std::int64_t both = draw((covered - 1) / 2);
    return {both, both};
  }
  const std::int64_t begin = draw(covered - 1);
  return {begin, draw(covered - 1 - begin)};
}

/// True if any tap of any position meets an element of the map and not only padding.
bool meets_map(const SpatialAxis& axis) {
  const std::int64_t outputs = small_length(axis);
  for (std::int64_t output = 0; output < outputs; ++output) {
    const std::int64_t begin = output * axis.stride;
    const std::int64_t before = std::max<std::int64_t>(axis.padding_begin - begin, 0);
    const std::int64_t tap = (before + axis.dilation - 1) / axis.dilation;
    if (tap < axis.kernel && begin + tap * axis.dilation < axis.padding_begin + axis.big)
      return true;
  }
  return false;
}

SpatialAxis draw_axis(const AxisLimits& limits, AxisBudget& budget, bool one_padding,
                      corpus::RandomSource& random) {
  SpatialAxis axis;
  const bool kernel_first = random.chance(50);
  std::int64_t outputs = 0;
  if (!kernel_first) outputs = draw_outputs(budget, random);
  axis.kernel = draw_kernel(limits, budget, random);
  if (kernel_first) outputs = draw_outputs(budget, random);

  axis.dilation =
      fitting(draw_attribute(limits.dilation, 60, random), axis.kernel - 1, budget.elements - 1);
  const std::int64_t extent = axis.dilation * (axis.kernel - 1) + 1;
  axis.stride =
      fitting(draw_attribute(limits.stride, 50, random), outputs - 1, budget.elements - extent);
  outputs = std::clamp<std::int64_t>((budget.elements - extent) / axis.stride + 1, 1, outputs);
  const std::int64_t reached = (outputs - 1) * axis.stride + extent;
  const std::int64_t most_unread =
      std::clamp<std::int64_t>(budget.elements - reached, 0, axis.stride - 1);
  const std::int64_t covered = reached + random.between(0, most_unread);
  const Paddings paddings = draw_paddings(covered, limits.padding, one_padding, random);
  axis.padding_begin = paddings.begin;
  axis.padding_end = paddings.end;
  axis.big = covered - paddings.begin - paddings.end;
  if (!meets_map(axis) && !random.chance(10)) {  // all gradients 0: legal, and little to learn from
    axis.padding_begin = axis.padding_end = 0;
    axis.big = covered;
  }
  budget.elements =
      std::max<std::int64_t>(1, budget.elements / std::max<std::int64_t>(axis.big, 1));
  return axis;
}

enum class GroupsClass : std::uint8_t { One, Depthwise, General };

GroupsClass draw_groups_class(corpus::RandomSource& random) {
  const std::int64_t drawn = random.between(0, 99);
  if (drawn < 68) return GroupsClass::One;
  return drawn < 84 ? GroupsClass::Depthwise : GroupsClass::General;
}

void draw_channels_and_groups(Convolution& drawn, Budget& budget, corpus::RandomSource& random) {
  const GroupsClass groups = draw_groups_class(random);
  if (groups != GroupsClass::One) {
    const std::int64_t most = std::clamp<std::int64_t>(budget.left(), 2, 33);
    drawn.groups = budget.spend(random.log_between(2, most));
  }
  if (groups == GroupsClass::Depthwise) {
    drawn.small_channels_per_group = random.chance(75) ? 1 : budget.spend(random.between(1, 3));
    return;
  }
  const bool small_first = random.chance(50);
  auto& first = small_first ? drawn.small_channels_per_group : drawn.big_channels_per_group;
  auto& second = small_first ? drawn.big_channels_per_group : drawn.small_channels_per_group;
  first = draw_channels(budget, random);
  second = draw_channels(budget, random);
  // One channel of the larger map per group is depthwise again.
  const bool general = groups == GroupsClass::General && budget.left() >= 2;
  if (general && drawn.big_channels_per_group == 1) drawn.big_channels_per_group = budget.spend(2);
}

void draw_axes(const Frame& frame, Convolution& drawn, AxisBudget& budget,
               corpus::RandomSource& random) {
  const auto axes = to_size(frame.rank - 2);
  // Only rank 4 has a way to say different paddings at the two ends.
  const bool one_padding = frame.rank != 4 || random.chance(60);
  drawn.axes.resize(axes);
  // W first or D first: the first axis gets the larger share.
  const bool forward = random.chance(50);
  for (std::size_t i = 0; i < axes; ++i) {
    const std::size_t axis = forward ? i : axes - 1 - i;
    drawn.axes[axis] = draw_axis(axis_limits(frame, axis), budget, one_padding, random);
  }
}

}  // namespace

Convolution draw_usual_convolution(const Frame& frame, std::int64_t max_macs,
                                   corpus::RandomSource& random) {
  Budget total(draw_budget(std::max<std::int64_t>(1, max_macs), random));
  Convolution drawn;
  drawn.transposed = frame.transposed;
  const bool channels_first = random.chance(50);
  // The first takes a random share of the budget's magnitude and leaves the rest to the others.
  Budget first(random.log_between(1, total.left()));
  const std::int64_t second = total.left() / std::max<std::int64_t>(1, first.left());
  Budget channels = channels_first ? first : Budget(second);
  const std::int64_t products = channels_first ? second : first.left();
  if (random.chance(45)) {
    drawn.batch =
        channels.spend(random.log_between(1, std::clamp<std::int64_t>(channels.left(), 1, 9)));
  }
  draw_channels_and_groups(drawn, channels, random);
  const std::int64_t rows = drawn.batch * drawn.groups *
                            std::max(drawn.big_channels_per_group, drawn.small_channels_per_group);
  const std::int64_t elements = random.chance(85) ? usual_map : largest_map;
  AxisBudget budget{Budget(products), std::max<std::int64_t>(8, elements / rows)};
  draw_axes(frame, drawn, budget, random);
  return drawn;
}

Convolution draw_empty_convolution(const Frame& frame, corpus::RandomSource& random) {
  Convolution drawn = draw_usual_convolution(frame, 500, random);
  const bool no_batch = drawn.transposed || random.chance(60);
  if (no_batch) drawn.batch = 0;
  // A normal convolution may lack its input channels instead, in x and w alike (EMPTY-04).
  if (!no_batch || (drawn.transposed && random.chance(10))) drawn.big_channels_per_group = 0;
  for (SpatialAxis& axis : drawn.axes) {
    if (random.chance(12)) axis.kernel = 0;  // w may be empty too; formula 1 holds all the more
    if (!random.chance(12)) continue;
    axis.big = 0;
    // Formula 1 (EMPTY-08) must still hold without the elements taken away.
    const std::int64_t padding = axis.padding_begin + axis.padding_end;
    axis.kernel = padding == 0 ? 0 : std::min(axis.kernel, (padding - 1) / axis.dilation + 1);
  }
  return drawn;
}

}  // namespace gradproof::cases
