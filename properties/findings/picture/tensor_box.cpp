#include "properties/findings/picture/tensor_box.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "oracle/numbers/number_format.h"

namespace gradproof::findings {
namespace {

using oracle::Shape;

/// N, C and then the last axes of D, H and W, as many as the rank has.
std::vector<std::size_t> places_of(std::size_t rank) {
  switch (rank) {
    case 1:
      return {1};
    case 3:
      return {0, 1, 4};
    case 4:
      return {0, 1, 3, 4};
    default:
      return {0, 1, 2, 3, 4};
  }
}

OwnAxes named(std::size_t rank, const std::array<const char*, 5>& names, const char* of_a_line) {
  OwnAxes axes{places_of(rank), {}};
  for (const std::size_t place : axes.places) axes.names.emplace_back(names.at(place));
  if (rank == 3) axes.names.back() = of_a_line;
  return axes;
}

std::size_t rank_of(const std::optional<corpus::TensorCase>& tensor) {
  return tensor ? tensor->shape.size() : 5;
}

/// Weighs the length of an axis to be cut: planes of H and W show where a fault lies.
std::int64_t weighted(std::size_t axis, std::int64_t length) {
  constexpr std::int64_t of_a_plane = 4;
  return axis >= 3 || length == 1 ? length : of_a_plane * length;
}

}  // namespace

std::vector<std::int64_t> OwnAxes::of(const Shape& lifted) const {
  std::vector<std::int64_t> own;
  own.reserve(places.size());
  for (const std::size_t place : places) own.push_back(lifted.at(place));
  return own;
}

OwnAxes axes_of_map(std::size_t rank) { return named(rank, {"N", "C", "D", "H", "W"}, "L"); }

OwnAxes axes_of_weight(std::size_t rank) {
  return named(rank, {"axis 0", "axis 1", "KD", "KH", "KW"}, "KL");
}

OwnAxes axes_of(const corpus::Case& test_case, corpus::InputRole role) {
  const std::size_t rank = rank_of(corpus::tensor(test_case, role));
  return role == corpus::InputRole::Weight ? axes_of_weight(rank) : axes_of_map(rank);
}

OwnAxes axes_of(const corpus::Case& test_case, corpus::OutputRole role) {
  const std::size_t rank = rank_of(corpus::tensor(test_case, role));
  return role == corpus::OutputRole::GradWeight ? axes_of_weight(rank) : axes_of_map(rank);
}

bool Box::holds(const Shape& at) const {
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    const std::int64_t offset = at.at(axis) - from.at(axis);
    if (offset < 0 || offset >= size.at(axis)) return false;
  }
  return true;
}

void Box::for_each(const std::function<void(const Shape&)>& look) const {
  const auto elements = static_cast<std::uint64_t>(oracle::element_count(size));
  for (std::uint64_t i = 0; i < elements; ++i) {
    Shape at = oracle::coordinate_of(size, i);
    for (std::size_t axis = 0; axis < at.size(); ++axis) at.at(axis) += from.at(axis);
    look(at);
  }
}

Box box_around(const Shape& shape, const Shape& centre) {
  Box box{{}, shape};
  while (oracle::element_count(box.size) > Box::most_cells) {
    std::size_t longest = 0;
    for (std::size_t axis = 1; axis < shape.size(); ++axis) {
      const bool is_longer =
          weighted(axis, box.size.at(axis)) > weighted(longest, box.size.at(longest));
      if (is_longer) longest = axis;
    }
    // An eighth at a time: an axis may have millions of elements.
    box.size.at(longest) -= (box.size.at(longest) + 7) / 8;
  }
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::int64_t last = shape.at(axis) - box.size.at(axis);
    box.from.at(axis) = std::clamp<std::int64_t>(centre.at(axis) - box.size.at(axis) / 2, 0, last);
  }
  return box;
}

std::string shortest(const oracle::Number& number) {
  return fmt::format("{}", static_cast<float>(oracle::to_double(number)));
}

DrawnTensor drawn(std::string_view name, const OwnAxes& axes,
                  const oracle::Dense<oracle::Number>& numbers, const Box& box) {
  DrawnTensor tensor{std::string(name), axes.names,        axes.of(numbers.shape()),
                     axes.of(box.from), axes.of(box.size), {}};
  box.for_each([&](const Shape& at) { tensor.values.push_back(shortest(numbers.at(at))); });
  return tensor;
}

}  // namespace gradproof::findings
