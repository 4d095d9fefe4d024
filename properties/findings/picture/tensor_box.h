#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "oracle/numbers/dense.h"
#include "oracle/numbers/number.h"
#include "properties/findings/picture/picture.h"

namespace gradproof::findings {

/// Axes of the lifted N C D H W that a tensor of the call has, and their names.
struct OwnAxes {
  std::vector<std::size_t> places;  ///< in N C D H W
  std::vector<std::string> names;

  /// A lifted shape or coordinate without the axes that the tensor lacks.
  std::vector<std::int64_t> of(const oracle::Shape& lifted) const;
};

OwnAxes axes_of_map(std::size_t rank);
OwnAxes axes_of_weight(std::size_t rank);
OwnAxes axes_of(const corpus::Case& test_case, corpus::InputRole role);
OwnAxes axes_of(const corpus::Case& test_case, corpus::OutputRole role);

/// A part of a lifted tensor that can be drawn: at most `most_cells` elements.
struct Box {
  static constexpr std::int64_t most_cells = 288;
  oracle::Shape from{}, size{};

  bool holds(const oracle::Shape& at) const;
  void for_each(const std::function<void(const oracle::Shape&)>& look) const;
};

/// The whole tensor where it is small enough, else what lies around `centre`: planes are kept
/// longer than batches and channels.
Box box_around(const oracle::Shape& shape, const oracle::Shape& centre);

/// The elements of the box in words.
DrawnTensor drawn(std::string_view name, const OwnAxes& axes,
                  const oracle::Dense<oracle::Number>& numbers, const Box& box);

/// The shortest decimal that is this number of FLOAT or of a shorter format; "nan", "-inf".
std::string shortest(const oracle::Number& number);

}  // namespace gradproof::findings
