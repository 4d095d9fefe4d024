#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "properties/findings/hypotheses/witness.h"

namespace gradproof::findings::diagnosis {

/// Transforms of Winograd's algorithm: B^T of the tile of the larger map, G of that of the smaller
/// one, A^T of the sums.
enum class Transform : std::uint8_t { Larger, Smaller, Inverse };

/// Factors of a transform along one axis.
struct TransformMatrix {
  std::size_t rows, columns;
  std::array<double, 16> values;  ///< row by row

  double at(std::size_t row, std::size_t column) const {
    return values.at((row * columns) + column);
  }
};

/// The transform's matrix in F(3, 2).
const TransformMatrix& matrix_of(Transform transform);

/// One mistake in the rows of a transform, made along each axis.
struct TransformFault {
  Transform transform = Transform::Larger;
  std::size_t row = 0;
  std::optional<std::size_t> entry;  ///< of the row; nullopt: the whole row
  double factor = 1;                 ///< that it is multiplied by
  int bits = 0;                      ///< significant ones that are kept of it; 0: all
  bool truncates = false;            ///< else it is rounded to nearest
};

/// True if the witness's gradWeight may come from F(3x3,2x2) with tiles from the map's origin.
bool may_compute_in_tiles(const Witness& witness);

/// True if the witness's gradWeight is what F(3x3,2x2) gives with this fault, within what adding in
/// FLOAT may cost. A rounding to few bits may go the other way now and then.
bool agrees_in_tiles(const Witness& witness, const TransformFault& fault);

}  // namespace gradproof::findings::diagnosis
