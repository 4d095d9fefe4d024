#include "properties/runs/prove/scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "corpus/format.h"

namespace gradproof::runs {
namespace {

using Lengths = std::vector<std::int64_t>;

std::uint64_t geometries_of(const ScopePart& part) {
  std::uint64_t count = part.channels.size();
  for (const auto& choices : part.axes) count *= choices.size();
  return count;
}

std::uint64_t calls_of(const ScopePart& part) { return geometries_of(part) * part.masks.size(); }

/// Every way to choose sizes of one axis.
std::vector<AxisSizes> axis_choices(const ScopeRanges& ranges, bool transposed) {
  std::vector<AxisSizes> choices;
  const auto add_with_output = [&](AxisSizes axis) {
    const std::int64_t reach = axis.dilation * (axis.kernel - 1);
    if (!transposed) {
      const std::int64_t room = axis.input + 2 * axis.padding - reach - 1;
      axis.output = room < 0 ? 0 : room / axis.stride + 1;
    } else {
      axis.output =
          (axis.input - 1) * axis.stride - 2 * axis.padding + reach + axis.output_padding + 1;
    }
    if (axis.output >= 1) choices.push_back(axis);
  };
  for (const auto input : ranges.extents) {
    for (const auto kernel : ranges.kernels) {
      for (const auto stride : ranges.strides) {
        for (const auto padding : ranges.paddings) {
          for (const auto dilation : ranges.dilations) {
            const std::int64_t most = transposed ? stride : 1;  // OPAD-02
            for (std::int64_t more = 0; more < most; ++more) {
              add_with_output({input, kernel, stride, padding, dilation, more});
            }
          }
        }
      }
    }
  }
  return choices;
}

std::vector<ChannelSizes> channel_choices(const ScopeRanges& ranges) {
  std::vector<ChannelSizes> choices;
  for (const auto batch : ranges.batch) {
    for (const auto groups : ranges.groups) {
      for (const auto input : ranges.channels) {
        for (const auto output : ranges.channels) {
          if (input % groups != 0 || output % groups != 0) continue;
          choices.push_back({batch, groups, input, output});
        }
      }
    }
  }
  return choices;
}

std::string words_of(const ScopeRanges& ranges) {
  const auto list = [](const Lengths& values) { return fmt::format("{}", fmt::join(values, " ")); };
  std::vector<std::string> kinds;
  for (const bool transposed : ranges.transposed) {
    kinds.emplace_back(transposed ? "transposed" : "ordinary");
  }
  return fmt::format(
      "spatial axes {}; {}; input {}, kernel {}, stride {}, padding {}, dilation {} along each; "
      "batch {}, channels {}, groups {}; {}",
      list(ranges.axes), fmt::join(kinds, " and "), list(ranges.extents), list(ranges.kernels),
      list(ranges.strides), list(ranges.paddings), list(ranges.dilations), list(ranges.batch),
      list(ranges.channels), list(ranges.groups),
      ranges.all_masks ? "all seven masks" : "the mask that asks for all");
}

corpus::TensorCase plain_tensor(Lengths shape, corpus::DataType dtype) {
  corpus::TensorCase tensor;
  tensor.format = corpus::plain_format(shape.size());
  tensor.shape = std::move(shape);
  tensor.dtype = dtype;
  return tensor;
}

Lengths with_axes(std::int64_t first, std::int64_t second, const std::vector<AxisSizes>& axes,
                  std::int64_t AxisSizes::*member) {
  Lengths shape{first, second};
  for (const AxisSizes& axis : axes) shape.push_back(axis.*member);
  return shape;
}

Lengths each_axis(const std::vector<AxisSizes>& axes, std::int64_t AxisSizes::*member) {
  Lengths values;
  for (const AxisSizes& axis : axes) values.push_back(axis.*member);
  return values;
}

Lengths paddings_of(const std::vector<AxisSizes>& axes) {
  const bool is_even = std::ranges::all_of(axes, [](auto& axis) { return axis.more_at_end == 0; });
  if (is_even) return each_axis(axes, &AxisSizes::padding);
  Lengths values;
  for (const AxisSizes& axis : axes) {
    values.insert(values.end(), {axis.padding, axis.padding + axis.more_at_end});
  }
  return values;
}

}  // namespace

std::vector<std::vector<bool>> all_masks() {
  std::vector<std::vector<bool>> masks{{true, true, true}};
  for (unsigned bits = 1; bits < 7; ++bits) {
    masks.push_back({(bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0});
  }
  return masks;
}

std::string words_of(const ProofMode& mode) {
  return fmt::format("{}:{} on {}", corpus::name_of(mode.dtype), mode.cube_math_type,
                     corpus::name_of(mode.product));
}

corpus::Case case_of(const CallSizes& sizes, const ProofMode& mode, std::string id) {
  const auto& [batch, groups, input, output] = sizes.channels;
  const bool transposed = sizes.transposed;
  const Lengths map = with_axes(batch, input, sizes.axes, &AxisSizes::input);
  const Lengths weight =
      with_axes(transposed ? input : output, (transposed ? output : input) / groups, sizes.axes,
                &AxisSizes::kernel);
  corpus::Case test_case;
  test_case.id = std::move(id);
  test_case.source = "scope";
  test_case.soc = std::string(corpus::name_of(mode.product));
  test_case.grad_output =
      plain_tensor(with_axes(batch, output, sizes.axes, &AxisSizes::output), mode.dtype);
  test_case.input = test_case.grad_input = plain_tensor(map, mode.dtype);
  test_case.weight = test_case.grad_weight = plain_tensor(weight, mode.dtype);
  if (corpus::is_8_bit_float(mode.dtype)) test_case.grad_weight->dtype = corpus::DataType::Float;
  test_case.grad_bias = plain_tensor({output}, mode.dtype);
  test_case.grad_bias->format = corpus::Format::Nd;
  test_case.bias_sizes = Lengths{output};
  test_case.stride = each_axis(sizes.axes, &AxisSizes::stride);
  test_case.padding = paddings_of(sizes.axes);
  test_case.dilation = each_axis(sizes.axes, &AxisSizes::dilation);
  test_case.output_padding = each_axis(sizes.axes, &AxisSizes::output_padding);
  test_case.transposed = transposed;
  test_case.groups = static_cast<std::int32_t>(groups);
  test_case.output_mask = sizes.mask;
  test_case.cube_math_type = mode.cube_math_type;
  return test_case;
}

tl::expected<Scope, std::string> Scope::of(const ScopeRanges& ranges) {
  const auto tries = static_cast<double>(ranges.extents.size() * ranges.kernels.size()) *
                     static_cast<double>(ranges.strides.size() * ranges.paddings.size()) *
                     static_cast<double>(ranges.dilations.size());
  constexpr double most_tries = 1e5;
  if (tries > most_tries) {
    return tl::unexpected(
        fmt::format("{:.1e} ways to choose the sizes of an axis; the most are "
                    "{:.0e}",
                    tries, most_tries));
  }
  std::vector<ScopePart> parts;
  const auto channels = channel_choices(ranges);
  double calls = 0;
  for (const std::int64_t axes : ranges.axes) {
    for (const bool transposed : ranges.transposed) {
      const auto choices = axis_choices(ranges, transposed);
      ScopePart part{transposed, {}, channels, all_masks()};
      if (!ranges.all_masks) part.masks.resize(1);
      part.axes.assign(to_size(axes), choices);
      double here = static_cast<double>(channels.size() * part.masks.size());
      for (std::int64_t i = 0; i < axes; ++i) here *= static_cast<double>(choices.size());
      calls += here;
      if (here > 0) parts.push_back(std::move(part));
    }
  }
  if (calls == 0) {
    return tl::unexpected(
        std::string("no call is legal: no kernel fits, or no number of channels is a multiple of a "
                    "number of groups"));
  }
  constexpr double most = 1e15;
  if (calls > most) {
    return tl::unexpected(fmt::format("{:.1e} calls; the most are {:.0e}", calls, most));
  }
  Scope scope(ranges.name, words_of(ranges), std::move(parts));
  scope.ranges_ = ranges;
  return scope;
}

Scope::Scope(std::string name, std::string words, std::vector<ScopePart> parts)
    : name_(std::move(name)), words_(std::move(words)), parts_(std::move(parts)) {
  std::uint64_t end = 0;
  for (const ScopePart& part : parts_) ends_.push_back(end += calls_of(part));
}

std::uint64_t Scope::geometries() const {
  std::uint64_t count = 0;
  for (const ScopePart& part : parts_) count += geometries_of(part);
  return count;
}

CallSizes Scope::call(std::uint64_t number) const {
  const auto end = std::ranges::upper_bound(ends_, number);
  const ScopePart& part = parts_.at(to_size(end - ends_.begin()));
  std::uint64_t rest = number - (*end - calls_of(part));
  const auto taken = [&](const auto& choices) -> const auto& {
    const auto& choice = choices.at(to_size(rest % choices.size()));
    rest /= choices.size();
    return choice;
  };
  CallSizes sizes;
  sizes.mask = taken(part.masks);
  sizes.transposed = part.transposed;
  sizes.channels = taken(part.channels);
  for (const auto& choices : part.axes) sizes.axes.push_back(taken(choices));
  return sizes;
}

}  // namespace gradproof::runs
