#pragma once

#include <cstdint>

#include "oracle/gradients/dense/residue_basis.h"
#include "oracle/gradients/dense/tile_kernels.h"
#include "oracle/numbers/instruction_set.h"

namespace gradproof::oracle {

/// Adds the residues of the product of a left and a right panel to a tile. Two steps lie side by
/// side for each line: 16-bit products are added by twos (PMADDWD).
struct ResidueTiles {
  TileShape shape;
  /// At most residue_depth / 2 pairs of steps; what is added is below 1.1 of the modulus in
  /// magnitude.
  void (*add)(const std::int16_t* left, const std::int16_t* right, std::int64_t pairs,
              const Modulus& modulus, std::int32_t* sums, std::int64_t stride, Onto onto);
};

/// Tiles for the widest instructions up to these; all give sums of the same residues.
ResidueTiles residue_tiles(InstructionSet instructions);

}  // namespace gradproof::oracle
