#include "oracle/gradients/product_order.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "oracle/gradients/contributions.h"

namespace gradproof::oracle {
namespace {

using corpus::OrderAxis;
using corpus::OutputRole;

constexpr std::array<std::string_view, 4> taps{"k", "kd", "kh", "kw"};
constexpr std::array<std::string_view, 4> positions{"n", "od", "oh", "ow"};

/// The axes of the sum: dx is summed over output channels and taps, dw and db over the batch and
/// the positions of gradOutput.
const std::array<std::string_view, 4>& axes_of(OutputRole role) {
  return role == OutputRole::GradInput ? taps : positions;
}

std::int64_t channels_of_grad_output(const Geometry& geometry) {
  return geometry.transposed ? geometry.big_channels : geometry.small_channels;
}

std::array<std::int64_t, 4> lengths_of(const Geometry& geometry, OutputRole role) {
  const Shape map = geometry.shape(corpus::InputRole::GradOutput);
  if (role != OutputRole::GradInput) return {map[0], map[2], map[3], map[4]};
  const Shape weight = geometry.weight_shape();
  return {channels_of_grad_output(geometry), weight[2], weight[3], weight[4]};
}

/// Turn of a loop at which it has a coordinate: smaller is earlier.
std::int64_t turn(const OrderAxis& loop, std::int64_t coordinate) {
  std::int64_t turn = coordinate;
  if (loop.part == OrderAxis::Part::Block) turn = coordinate / loop.size;
  if (loop.part == OrderAxis::Part::Within) turn = coordinate % loop.size;
  return loop.descending ? -turn : turn;
}

/// The inverse of ProductOrder::number_of: mixed-radix digits, the last axis the fastest.
std::array<std::int64_t, 4> coordinates_of(std::int64_t number,
                                           const std::array<std::int64_t, 4>& lengths) {
  std::array<std::int64_t, 4> coordinates{};
  for (std::size_t axis = lengths.size(); axis-- > 0;) {
    coordinates.at(axis) = number % lengths.at(axis);
    number /= lengths.at(axis);
  }
  return coordinates;
}

/// The position along one axis at which most products meet: of the larger map, the smaller one or
/// the kernel. Looks no further once one has all that there can be.
std::int64_t fullest(std::int64_t candidates, std::int64_t partners, auto meets) {
  std::int64_t best = 0, most = -1;
  for (std::int64_t here = 0; here < candidates && most < partners; ++here) {
    std::int64_t count = 0;
    for (std::int64_t there = 0; there < partners; ++there) count += meets(here, there) ? 1 : 0;
    if (count > most) std::tie(best, most) = std::pair(here, count);
  }
  return best;
}

}  // namespace

ProductOrder::ProductOrder(const Geometry& geometry, OutputRole role,
                           const corpus::LeafOrder& order)
    : geometry_(geometry),
      role_(role),
      counts_absent_(order.counts_absent),
      lengths_(lengths_of(geometry, role)) {
  is_possible_ = count() <= most_products;
  const bool is_natural = role != OutputRole::GradWeight || !geometry.transposed;
  if (!is_possible_ || (order.loops.empty() && is_natural)) return;
  set_places(order.loops);
}

/// Sets the places of all products that padding might leave out: sorted by the loops from the
/// outermost to the innermost. Stable, so that axes without a loop keep their natural order.
void ProductOrder::set_places(const std::vector<OrderAxis>& loops) {
  std::vector<std::pair<std::size_t, OrderAxis>> sorted_by;
  for (const OrderAxis& loop : loops) {
    const auto& names = axes_of(role_);
    const auto* found = std::ranges::find(names, loop.axis);
    if (found != names.end()) sorted_by.emplace_back(found - names.begin(), loop);
  }
  std::vector<std::uint32_t> numbers(static_cast<std::size_t>(count()));
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::ranges::stable_sort(numbers, [&](std::uint32_t one, std::uint32_t two) {
    const auto first = coordinates_of(one, lengths_), second = coordinates_of(two, lengths_);
    for (const auto& [axis, loop] : sorted_by) {
      const auto a = turn(loop, first.at(axis)), b = turn(loop, second.at(axis));
      if (a != b) return a < b;
    }
    return false;
  });
  places_.resize(numbers.size());
  for (std::size_t place = 0; place < numbers.size(); ++place) {
    places_[numbers[place]] = static_cast<std::uint32_t>(place);
  }
}

std::int64_t ProductOrder::count() const {
  std::int64_t count = 1;
  for (const std::int64_t length : lengths_) {
    if (length != 0 && count > most_products / length) return most_products + 1;
    count *= length;
  }
  return count;
}

/// Row-major over the axes of the sum, so that 0 is the first product of the natural order.
std::int64_t ProductOrder::number_of(const Factors& factors) const {
  const Shape& map = factors.grad_output;
  std::array<std::int64_t, 4> at{map[0], map[2], map[3], map[4]};
  if (role_ == OutputRole::GradInput) {
    at = {map[1] % channels_of_grad_output(geometry_), factors.other[2], factors.other[3],
          factors.other[4]};
  }
  return ((at[0] * lengths_[1] + at[1]) * lengths_[2] + at[2]) * lengths_[3] + at[3];
}

std::vector<std::optional<Factors>> ProductOrder::products_of(const Shape& at) const {
  std::vector<std::pair<std::int64_t, Factors>> found;
  for_each_contribution(geometry_, role_, at, [&](const Shape& grad_output, const Shape& other) {
    const Factors factors{grad_output, other};
    const std::int64_t number = number_of(factors);
    found.emplace_back(places_.empty() ? number : places_[static_cast<std::size_t>(number)],
                       factors);
    return true;
  });
  const auto place = [](const auto& each) { return each.first; };
  if (!std::ranges::is_sorted(found, {}, place)) std::ranges::sort(found, {}, place);
  std::vector<std::optional<Factors>> products;
  if (counts_absent_) {
    products.resize(static_cast<std::size_t>(count()));
    for (const auto& [number, factors] : found) {
      products[static_cast<std::size_t>(number)] = factors;
    }
    return products;
  }
  products.reserve(found.size());
  for (const auto& each : found) products.emplace_back(each.second);
  return products;
}

std::vector<std::int64_t> ProductOrder::numbers_of(const Shape& at) const {
  std::vector<std::int64_t> numbers;
  for_each_contribution(geometry_, role_, at, [&](const Shape& grad_output, const Shape& other) {
    numbers.push_back(number_of({grad_output, other}));
    return true;
  });
  std::ranges::sort(numbers);
  return numbers;
}

std::optional<std::string> foreign_axis(OutputRole role, const corpus::LeafOrder& order) {
  const auto& names = axes_of(role);
  for (const OrderAxis& loop : order.loops) {
    if (std::ranges::find(names, loop.axis) != names.end()) continue;
    return fmt::format("order: {} has no axis \"{}\"; it has {}", corpus::name_of(role), loop.axis,
                       fmt::join(names, ", "));
  }
  return std::nullopt;
}

/// Axes are independent: the number of products is a product of one factor for each axis, so that
/// the fullest place along each of them has the most.
Shape longest_element(const Geometry& geometry, OutputRole role) {
  Shape at{};
  if (role == OutputRole::GradBias) return at;
  for (std::size_t i = 0; i < geometry.axes.size(); ++i) {
    const Axis& axis = geometry.axes.at(i);
    if (role == OutputRole::GradWeight) {
      at.at(i + 2) = fullest(axis.kernel, axis.small, [&](std::int64_t tap, std::int64_t small) {
        return axis.big_at(small, tap).has_value();
      });
    } else if (geometry.transposed) {
      at.at(i + 2) = fullest(axis.small, axis.kernel, [&](std::int64_t small, std::int64_t tap) {
        return axis.big_at(small, tap).has_value();
      });
    } else {
      at.at(i + 2) = fullest(axis.big, axis.kernel, [&](std::int64_t big, std::int64_t tap) {
        return axis.small_at(big, tap).has_value();
      });
    }
  }
  return at;
}

}  // namespace gradproof::oracle
