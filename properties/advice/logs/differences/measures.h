#pragma once

#include <string_view>
#include <vector>

#include "properties/advice/logs/pattern.h"

namespace gradproof::advice {

/// How numbers are compared, "largest absolute difference", and what the numbers of a phrase are: v
/// value, l limit, r reference, - none.
struct MeasureRow {
  std::string_view measure, parts;
};

/// The words in which programs say that numbers differ.
struct Measures {
  Patterns patterns;
  std::vector<MeasureRow> rows;  ///< of each pattern
};

const Measures& measures();

}  // namespace gradproof::advice
