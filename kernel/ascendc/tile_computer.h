#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "kernel/ascendc/core_memories.h"
#include "kernel/ascendc/tile_parts.h"
#include "kernel/cube/load.h"

namespace gradproof::kernel::ascendc {

/// Neighbours: elements along one axis, or places of the sum that a product is.
struct Extent {
  std::int64_t first = 0, count = 0;
};

/// The elements of a map that windows `first` to `last` read along one axis.
Extent extent_read(const cube::Sliding& sliding, std::int64_t first, std::int64_t last);

/// A rectangle of a map in NDC1HWC0 that is brought to L1.
struct MapPiece {
  cube::PlaneWindow window;      ///< its blocks are counted from `first_block`
  std::int64_t first_block = 0;  ///< of the tensor, whose planes of c0 channels follow each other
  std::int64_t channels = 0;     ///< that exist from there on; others are padding and read as 0
  std::int64_t height = 0, width = 0;  ///< of the planes
  std::int64_t first_row = 0;          ///< where the tensor that the program gave begins
};

/// Computes the tiles of one object, one at a time, on the simulated cube: one FLOAT sum in L0C
/// over products of blocks, whose operands are pieces in L1.
class TileComputer {
 protected:
  /// Ends the block in the name of `init` where the blocks do not fit in L0.
  template <typename Tiling>
  TileComputer(Core& core, const char* init, const Tiling& tiling, const Element& of)
      : element(of),
        c0(of.c0()),
        taps(std::int64_t{tiling.hk} * tiling.wk),
        buffers(core.settings().product),
        l0(allocate_l0(core, init, *buffers, tiling, of.bytes)),
        left_buffers_(tiling.al1Pbuffer),
        right_buffers_(tiling.bl1Pbuffer),
        is_hf32_(tiling.hf32Flag == 1) {}

  /// An operand of the products, and what L1 holds of it.
  struct Operand {
    std::span<float> l1 = {};
    bool is_finite = true;  ///< every one an ordinary number, also after HF32's rounding
  };

  /// Goes through a sum of `all` in steps: loads so many of them of each operand, multiplies one.
  template <typename LoadLeft, typename LoadRight, typename Multiply>
  static void walk(std::int64_t all, std::int64_t step, std::int64_t steps_of_left,
                   std::int64_t steps_of_right, LoadLeft load_left, LoadRight load_right,
                   Multiply multiply) {
    for (std::int64_t number = 0; number * step < all; ++number) {
      const auto part = [&](std::int64_t steps) {
        return Extent{number * step, std::min(steps * step, all - number * step)};
      };
      if (number % steps_of_left == 0) load_left(part(steps_of_left));
      if (number % steps_of_right == 0) load_right(part(steps_of_right));
      multiply(part(1));
    }
  }

  /// Empties L1 and takes room in it for pieces of so many elements.
  void take_l1(Core& core, const char* call, std::int64_t left_elements,
               std::int64_t right_elements);

  void load_map(Core& core, const Touch& touch, const GlobalWindow& map, const MapPiece& piece,
                Operand& to);

  /// Notes whether the first elements of what was loaded are finite.
  void look_at(Operand& loaded, std::int64_t elements) const;

  /// One product of the blocks in L0: C (m x n) += A (m x k) B (k x n), or = where it `clears`.
  struct Product {
    std::int64_t m = 0, n = 0, k = 0;
    bool clears = false;
  };
  void multiply_blocks(const Core& core, const Product& product);

  /// Value read beyond the map: 0, or nothing where that would make a NaN of an operand.
  float padding() const;

  const Element element;
  const std::int64_t c0, taps;
  CoreMemories buffers;
  L0Blocks l0;
  Staging staging;
  Operand left, right;

 private:
  std::int64_t left_buffers_, right_buffers_;
  bool is_hf32_;
};

}  // namespace gradproof::kernel::ascendc
