#include "properties/findings/picture/finding_picture.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "oracle/gradients/contributions.h"
#include "properties/findings/picture/tensor_box.h"

namespace gradproof::findings {
namespace {

using corpus::Case;
using corpus::InputRole;
using oracle::Decision;
using oracle::Shape;

constexpr std::size_t most_listed = 64;
/// Products are looked at one by one: enough for every case that was made small.
constexpr std::uint64_t most_looked_at = 1'000'000;

/// The first of those wrong elements that are furthest from what is admitted; of equal ones one
/// with products, which show more.
std::optional<std::size_t> worst_element(const Elements& elements) {
  std::optional<std::size_t> worst;
  std::pair<double, bool> largest{-1, false};
  for (std::size_t i = 0; i < elements.decisions.size(); ++i) {
    if (elements.decisions[i] != Decision::Wrong) continue;
    double ratio = elements.judge.ratio(i, elements.computed[i]);
    if (std::isnan(ratio)) ratio = std::numeric_limits<double>::infinity();
    const std::pair one{ratio, elements.judge.terms(i) > 0};
    if (one <= largest) continue;
    worst = i;
    largest = one;
  }
  return worst;
}

char state_of(Decision decision) {
  switch (decision) {
    case Decision::Right:
      return 'r';
    case Decision::Wrong:
      return 'w';
    case Decision::NotCompared:
      return 'n';
  }
  return 'n';
}

std::string exact_words(const Elements& elements, std::size_t index) {
  if (elements.judge.has_special_product(index)) return shortest(elements.judge.expected(index));
  return fmt::format("{}", elements.judge.exact(index));
}

std::string bound_words(const Elements& elements, std::size_t index) {
  const bool is_bounded = elements.decisions[index] != Decision::NotCompared &&
                          !elements.judge.has_special_product(index);
  if (!is_bounded) return {};
  return fmt::format("{:.3g}", elements.judge.allowance(index, elements.computed[index]).reach);
}

void draw_output(Picture& picture, const Elements& elements, const Box& box) {
  picture.computed =
      drawn(picture.output, axes_of(elements.test_case, elements.role), elements.computed, box);
  box.for_each([&](const Shape& at) {
    const std::size_t index = oracle::offset_of(elements.computed.shape(), at);
    picture.exact.push_back(exact_words(elements, index));
    picture.expected.push_back(shortest(elements.judge.expected(index)));
    picture.bound.push_back(bound_words(elements, index));
    picture.states += state_of(elements.decisions[index]);
  });
}

double product_of(const Elements& elements, const Shape& grad_output, const Shape& other) {
  const double one = oracle::to_double(elements.multiplied_grad_output.at(grad_output));
  return elements.has_other() ? one * oracle::to_double(elements.multiplied_other.at(other)) : one;
}

/// Draws the products of the worst element, and the middle of each operand's part in it.
void draw_products(Picture& picture, const Elements& elements, const Shape& worst) {
  const OwnAxes grad_output_axes = axes_of(elements.test_case, InputRole::GradOutput);
  const OwnAxes other_axes = axes_of(elements.test_case, elements.other_role());
  std::uint64_t looked_at = 0;
  std::optional<Shape> in_grad_output, in_other;
  oracle::for_each_contribution(
      elements.geometry, elements.role, worst, [&](const Shape& grad_output, const Shape& other) {
        const double product = product_of(elements, grad_output, other);
        if (product != 0) {
          ++picture.product_count;
          if (!in_grad_output) in_grad_output = grad_output;
          if (!in_other) in_other = other;
          if (picture.products.size() < most_listed) {
            picture.products.push_back(
                {grad_output_axes.of(grad_output),
                 elements.has_other() ? other_axes.of(other) : std::vector<std::int64_t>{},
                 fmt::format("{}", product)});
          }
        }
        return ++looked_at < most_looked_at;
      });
  const auto draw = [&](InputRole role, const auto& numbers, const std::optional<Shape>& centre) {
    picture.operands.push_back(drawn(corpus::name_of(elements.test_case, role),
                                     axes_of(elements.test_case, role), numbers,
                                     box_around(numbers.shape(), centre.value_or(Shape{}))));
  };
  draw(InputRole::GradOutput, elements.grad_output, in_grad_output);
  if (elements.has_other()) draw(elements.other_role(), elements.other, in_other);
}

/// Draws the smallest case; false: there was nothing to draw.
bool draw_smallest(Picture& picture, const Elements& elements) {
  const auto worst = worst_element(elements);
  if (!worst) return false;
  picture.output = corpus::name_of(elements.test_case, elements.role);
  picture.compute_format = oracle::name_of(elements.arithmetic.operands);
  const Shape at = oracle::coordinate_of(elements.computed.shape(), *worst);
  picture.element = axes_of(elements.test_case, elements.role).of(at);
  draw_output(picture, elements, box_around(elements.computed.shape(), at));
  draw_products(picture, elements, at);
  return true;
}

std::int64_t bins_of(std::int64_t length) { return std::min(length, WrongMap::most_bins); }

std::size_t bin_of(std::int64_t position, std::int64_t length) {
  return to_size(position * bins_of(length) / length);
}

WrongMap empty_map(const OwnAxes& axes, const Shape& lifted) {
  WrongMap map{.axes = axes.names, .shape = axes.of(lifted), .counts = {}, .per_axis = {}};
  std::vector<std::size_t> by_length(map.shape.size());
  for (std::size_t i = 0; i < by_length.size(); ++i) by_length[i] = by_length.size() - 1 - i;
  std::ranges::stable_sort(by_length, [&](std::size_t one, std::size_t other) {
    return map.shape[one] > map.shape[other];
  });
  const std::size_t first = by_length.front(), second = by_length.at(by_length.size() > 1 ? 1 : 0);
  map.row_axis = std::min(first, second);
  map.column_axis = std::max(first, second);
  for (const std::int64_t length : map.shape) {
    map.per_axis.emplace_back(to_size(bins_of(length)));
  }
  const std::size_t rows = first == second ? 1 : map.per_axis[map.row_axis].size();
  map.counts.resize(rows * map.per_axis[map.column_axis].size());
  return map;
}

void count_wrong(WrongMap& map, const std::vector<std::int64_t>& at) {
  ++map.wrong;
  const auto bin = [&](std::size_t axis) { return bin_of(at[axis], map.shape[axis]); };
  for (std::size_t axis = 0; axis < at.size(); ++axis) ++map.per_axis[axis][bin(axis)];
  const std::size_t row = map.row_axis == map.column_axis ? 0 : bin(map.row_axis);
  ++map.counts[row * map.per_axis[map.column_axis].size() + bin(map.column_axis)];
}

WrongMap map_of(const Elements& elements) {
  const OwnAxes axes = axes_of(elements.test_case, elements.role);
  WrongMap map = empty_map(axes, elements.computed.shape());
  for (std::size_t i = 0; i < elements.decisions.size(); ++i) {
    if (elements.decisions[i] == Decision::NotCompared) ++map.not_compared;
    if (elements.decisions[i] != Decision::Wrong) continue;
    count_wrong(map, axes.of(oracle::coordinate_of(elements.computed.shape(), i)));
  }
  return map;
}

}  // namespace

std::optional<Picture> picture_of_elements(const Elements& elements) {
  Picture picture;
  if (!draw_smallest(picture, elements)) return std::nullopt;
  picture.map = map_of(elements);
  return picture;
}

std::optional<Picture> picture_of(targets::Target& target, const Case& smallest, const Case& first,
                                  corpus::OutputRole role, const cases::CheckSettings& settings) {
  Picture picture;
  bool has_wrong = false;
  const std::string problem = look_at_elements(
      target, smallest, role, settings,
      [&](const Elements& elements) { has_wrong = draw_smallest(picture, elements); });
  if (!problem.empty() || !has_wrong) return std::nullopt;
  picture.why_no_map =
      look_at_elements(target, first, role, settings,
                       [&](const Elements& elements) { picture.map = map_of(elements); });
  if (picture.map && picture.map->wrong == 0) {
    picture.map.reset();
    picture.why_no_map = "its elements are right under its own data: another law or run showed it";
  }
  return picture;
}

}  // namespace gradproof::findings
