#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "oracle/geometry/geometry.h"

namespace gradproof::oracle {
namespace {

using corpus::OutputRole;

std::int64_t rounded_up(std::int64_t value, std::int64_t divisor) {
  return value / divisor + (value % divisor == 0 ? 0 : 1);
}

/// How many i with 0 <= i < count have 0 <= first + i * step < length; step is positive.
/// These are ceil(-first / step) <= i < ceil((length - first) / step), cut to [0, count).
std::int64_t positions_inside(std::int64_t first, std::int64_t step, std::int64_t count,
                              std::int64_t length) {
  const std::int64_t begin = first >= 0 ? 0 : rounded_up(-first, step);
  const std::int64_t end = first >= length ? 0 : rounded_up(length - first, step);
  return std::max<std::int64_t>(std::min(end, count) - begin, 0);
}

/// Small positions that one tap brings together with a position of the big map.
std::int64_t most_pairs_of_a_tap(const Axis& axis) {
  std::int64_t most = 0;
  for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
    const std::int64_t first = tap * axis.dilation - axis.padding_begin;
    most = std::max(most, positions_inside(first, axis.stride, axis.small, axis.big));
  }
  return most;
}

/// Taps that meet the big map at one small position.
std::int64_t most_taps_of_a_small_position(const Axis& axis) {
  std::int64_t most = 0;
  for (std::int64_t position = 0; position < axis.small; ++position) {
    const std::int64_t first = position * axis.stride - axis.padding_begin;
    most = std::max(most, positions_inside(first, axis.dilation, axis.kernel, axis.big));
  }
  return most;
}

/// Taps that meet the small map at one big position: those in a range whose reach is a multiple of
/// the stride. That is tap * dilation = big + padding_begin (mod stride), a linear congruence: with
/// g = gcd(stride, dilation) it has no solution unless g divides the right side, and else one in
/// every `period` = stride / g taps. So the first of them is found by the remainder.
std::int64_t most_taps_of_a_big_position(const Axis& axis) {
  const std::int64_t period = axis.stride / std::gcd(axis.stride, axis.dilation);
  std::unordered_map<std::int64_t, std::int64_t> first_tap;  // by tap * dilation mod stride
  for (std::int64_t tap = 0; tap < std::min(period, axis.kernel); ++tap) {
    first_tap.emplace(tap * axis.dilation % axis.stride, tap);
  }
  const std::int64_t reach_end = (axis.small - 1) * axis.stride + 1;
  std::int64_t most = 0;
  for (std::int64_t position = 0; position < axis.big; ++position) {
    const std::int64_t reach = position + axis.padding_begin;
    const auto found = first_tap.find(((reach % axis.stride) + axis.stride) % axis.stride);
    if (found == first_tap.end()) continue;
    const std::int64_t count = (axis.kernel - 1 - found->second) / period + 1;
    const std::int64_t step = period * axis.dilation;
    const std::int64_t last = reach - (found->second + (count - 1) * period) * axis.dilation;
    most = std::max(most, positions_inside(last, step, count, reach_end));
  }
  return most;
}

/// Axes with more positions are not walked; their plain count of taps or positions is taken.
constexpr std::int64_t longest_walk = std::int64_t{1} << 20U;

bool is_walked(const Axis& axis) {
  return std::max({axis.big, axis.small, axis.kernel}) <= longest_walk;
}

}  // namespace

std::int64_t Geometry::longest_sum(OutputRole role) const {
  if (role == OutputRole::GradBias) return longest_reduction(role);
  const bool is_weight = role == OutputRole::GradWeight;
  const auto most = is_weight    ? most_pairs_of_a_tap
                    : transposed ? most_taps_of_a_small_position
                                 : most_taps_of_a_big_position;
  std::int64_t sum = is_weight ? batch : transposed ? big_channels : small_channels;
  for (const Axis& axis : axes) {
    const std::int64_t plain = is_weight ? axis.small : axis.kernel;
    sum *= is_walked(axis) ? most(axis) : plain;
  }
  return sum;
}

}  // namespace gradproof::oracle
