#include "oracle/gradients/contributions.h"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace gradproof::oracle {
namespace {

using corpus::OutputRole;
using Look = std::function<bool(const Shape&, const Shape&)>;
using Position = std::array<std::int64_t, 3>;

Shape with_position(std::int64_t first, std::int64_t second, const Position& position) {
  return {first, second, position[0], position[1], position[2]};
}

Position position_of(const Shape& at) { return {at[2], at[3], at[4]}; }

/// Visits all positions below `end`, row-major, until `look` returns false; true if none did.
bool all_below(const Position& end, const std::function<bool(const Position&)>& look) {
  for (std::int64_t d = 0; d < end[0]; ++d) {
    for (std::int64_t h = 0; h < end[1]; ++h) {
      for (std::int64_t w = 0; w < end[2]; ++w) {
        if (!look({d, h, w})) return false;
      }
    }
  }
  return true;
}

/// Axis::big_at or Axis::small_at: the relation of an axis solved for either map.
using Relation = std::optional<std::int64_t> (Axis::*)(std::int64_t, std::int64_t) const;

/// The position that the axes' relation leads to from `here` by the tap.
std::optional<Position> related(const Geometry& geometry, Relation relation, const Position& here,
                                const Position& tap) {
  Position there{};
  for (std::size_t axis = 0; axis < there.size(); ++axis) {
    const auto found = (geometry.axes.at(axis).*relation)(here.at(axis), tap.at(axis));
    if (!found) return std::nullopt;
    there.at(axis) = *found;
  }
  return there;
}

Position kernel_of(const Geometry& geometry) { return position_of(geometry.weight_shape()); }

/// Visits the products of a big map's element: every small channel of its group, every tap.
void of_big_map(const Geometry& geometry, const Shape& at, const Look& look) {
  const std::int64_t group = at[1] / geometry.big_channels, channel = at[1] % geometry.big_channels;
  for (std::int64_t i = 0; i < geometry.small_channels; ++i) {
    const std::int64_t small_channel = group * geometry.small_channels + i;
    const bool goes_on = all_below(kernel_of(geometry), [&](const Position& tap) {
      const auto small = related(geometry, &Axis::small_at, position_of(at), tap);
      return !small || look(with_position(at[0], small_channel, *small),
                            with_position(small_channel, channel, tap));
    });
    if (!goes_on) return;
  }
}

/// Visits the products of a small map's element: every big channel of its group, every tap.
void of_small_map(const Geometry& geometry, const Shape& at, const Look& look) {
  const std::int64_t group = at[1] / geometry.small_channels;
  for (std::int64_t i = 0; i < geometry.big_channels; ++i) {
    const std::int64_t big_channel = group * geometry.big_channels + i;
    const bool goes_on = all_below(kernel_of(geometry), [&](const Position& tap) {
      const auto big = related(geometry, &Axis::big_at, position_of(at), tap);
      return !big || look(with_position(at[0], big_channel, *big), with_position(at[1], i, tap));
    });
    if (!goes_on) return;
  }
}

/// Visits a weight element's products: the small map's positions whose tap lies in the big one.
void of_weight(const Geometry& geometry, const Shape& at, const Look& look) {
  const std::int64_t group = at[0] / geometry.small_channels;
  const std::int64_t big_channel = group * geometry.big_channels + at[1];
  for (std::int64_t n = 0; n < geometry.batch; ++n) {
    const bool goes_on = all_below(position_of(geometry.small_shape()), [&](const Position& small) {
      const auto big = related(geometry, &Axis::big_at, small, position_of(at));
      if (!big) return true;
      const Shape in_small = with_position(n, at[0], small);
      const Shape in_big = with_position(n, big_channel, *big);
      return geometry.transposed ? look(in_big, in_small) : look(in_small, in_big);
    });
    if (!goes_on) return;
  }
}

/// Visits the products of an element of the bias: every position of its channel, times 1.
void of_bias(const Geometry& geometry, const Shape& at, const Look& look) {
  const Shape map = geometry.shape(corpus::InputRole::GradOutput);
  for (std::int64_t n = 0; n < map[0]; ++n) {
    const bool goes_on = all_below(position_of(map), [&](const Position& position) {
      return look(with_position(n, at[1], position), Shape{});
    });
    if (!goes_on) return;
  }
}

}  // namespace

void for_each_contribution(const Geometry& geometry, OutputRole role, const Shape& at,
                           const Look& look) {
  switch (role) {
    case OutputRole::GradInput:
      return geometry.transposed ? of_small_map(geometry, at, look)
                                 : of_big_map(geometry, at, look);
    case OutputRole::GradWeight:
      return of_weight(geometry, at, look);
    case OutputRole::GradBias:
      return of_bias(geometry, at, look);
  }
}

}  // namespace gradproof::oracle
