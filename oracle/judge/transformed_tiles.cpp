#include "oracle/judge/transformed_tiles.h"

#include <algorithm>
#include <cmath>

#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {
namespace {

/// Least magnitude at which a sum may round to infinity.
constexpr double first_infinite = 0x1p127;

bool is_inside(const Shape& shape, const Shape& at) {
  for (std::size_t axis = 2; axis < at.size(); ++axis) {
    if (at[axis] < 0 || at[axis] >= shape[axis]) return false;
  }
  return true;
}

/// Walk along one axis of a row-major block: how many blocks before it, how long a step is.
struct AxisWalk {
  std::size_t outer = 1, inner = 1;
};

AxisWalk walk_along(const std::array<std::size_t, 3>& lengths, std::size_t axis) {
  AxisWalk walk;
  for (std::size_t i = 0; i < axis; ++i) walk.outer *= lengths[i];
  for (std::size_t i = axis + 1; i < lengths.size(); ++i) walk.inner *= lengths[i];
  return walk;
}

std::vector<double> along(const std::vector<double>& values, const Magnitudes& matrix,
                          const AxisWalk& walk) {
  std::vector<double> result(walk.outer * matrix.rows * walk.inner);
  for (std::size_t outer = 0; outer < walk.outer; ++outer) {
    for (std::size_t row = 0; row < matrix.rows; ++row) {
      double* const to = &result[(outer * matrix.rows + row) * walk.inner];
      for (std::size_t column = 0; column < matrix.columns; ++column) {
        const double factor = matrix.at(row, column);
        if (factor == 0) continue;
        const double* const from = &values[(outer * matrix.columns + column) * walk.inner];
        for (std::size_t i = 0; i < walk.inner; ++i) to[i] += factor * from[i];
      }
    }
  }
  return result;
}

}  // namespace

std::vector<double> transformed(std::vector<double> values, const AxisMatrices& matrices) {
  std::array<std::size_t, 3> lengths{};
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) lengths[axis] = matrices[axis]->columns;
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    const Magnitudes& matrix = *matrices[axis];
    if (matrix.entries.size() == 1) continue;  // the 1 of an axis without transform
    values = along(values, matrix, walk_along(lengths, axis));
    lengths[axis] = matrix.rows;
  }
  return values;
}

TransformedTiles::TransformedTiles(const Dense<Number>& operand, const TileGrid& grid,
                                   const AxisMatrices& matrices, const AxisMatrices& undivided)
    : channels_(operand.shape()[1]), tiles_(grid.tiles()), counts_(grid.count) {
  for (const Magnitudes* matrix : matrices) size_ *= matrix->rows;
  const bool is_finite = std::ranges::all_of(operand.elements(), &Number::is_finite);
  const auto tiles = static_cast<std::size_t>(operand.shape()[0] * channels_ * tiles_);
  entries_.reserve(tiles * size_);
  if (!is_finite) reached_.reserve(std::max<std::size_t>(tiles * size_, 1));
  traits_.reserve(tiles);
  const Shape blocks{operand.shape()[0], channels_, grid.count[0], grid.count[1], grid.count[2]};
  for (std::uint64_t tile = 0; tile < tiles; ++tile) {
    Shape begin = coordinate_of(blocks, tile);
    for (std::size_t axis = 0; axis < grid.first.size(); ++axis) {
      begin[axis + 2] = grid.first[axis] + begin[axis + 2] * grid.step[axis];
    }
    add_tile(operand, begin, grid, matrices, undivided);
  }
}

void TransformedTiles::add_tile(const Dense<Number>& operand, const Shape& begin,
                                const TileGrid& grid, const AxisMatrices& matrices,
                                const AxisMatrices& undivided) {
  const Shape block{1, 1, static_cast<std::int64_t>(matrices[0]->columns),
                    static_cast<std::int64_t>(matrices[1]->columns),
                    static_cast<std::int64_t>(matrices[2]->columns)};
  const auto size = static_cast<std::size_t>(element_count(block));
  std::vector<double> values(size), specials(size);
  std::uint8_t traits = 0;
  for (std::size_t i = 0; i < size; ++i) {
    Shape at = coordinate_of(block, i);
    for (std::size_t axis = 0; axis < at.size(); ++axis) at[axis] += begin[axis];
    if (!is_inside(operand.shape(), at)) continue;
    const std::size_t place = grid.is_reversed ? size - 1 - i : i;
    const Number& element = operand.at(at);
    if (!element.is_finite()) {
      specials[place] = 1;
      traits |= occupied | special;
    } else if (!element.is_zero()) {
      values[place] = std::fabs(to_double(element));
      traits |= occupied;
    }
  }
  const auto largest = [](const std::vector<double>& of) { return *std::ranges::max_element(of); };
  const auto entries = transformed(values, matrices);
  const bool overflows = largest(entries) >= first_infinite ||
                         largest(transformed(values, undivided)) >= first_infinite;
  if (overflows) traits |= overflowing;
  entries_.insert(entries_.end(), entries.begin(), entries.end());
  traits_.push_back(traits);
  add_reached(specials, (traits & special) != 0, matrices);
}

void TransformedTiles::add_reached(const std::vector<double>& specials, bool any,
                                   const AxisMatrices& matrices) {
  if (reached_.capacity() == 0) return;  // of an operand whose elements are all finite
  if (!any) {
    reached_.resize(reached_.size() + size_);
    return;
  }
  const auto reached = transformed(specials, matrices);
  reached_.insert(reached_.end(), reached.begin(), reached.end());
}

}  // namespace gradproof::oracle
