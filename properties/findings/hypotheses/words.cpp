#include "properties/findings/hypotheses/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <vector>

#include "oracle/facts/axis_order.h"
#include "oracle/judge/comparison.h"

namespace gradproof::findings::diagnosis {

namespace {

/// The coordinate in the tensor's own order of the element that has this place in N C D H W.
std::vector<std::int64_t> own_coordinate(const corpus::Case& test_case,
                                         const corpus::TensorCase& tensor, std::size_t index) {
  const auto order = oracle::own_order(test_case, tensor);
  if (!order) return oracle::coordinate(index, tensor.shape);
  const oracle::Shape logical = oracle::in_logical_order(oracle::five_axes(tensor.shape), *order);
  const oracle::Shape at = oracle::in_tensor_order(oracle::coordinate_of(logical, index), *order);
  return {at.begin(), at.begin() + static_cast<std::ptrdiff_t>(tensor.shape.size())};
}

template <typename Role>
std::string words_of_element(const Witness& witness, Role role, std::size_t index) {
  return fmt::format("{}{}", corpus::name_of(role),
                     oracle::words(own_coordinate(
                         witness.test_case, *corpus::tensor(witness.test_case, role), index)));
}

}  // namespace

std::string element_words(const Witness& witness, corpus::InputRole role, std::size_t index) {
  return words_of_element(witness, role, index);
}

std::string element_words(const Witness& witness, corpus::OutputRole role, std::size_t index) {
  return words_of_element(witness, role, index);
}

std::string_view position_name(const Witness& example, bool is_weight, std::size_t axis) {
  constexpr std::array map{"batch item", "channel", "plane", "row", "column"};
  constexpr std::array kernel{"kernel", "input channel", "tap along d", "tap along h",
                              "tap along w"};
  const bool is_line = axis == 4 && axis_name(example, 2) == "l";
  if (is_line) return is_weight ? "tap along l" : "position";
  return (is_weight ? kernel : map)[axis];
}

std::string place_words(const Witness& witness, corpus::InputRole role, std::size_t index) {
  const Numbers& numbers =
      role == corpus::InputRole::GradOutput ? witness.grad_output : witness.other;
  const oracle::Shape at = oracle::coordinate_of(numbers.shape(), index);
  std::vector<std::string> places;
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    const std::int64_t length = numbers.shape()[axis];
    const auto name = position_name(witness, role == corpus::InputRole::Weight, axis);
    if (length < 2) continue;
    if (at[axis] == 0) places.push_back(fmt::format("the first {} of {}", name, length));
    if (at[axis] == length - 1) places.push_back(fmt::format("the last {} of {}", name, length));
    if (at[axis] > 0 && at[axis] < length - 1) {
      places.push_back(fmt::format("{} {} of {}", name, at[axis] + 1, length));
    }
  }
  return fmt::format("{}", fmt::join(places, ", "));
}

std::string_view axis_name(const Witness& witness, std::size_t axis) {
  constexpr std::string_view names[] = {"d", "h", "w"};
  return witness.is_line && axis == 2 ? "l" : names[axis];
}

}  // namespace gradproof::findings::diagnosis
