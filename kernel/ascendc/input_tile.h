#pragma once

#include <cstdint>
#include <optional>

#include "kernel/ascendc/tile_computer.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling_data.h"

namespace gradproof::kernel::ascendc {

using InputTiling = AscendC::tiling::TConv3DBackpropInputTiling;

/// Work of one core between two settings of ctx.isFirstIter_: rows of one D slice of gradInput, for
/// some of its channels, in one sample.
struct InputTask {
  std::int64_t positions = 0;         ///< M: whole rows
  std::int64_t output_blocks = 0;     ///< Cout in blocks of c0: K without the taps
  std::int64_t channel_blocks = 0;    ///< Cin in blocks of c0: N
  std::int64_t depth = 0;             ///< D of gradInput
  std::int64_t expanded_row = 0;      ///< the first row, less backpropPadUp: may be negative
  GlobalWindow grad_output, operand;  ///< the operand is the weight

  std::int64_t first_row(const InputTiling& tiling) const {
    return expanded_row + tiling.backpropPadUp;
  }
};

/// Part of a task that fits in L0C: `positions` from the task's first, and blocks of channels.
struct InputTile {
  std::int64_t first_position = 0, positions = 0;
  std::int64_t first_block = 0, blocks = 0;
};

/// The tiles of one object of Conv3DBackpropInput.
///
/// dx = sum over kd, then c1, kh and kw reversed, c0: one FLOAT sum in L0C, in that order.
/// A = grad output as columns, spread by the stride and padded by the backprop pads; B = the weight
/// rotated by 180 degrees.
class InputTileComputer : TileComputer {
 public:
  using Tiling = InputTiling;
  using Task = InputTask;
  using Tile = InputTile;

  /// Ends the block in the name of Init where the blocks do not fit in L0.
  InputTileComputer(Core& core, const InputTiling& tiling, const Element& element);

  /// Computes, unless no row of the tile meets grad output and the caller has promised zeros
  /// (initOutputFlag).
  void compute(Core& core, const InputTask& task, const InputTile& tile);

  /// The tile last computed, or nullopt where there is nothing to store: it was not computed, or no
  /// kernel depth meets grad output.
  std::optional<FinishedTile> finished(const Core& core) const;

 private:
  cube::Sliding height() const;
  cube::Sliding width() const;
  std::optional<std::int64_t> output_depth(std::int64_t depth, std::int64_t kernel_depth) const;
  /// K fractals of one product.
  std::int64_t step() const { return std::int64_t{tiling_.baseK} / c0; }

  void take_local_memory(Core& core, const InputTask& task);
  void load_grad_output(Core& core, const InputTask& task, std::int64_t output_depth,
                        const Extent& fractals);
  void load_weight(Core& core, const InputTask& task, std::int64_t kernel_depth,
                   const Extent& fractals);
  void multiply(const Core& core, const InputTask& task, const Extent& fractals);

  const InputTiling& tiling_;
  InputTile tile_;
  Extent rows_;                    ///< of grad output, that the tile reads
  bool is_stored_ = false;         ///< the current tile has a kernel depth that meets grad output
  bool clears_ = true;             ///< the next product is the tile's first
  cube::PlaneWindow grad_output_;  ///< in L1
  std::int64_t left_block_ = 0;    ///< the first of them
  Extent weights_;                 ///< K fractals in L1
};

}  // namespace gradproof::kernel::ascendc
