#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/shrink/simpler_steps.h"

namespace gradproof::cases {
namespace {

using corpus::Case;

/// Lengths of a step: all the way to the least value, half of it, a quarter, ..., and one. So few
/// steps lead down to any border, be it a multiple of a block that all channels fill.
enum Reach : unsigned { Least, One = 11, ReachCount };

/// The next smaller value, or nullopt where another reach gives the same one.
std::optional<std::int64_t> lowered(std::int64_t value, std::int64_t least, Reach reach) {
  if (value <= least) return std::nullopt;
  const std::int64_t all = value - least;
  if (reach == One) return all >> (One - 1) > 1 ? std::optional(value - 1) : std::nullopt;
  const std::int64_t part = all >> reach;
  return part > 0 ? std::optional(value - part) : std::nullopt;
}

std::int64_t extent(const SpatialAxis& axis) { return axis.dilation * (axis.kernel - 1) + 1; }

/// One quantity made smaller; `axis` counts only where the row speaks of an axis. False: no such
/// step.
using Edit = bool (*)(Convolution&, std::size_t axis, Reach);

template <std::int64_t Convolution::*member>
bool lower_count(Convolution& convolution, std::size_t axis, Reach reach) {
  const auto value = lowered(convolution.*member, 1, reach);
  if (axis != 0 || !value) return false;
  convolution.*member = *value;
  return true;
}

bool lower_outputs(Convolution& convolution, std::size_t axis, Reach reach) {
  SpatialAxis& changed = convolution.axes[axis];
  const std::int64_t outputs = small_length(changed);
  const auto fewer = lowered(outputs, 1, reach);
  if (!fewer) return false;
  changed.big -= (outputs - *fewer) * changed.stride;
  return changed.big >= 1;
}

bool lower_big(Convolution& convolution, std::size_t axis, Reach reach) {
  SpatialAxis& changed = convolution.axes[axis];
  const auto value = lowered(changed.big, 1, reach);
  if (!value) return false;
  changed.big = *value;
  return true;
}

bool drop_unread(Convolution& convolution, std::size_t axis, Reach reach) {
  SpatialAxis& changed = convolution.axes[axis];
  const std::int64_t unread = std::min(unread_length(changed), changed.big - 1);
  if (reach != Least || unread <= 0) return false;
  changed.big -= unread;
  changed.left_out = 0;
  return true;
}

/// Makes the kernel or its dilation smaller on the same map.
template <std::int64_t SpatialAxis::*member>
bool lower_tap(Convolution& convolution, std::size_t axis, Reach reach) {
  SpatialAxis& changed = convolution.axes[axis];
  const auto value = lowered(changed.*member, 1, reach);
  if (!value) return false;
  changed.*member = *value;
  return true;
}

/// Lowers a tap with the map made smaller by as much, so that the number of outputs stays.
template <std::int64_t SpatialAxis::*member>
bool lower_tap_and_map(Convolution& convolution, std::size_t axis, Reach reach) {
  const std::int64_t before = extent(convolution.axes[axis]);
  if (!lower_tap<member>(convolution, axis, reach)) return false;
  SpatialAxis& changed = convolution.axes[axis];
  const std::int64_t saved = before - extent(changed);
  changed.big -= saved;
  return saved > 0 && changed.big >= 1;
}

bool lower_stride(Convolution& convolution, std::size_t axis, Reach reach) {
  SpatialAxis& changed = convolution.axes[axis];
  const auto value = lowered(changed.stride, 1, reach);
  if (!value) return false;
  const std::int64_t outputs = std::max<std::int64_t>(small_length(changed), 1);
  const std::int64_t most_unread =
      std::max(*value, changed.left_out > 0 ? changed.dilation : 0) - 1;
  const std::int64_t unread = std::min(unread_length(changed), most_unread);
  changed.stride = *value;
  changed.left_out = unread / changed.stride;
  changed.big = (outputs - 1) * changed.stride + extent(changed) + unread - changed.padding_begin -
                changed.padding_end;
  return changed.big >= 1;
}

template <bool begin, bool end>
bool lower_padding(Convolution& convolution, std::size_t axis, Reach reach) {
  const bool sides_may_differ = convolution.axes.size() == 2 || convolution.sides_may_differ;
  if (begin != end && !sides_may_differ) return false;
  SpatialAxis& changed = convolution.axes[axis];
  const std::int64_t old = begin ? changed.padding_begin : changed.padding_end;
  if (old < 0 && reach != Least) return false;
  const auto value = old < 0 ? std::optional(old + 1) : lowered(old, 0, reach);
  if (!value) return false;
  if (begin) changed.padding_begin = *value;
  if (end) changed.padding_end = *value;
  return true;
}

/// Turns padding into map, so that the number of outputs stays.
bool fill_padding(Convolution& convolution, std::size_t axis, Reach reach) {
  SpatialAxis& changed = convolution.axes[axis];
  const std::int64_t padding = changed.padding_begin + changed.padding_end;
  if (reach != Least || padding == 0 || padding > 64 || changed.big + padding < 1) {
    return false;
  }
  changed.padding_begin = changed.padding_end = 0;
  changed.big += padding;
  return true;
}

constexpr Edit edits[] = {
    lower_count<&Convolution::batch>,
    lower_count<&Convolution::groups>,
    lower_count<&Convolution::small_channels_per_group>,
    lower_count<&Convolution::big_channels_per_group>,
    lower_outputs,
    lower_tap_and_map<&SpatialAxis::kernel>,
    lower_tap_and_map<&SpatialAxis::dilation>,
    lower_tap<&SpatialAxis::kernel>,
    lower_tap<&SpatialAxis::dilation>,
    lower_stride,
    drop_unread,
    lower_padding<true, true>,
    lower_padding<true, false>,
    lower_padding<false, true>,
    fill_padding,
    lower_big,
};

constexpr std::size_t most_axes = 3;
constexpr std::size_t edit_count = std::size(edits) * most_axes * ReachCount;

/// An output padding from the stride on needs a dilation beyond it.
bool fits(const Convolution& convolution) {
  return std::ranges::all_of(convolution.axes, [](const SpatialAxis& axis) {
    const bool is_reached = axis.left_out == 0 || unread_length(axis) < axis.dilation;
    return room(axis) >= 0 && is_reached && (axis.left_out == 0 || small_length(axis) >= 1);
  });
}

std::optional<Case> without_axis(const Case& test_case, const Convolution& old, std::size_t axis) {
  if (axis >= old.axes.size() || old.axes.size() < 2) return std::nullopt;
  Convolution next = old;
  next.axes.erase(next.axes.begin() + static_cast<std::ptrdiff_t>(axis));
  for (SpatialAxis& kept : next.axes) {
    if (next.axes.size() != 2) kept.padding_end = kept.padding_begin;  // one value says both
  }
  std::vector<std::size_t> kept_axes;
  for (std::size_t i = 0; i < old.axes.size(); ++i) {
    if (i != axis) kept_axes.push_back(i);
  }
  if (fits(old) && !fits(next)) return std::nullopt;
  return with_convolution(test_case, old, next, kept_axes);
}

/// A transposed convolution is a normal one with gradOutput and input in each other's place.
std::optional<Case> untransposed(const Case& test_case) {
  if (!test_case.transposed || !test_case.grad_output || !test_case.input) return std::nullopt;
  const auto sizes = convolution_of(test_case);
  const auto leaves_out = [](const SpatialAxis& axis) { return axis.left_out > 0; };
  if (sizes && std::ranges::any_of(sizes->axes, leaves_out)) return std::nullopt;
  Case normal = test_case;
  normal.transposed = false;
  std::swap(normal.grad_output, normal.input);
  if (normal.grad_input) normal.grad_input->shape = normal.input->shape;
  if (normal.grad_bias && normal.grad_output->shape.size() > 1) {
    normal.grad_bias->shape = {normal.grad_output->shape[1]};
  }
  if (normal.bias_sizes && normal.grad_bias) normal.bias_sizes = normal.grad_bias->shape;
  if (normal.output_padding) std::ranges::fill(*normal.output_padding, 0);
  if (normal.data) {
    std::swap(normal.data->listed[0], normal.data->listed[1]);
    if (normal.data->fills) std::swap((*normal.data->fills)[0], (*normal.data->fills)[1]);
  }
  return normal;
}

std::size_t count(const Case&) { return 1 + most_axes + edit_count; }

std::optional<Case> make(const Case& test_case, std::size_t index) {
  if (index == most_axes) return untransposed(test_case);
  const auto old = convolution_of(test_case);
  if (!old) return std::nullopt;
  if (index < most_axes) return without_axis(test_case, *old, index);
  index -= most_axes + 1;
  const std::size_t axis = index % most_axes;
  const Edit edit = edits[index / most_axes % std::size(edits)];
  const auto reach = static_cast<Reach>(index / most_axes / std::size(edits));
  if (axis >= old->axes.size()) return std::nullopt;
  Convolution next = *old;
  if (!edit(next, axis, reach) || (fits(*old) && !fits(next))) return std::nullopt;
  std::vector<std::size_t> kept_axes(old->axes.size());
  std::iota(kept_axes.begin(), kept_axes.end(), std::size_t{0});
  return with_convolution(test_case, *old, next, kept_axes);
}

}  // namespace

const SimplerStep simpler_sizes{count, make};

}  // namespace gradproof::cases
