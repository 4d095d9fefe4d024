#include "properties/diagnosis/words.h"

#include <fmt/format.h>

#include "oracle/comparison.h"

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

std::string_view axis_name(const Witness& witness, std::size_t axis) {
  constexpr std::string_view names[] = {"d", "h", "w"};
  return witness.is_line && axis == 2 ? "l" : names[axis];
}

}  // namespace gradproof::properties::diagnosis
