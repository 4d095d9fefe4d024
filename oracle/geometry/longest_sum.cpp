#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "oracle/geometry/geometry.h"
#include "oracle/geometry/sum_lengths.h"

namespace gradproof::oracle {
namespace {

using corpus::OutputRole;

std::int64_t rounded_up(std::int64_t value, std::int64_t divisor) {
  return value / divisor + (value % divisor == 0 ? 0 : 1);
}

/// Number of i with 0 <= i < count and 0 <= first + i * step < length; step is positive. These are
/// ceil(-first / step) <= i < ceil((length - first) / step), cut to [0, count).
std::int64_t positions_inside(std::int64_t first, std::int64_t step, std::int64_t count,
                              std::int64_t length) {
  const std::int64_t begin = first >= 0 ? 0 : rounded_up(-first, step);
  const std::int64_t end = first >= length ? 0 : rounded_up(length - first, step);
  return std::max<std::int64_t>(std::min(end, count) - begin, 0);
}

/// Calls `look` with the small positions that each tap brings together with one of the big map.
template <typename Look>
void for_each_tap(const Axis& axis, const Look& look) {
  for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
    const std::int64_t first = tap * axis.dilation - axis.padding_begin;
    look(positions_inside(first, axis.stride, axis.small, axis.big));
  }
}

/// Calls `look` with the taps that meet the big map at each small position.
template <typename Look>
void for_each_small_position(const Axis& axis, const Look& look) {
  for (std::int64_t position = 0; position < axis.small; ++position) {
    const std::int64_t first = position * axis.stride - axis.padding_begin;
    look(positions_inside(first, axis.dilation, axis.kernel, axis.big));
  }
}

/// Calls `look` with the taps that meet the small map at each big position that any meets: those in
/// a range whose reach is a multiple of the stride. That is tap * dilation = big + padding_begin
/// (mod stride), a linear congruence: with g = gcd(stride, dilation) it has no solution unless g
/// divides the right side, and else one in every `period` = stride / g taps. So the first of them
/// is found by the remainder.
template <typename Look>
void for_each_big_position(const Axis& axis, const Look& look) {
  const std::int64_t period = axis.stride / std::gcd(axis.stride, axis.dilation);
  std::unordered_map<std::int64_t, std::int64_t> first_tap;  // by tap * dilation mod stride
  for (std::int64_t tap = 0; tap < std::min(period, axis.kernel); ++tap) {
    first_tap.emplace(tap * axis.dilation % axis.stride, tap);
  }
  const std::int64_t reach_end = (axis.small - 1) * axis.stride + 1;
  for (std::int64_t position = 0; position < axis.big; ++position) {
    const std::int64_t reach = position + axis.padding_begin;
    const auto found = first_tap.find(((reach % axis.stride) + axis.stride) % axis.stride);
    if (found == first_tap.end()) continue;
    const std::int64_t count = (axis.kernel - 1 - found->second) / period + 1;
    const std::int64_t step = period * axis.dilation;
    const std::int64_t last = reach - (found->second + (count - 1) * period) * axis.dilation;
    look(positions_inside(last, step, count, reach_end));
  }
}

/// Axes with more positions are not walked; their plain count of taps or positions is taken.
constexpr std::int64_t longest_walk = std::int64_t{1} << 20U;

bool is_walked(const Axis& axis) {
  return std::max({axis.big, axis.small, axis.kernel}) <= longest_walk;
}

/// Calls `look` with the products that each of the gradient's elements along an axis has there.
template <typename Look>
void for_each_element(const Axis& axis, OutputRole role, bool transposed, const Look& look) {
  const bool is_weight = role == OutputRole::GradWeight;
  if (!is_walked(axis)) {
    look(is_weight ? axis.small : axis.kernel);
  } else if (is_weight) {
    for_each_tap(axis, look);
  } else if (transposed) {
    for_each_small_position(axis, look);
  } else {
    for_each_big_position(axis, look);
  }
}

/// Length of a sum apart from its places along the axes: batch entries or channels.
std::int64_t outer_length(const Geometry& geometry, OutputRole role) {
  if (role == OutputRole::GradWeight) return geometry.batch;
  return geometry.transposed ? geometry.big_channels : geometry.small_channels;
}

/// Elements by the number of products that they have.
using Counts = std::map<std::int64_t, double>;

Counts with_axis(const Counts& sums, const Counts& along) {
  Counts result;
  for (const auto& [sum, elements] : sums) {
    for (const auto& [products, positions] : along) result[sum * products] += elements * positions;
  }
  return result;
}

}  // namespace

std::int64_t Geometry::longest_sum(OutputRole role) const {
  if (role == OutputRole::GradBias) return longest_reduction(role);
  std::int64_t sum = outer_length(*this, role);
  for (const Axis& axis : axes) {
    std::int64_t most = 0;
    for_each_element(axis, role, transposed,
                     [&](std::int64_t products) { most = std::max(most, products); });
    sum *= most;
  }
  return sum;
}

std::vector<SumLength> sum_lengths(const Geometry& geometry, OutputRole role) {
  if (role == OutputRole::GradBias) return {{geometry.longest_reduction(role), 1}};
  Counts sums{{outer_length(geometry, role), 1}};
  for (const Axis& axis : geometry.axes) {
    Counts along;
    for_each_element(axis, role, geometry.transposed, [&](std::int64_t products) {
      if (products > 0) along[products] += 1;
    });
    sums = with_axis(sums, along);
  }
  std::vector<SumLength> lengths;
  for (auto sum = sums.rbegin(); sum != sums.rend(); ++sum) {
    const bool is_near = !lengths.empty() && sum->first > lengths.back().addends / 8 * 7;
    if (!is_near) lengths.push_back({sum->first, 0});
    lengths.back().elements += sum->second;
  }
  return lengths;
}

}  // namespace gradproof::oracle
