// Both gradients of a convolution are forward convolutions themselves:
// - of the data: gradOutput with stride - 1 zeros between its elements, convolved with the weights
//   turned around and their channels exchanged;
// - of the weights: the input convolved with gradOutput, batch and channels exchanged on both, and
//   stride and dilation in each other's place.
#include <algorithm>

#include "adapters/floats.h"
#include "adapters/forward.h"

namespace gradproof::adapters {
namespace {

constexpr std::int64_t most_elements = std::int64_t{1} << 24;

/// Zeros that the convolution sees before and after the elements of an axis; fewer than none: so
/// many elements are not seen.
struct Margins {
  std::int64_t before = 0, after = 0;
};
using AllMargins = std::array<Margins, 3>;

/// Margins of the larger map that the smaller map's positions see.
Margins margins_of(const Axis& axis) {
  const std::int64_t reach = (axis.small - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
  return {axis.pad, reach - axis.big - axis.pad};
}

std::int64_t spread_length(const Axis& axis) { return (axis.small - 1) * axis.stride + 1; }

/// Margins around the spread smaller map: one result remains for each element of the larger one.
Margins margins_of_spread(const Axis& axis) {
  const std::int64_t reach = (axis.kernel - 1) * axis.dilation;
  const std::int64_t before = reach - axis.pad;
  return {before, axis.big - spread_length(axis) - before + reach};
}

/// The library pads as much as both sides have in common; the rest is put there, or cut off.
std::int64_t common_pad(const Margins& margins) {
  return std::max<std::int64_t>(0, std::min(margins.before, margins.after));
}

struct Shape {
  std::int64_t slices;  ///< batch * channels
  std::array<std::int64_t, 3> lengths;
};

std::int64_t elements_of(const Shape& shape) {
  return shape.slices * shape.lengths[0] * shape.lengths[1] * shape.lengths[2];
}

/// Elements `step` apart on each axis, with margins but for the common pad.
struct Widened {
  Shape shape;
  std::array<std::int64_t, 3> first, step;
};

Widened widened(const Shape& from, const AllMargins& margins,
                const std::array<std::int64_t, 3>& step) {
  Widened wide{from, {}, step};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t pad = common_pad(margins.at(i));
    wide.first.at(i) = margins.at(i).before - pad;
    wide.shape.lengths.at(i) = (from.lengths.at(i) - 1) * step.at(i) + 1 + margins.at(i).before +
                               margins.at(i).after - 2 * pad;
  }
  return wide;
}

Floats filled(const Widened& wide, const Shape& from, const float* values) {
  Floats result(static_cast<std::size_t>(elements_of(wide.shape)));
  const auto place = [&](std::size_t axis, std::int64_t position) {
    const std::int64_t at = wide.first.at(axis) + position * wide.step.at(axis);
    return at >= 0 && at < wide.shape.lengths.at(axis) ? at : -1;
  };
  const auto& [depth, height, width] = wide.shape.lengths;
  for (std::int64_t i = 0, count = elements_of(from); i < count; ++i) {
    const auto& lengths = from.lengths;
    const std::int64_t w = place(2, i % lengths[2]);
    const std::int64_t h = place(1, i / lengths[2] % lengths[1]);
    const std::int64_t d = place(0, i / lengths[2] / lengths[1] % lengths[0]);
    if (w < 0 || h < 0 || d < 0) continue;
    const std::int64_t slice = i / lengths[2] / lengths[1] / lengths[0];
    result[((slice * depth + d) * height + h) * width + w] = values[i];
  }
  return result;
}

/// A forward convolution and how its input is made of a tensor of the call.
struct Plan {
  Forward forward;
  Shape from;
  Widened input;
};

Plan planned(Forward forward, const Shape& from, const AllMargins& margins,
             const std::array<std::int64_t, 3>& step) {
  Plan plan{forward, from, widened(from, margins, step)};
  for (std::size_t i = 0; i < 3; ++i) {
    plan.forward.axes.at(i).in = plan.input.shape.lengths.at(i);
    plan.forward.axes.at(i).pad = common_pad(margins.at(i));
  }
  return plan;
}

Plan forward_plan(const Convolution& c) {
  Forward forward{c.batch, c.groups, c.big_channels, c.small_channels, {}};
  AllMargins margins;
  Shape from{c.batch * c.big_channels, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    const Axis& axis = c.axes.at(i);
    from.lengths.at(i) = axis.big;
    margins.at(i) = margins_of(axis);
    forward.axes.at(i) = {
        .out = axis.small, .kernel = axis.kernel, .stride = axis.stride, .dilation = axis.dilation};
  }
  return planned(forward, from, margins, {1, 1, 1});
}

Plan data_plan(const Convolution& c) {
  Forward forward{c.batch, c.groups, c.small_channels, c.big_channels, {}};
  AllMargins margins;
  Shape from{c.batch * c.small_channels, {}};
  std::array<std::int64_t, 3> step{};
  for (std::size_t i = 0; i < 3; ++i) {
    const Axis& axis = c.axes.at(i);
    from.lengths.at(i) = axis.small;
    step.at(i) = axis.stride;
    margins.at(i) = margins_of_spread(axis);
    forward.axes.at(i) = {.out = axis.big, .kernel = axis.kernel, .dilation = axis.dilation};
  }
  return planned(forward, from, margins, step);
}

/// Plan of one group.
Plan weight_plan(const Convolution& c) {
  const std::int64_t big = c.big_channels / c.groups, small = c.small_channels / c.groups;
  Forward forward{big, 1, c.batch, small, {}};
  AllMargins margins;
  Shape from{big * c.batch, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    const Axis& axis = c.axes.at(i);
    from.lengths.at(i) = axis.big;
    margins.at(i) = margins_of(axis);
    forward.axes.at(i) = {
        .out = axis.kernel, .kernel = axis.small, .stride = axis.dilation, .dilation = axis.stride};
  }
  return planned(forward, from, margins, {1, 1, 1});
}

bool is_possible(const Plan& plan) {
  const auto& lengths = plan.input.shape.lengths;
  return std::ranges::all_of(lengths, [](std::int64_t length) { return length > 0; }) &&
         elements_of(plan.input.shape) <= most_elements && can_forward(plan.forward);
}

void run(const Plan& plan, const float* values, const float* weight, float* out) {
  run_forward(plan.forward, filled(plan.input, plan.from, values).data(), weight, out);
}

/// [first, second, positions] to [second, first, positions].
Floats exchanged(const Floats& values, std::int64_t first, std::int64_t second,
                 std::int64_t positions) {
  Floats result(values.size());
  for (std::int64_t i = 0; i < first; ++i) {
    for (std::int64_t j = 0; j < second; ++j) {
      std::copy_n(values.data() + (i * second + j) * positions, positions,
                  result.data() + (j * first + i) * positions);
    }
  }
  return result;
}

}  // namespace

bool is_supported(aclDataType data_type, const Convolution& c) {
  if (data_type != ACL_FLOAT) return false;
  const bool is_empty = !c.batch || !c.big_channels || !c.small_channels || !big_positions(c) ||
                        !small_positions(c) || !taps(c);
  return is_empty ||
         (is_possible(forward_plan(c)) && is_possible(data_plan(c)) && is_possible(weight_plan(c)));
}

void convolve(aclDataType, const Convolution& c, const Elements& big, const Elements& weight,
              Elements& small) {
  run(forward_plan(c), floats(big), floats(weight), floats(small));
}

void data_gradient(aclDataType, const Convolution& c, const Elements& small, const Elements& weight,
                   Elements& big) {
  const std::int64_t count = taps(c);
  const std::int64_t outs = c.small_channels / c.groups, ins = c.big_channels / c.groups;
  Floats turned;
  turned.reserve(weight.size() / sizeof(float));
  for (std::int64_t group = 0; group < c.groups; ++group) {
    const float* first = floats(weight) + group * outs * ins * count;
    Floats part(first, first + outs * ins * count);
    for (std::int64_t i = 0; i < outs * ins; ++i) {
      std::reverse(part.begin() + i * count, part.begin() + (i + 1) * count);
    }
    std::ranges::copy(exchanged(part, outs, ins, count), std::back_inserter(turned));
  }
  run(data_plan(c), floats(small), turned.data(), floats(big));
}

void weight_gradient(aclDataType, const Convolution& c, const Elements& big, const Elements& small,
                     Elements& weight) {
  const std::int64_t outs = c.small_channels / c.groups, ins = c.big_channels / c.groups;
  const std::int64_t positions = small_positions(c), count = taps(c);
  const Plan plan = weight_plan(c);
  for (std::int64_t group = 0; group < c.groups; ++group) {
    const GroupOfChannels bigs{c.batch, c.groups, group, ins, big_positions(c)};
    const GroupOfChannels smalls{c.batch, c.groups, group, outs, positions};
    const Floats input = exchanged(bigs.taken_from(floats(big)), c.batch, ins, bigs.positions);
    const Floats filter = exchanged(smalls.taken_from(floats(small)), c.batch, outs, positions);
    Floats result(static_cast<std::size_t>(outs * ins * count));
    run(plan, input.data(), filter.data(), result.data());
    std::ranges::copy(exchanged(result, ins, outs, count),
                      floats(weight) + group * outs * ins * count);
  }
}

void channel_sums(aclDataType, std::int64_t batch, std::int64_t channels, std::int64_t positions,
                  const Elements& values, Elements& sums) {
  add_up(batch, channels, positions, floats(values), floats(sums));
}

}  // namespace gradproof::adapters
