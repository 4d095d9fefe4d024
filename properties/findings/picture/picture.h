#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gradproof::findings {

/// A part of a tensor, as text that gives each number back exactly. Coordinates are those of N C D
/// H W without the axes that the call's tensors lack; weights have "axis 0", "axis 1" and the
/// kernel's axes.
struct DrawnTensor {
  std::string name;
  std::vector<std::string> axes;         ///< a name each
  std::vector<std::int64_t> shape;       ///< of the whole tensor
  std::vector<std::int64_t> from, size;  ///< the box that is drawn; its first element, its extent
  std::vector<std::string> values;       ///< of the box, row-major

  friend bool operator==(const DrawnTensor&, const DrawnTensor&) = default;
};

/// One product of the element that is furthest from right.
struct DrawnProduct {
  std::vector<std::int64_t> grad_output, other;  ///< coordinates; gradBias has no other operand
  std::string value;                             ///< of the operands as they are multiplied

  friend bool operator==(const DrawnProduct&, const DrawnProduct&) = default;
};

/// Where the elements of one output are wrong, counted in at most 32 bins along an axis. Bin b of B
/// along an axis of length L holds the positions p with b == p * B / L.
struct WrongMap {
  static constexpr std::int64_t most_bins = 32;

  std::vector<std::string> axes;
  std::vector<std::int64_t> shape;
  std::uint64_t wrong = 0, not_compared = 0;
  std::uint64_t row_axis = 0, column_axis = 0;  ///< the two longest; equal where there is one axis
  std::vector<std::uint64_t> counts;            ///< wrong elements by row and column, row-major
  std::vector<std::vector<std::uint64_t>> per_axis;  ///< wrong elements by position along each

  friend bool operator==(const WrongMap&, const WrongMap&) = default;
};

/// Picture of a finding's wrong gradient: its smallest case element by element, and the case that
/// showed it first as a map. Of bounded size whatever the case is.
struct Picture {
  std::string output;                 ///< "gradInput"
  std::string compute_format;         ///< that the operands have when they are multiplied
  std::vector<DrawnTensor> operands;  ///< as they are in memory
  DrawnTensor computed;
  std::vector<std::string> exact, bound;  ///< of the drawn box; bound: what is admitted of an error
  std::vector<std::string> expected;      ///< of the drawn box: exact, rounded as the output is
  std::string states;                     ///< of the drawn box: r right, w wrong, n not compared
  std::vector<std::int64_t> element;      ///< the worst one, in the output's coordinates
  std::vector<DrawnProduct> products;     ///< of that element, those of zeros left out
  std::uint64_t product_count = 0;        ///< of which `products` are the first
  std::optional<WrongMap> map;            ///< of the case that showed it first
  std::string why_no_map;                 ///< in words, where there is none

  friend bool operator==(const Picture&, const Picture&) = default;
};

}  // namespace gradproof::findings
