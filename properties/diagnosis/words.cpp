#include "properties/diagnosis/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

#include "oracle/judge/comparison.h"

namespace gradproof::properties::diagnosis {

std::string element_words(const Witness& witness, corpus::InputRole role, std::size_t index) {
  const auto& shape = corpus::tensor(witness.problem, role)->shape;
  return fmt::format("{}{}", corpus::name_of(role),
                     oracle::words(oracle::coordinate(index, shape)));
}

std::string element_words(const Witness& witness, corpus::OutputRole role, std::size_t index) {
  const auto& shape = corpus::tensor(witness.problem, role)->shape;
  return fmt::format("{}{}", corpus::name_of(role),
                     oracle::words(oracle::coordinate(index, shape)));
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

}  // namespace gradproof::properties::diagnosis
