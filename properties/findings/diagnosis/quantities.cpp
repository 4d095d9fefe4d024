#include "properties/findings/diagnosis/quantities.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace gradproof::findings::diagnosis {
namespace {

/// Names along an axis of a call with 1, 2 or 3 of them.
struct AxisWords {
  std::string_view letter, positions;
};

AxisWords axis_words(std::size_t axis, std::size_t axes) {
  if (axes == 1) return {"l", "positions"};
  constexpr std::array<AxisWords, 3> words{{{"d", "planes"}, {"h", "rows"}, {"w", "columns"}}};
  return words.at(3 - axes + axis);
}

/// Length of the larger map at which the dilated kernel has this many positions.
std::int64_t big_of(const cases::SpatialAxis& axis, std::int64_t positions) {
  return (positions - 1) * axis.stride + axis.dilation * (axis.kernel - 1) + 1 -
         axis.padding_begin - axis.padding_end;
}

Quantity count(std::string words, std::int64_t cases::Convolution::*member,
               const cases::Convolution& sizes, std::string_view family) {
  const auto set = [member](cases::Convolution next, std::int64_t value) {
    next.*member = value;
    return next;
  };
  return {std::move(words), sizes.*member, 1, set, family};
}

/// Each position of the larger map is one of the smaller.
bool has_one_length(const cases::SpatialAxis& axis) {
  return axis.kernel == 1 && axis.stride == 1 && cases::small_length(axis) == axis.big;
}

/// Positions of the smaller map; the larger one follows.
Quantity small_extent(const cases::Convolution& sizes, std::size_t axis, std::string_view small) {
  const auto words = axis_words(axis, sizes.axes.size());
  const auto set = [axis](cases::Convolution next, std::int64_t value) {
    next.axes[axis].big = std::max<std::int64_t>(1, big_of(next.axes[axis], value));
    return next;
  };
  const std::string_view maps = has_one_length(sizes.axes[axis]) ? "the maps" : small;
  return {fmt::format("{} of {}", words.positions, maps), cases::small_length(sizes.axes[axis]), 1,
          set, families[0]};
}

Quantity big_extent(const cases::Convolution& sizes, std::size_t axis, std::string_view big) {
  const auto words = axis_words(axis, sizes.axes.size());
  const auto set = [axis](cases::Convolution next, std::int64_t value) {
    next.axes[axis].big = value;
    return next;
  };
  return {fmt::format("{} of {}", words.positions, big),
          sizes.axes[axis].big,
          std::max<std::int64_t>(1, big_of(sizes.axes[axis], 1)),
          set,
          {}};
}

/// Each with as many positions as before.
Quantity attribute(std::string_view name, std::int64_t cases::SpatialAxis::*member,
                   const cases::Convolution& sizes, std::size_t axis, std::string_view family) {
  const auto set = [axis, member](cases::Convolution next, std::int64_t value) {
    cases::SpatialAxis& changed = next.axes[axis];
    const std::int64_t positions = cases::small_length(changed);
    changed.*member = value;
    changed.big = std::max<std::int64_t>(1, big_of(changed, positions));
    return next;
  };
  return {fmt::format("{}_{}", name, axis_words(axis, sizes.axes.size()).letter),
          sizes.axes[axis].*member, 1, set, family};
}

}  // namespace

MapNames map_names(const corpus::Case& test_case, const cases::Convolution& sizes) {
  const bool is_forward = corpus::is_forward(test_case.api);
  const std::string_view of_dy = is_forward ? "input" : "gradOutput",
                         of_x = is_forward ? "output" : "input";
  return sizes.transposed ? MapNames{of_x, of_dy} : MapNames{of_dy, of_x};
}

std::vector<Quantity> quantities_of(const corpus::Case& test_case,
                                    const cases::Convolution& sizes) {
  const auto [small, big] = map_names(test_case, sizes);
  const std::string of_a_group = sizes.groups > 1 ? " of one group" : "";
  std::vector<Quantity> quantities{
      count("batch", &cases::Convolution::batch, sizes, families[0]),
      count("groups", &cases::Convolution::groups, sizes, {}),
      count(fmt::format("channels of {}{}", small, of_a_group),
            &cases::Convolution::small_channels_per_group, sizes, families[1]),
      count(fmt::format("channels of {}{}", big, of_a_group),
            &cases::Convolution::big_channels_per_group, sizes, {})};
  for (std::size_t axis = 0; axis < sizes.axes.size(); ++axis) {
    quantities.push_back(small_extent(sizes, axis, small));
    if (!has_one_length(sizes.axes[axis])) quantities.push_back(big_extent(sizes, axis, big));
    quantities.push_back(
        attribute("kernel", &cases::SpatialAxis::kernel, sizes, axis, families[1]));
    quantities.push_back(attribute("stride", &cases::SpatialAxis::stride, sizes, axis, {}));
    quantities.push_back(attribute("dilation", &cases::SpatialAxis::dilation, sizes, axis, {}));
  }
  return quantities;
}

}  // namespace gradproof::findings::diagnosis
