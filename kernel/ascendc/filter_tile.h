#pragma once

#include <cstdint>

#include "kernel/ascendc/tile_computer.h"
#include "lib/conv_backprop/conv3d_bp_filter_tiling_data.h"

namespace gradproof::kernel::ascendc {

using FilterTiling = AscendC::tiling::TConv3DBpFilterTiling;

/// Work of one core between two settings of ctx.isFirstIter_: what rows of one D slice of
/// gradOutput add to some channels of one kernel depth of gradWeight.
struct FilterTask {
  std::int64_t outputs = 0;           ///< M: channels of gradOutput
  std::int64_t channel_blocks = 0;    ///< Cin in blocks of c0: N without the taps
  std::int64_t positions = 0;         ///< K: whole rows
  std::int64_t first_row = 0;         ///< of gradOutput
  GlobalWindow grad_output, operand;  ///< the operand is the input
};

/// Part of a task that fits in L0C: output channels, and N fractals (c1, kh, kw) of c0 columns.
struct FilterTile {
  std::int64_t first_output = 0, outputs = 0;
  std::int64_t first_fractal = 0, fractals = 0;
};

/// The tiles of one object of Conv3DBackpropFilter.
///
/// One FLOAT sum in L0C over the task's positions, row by row. A = gradOutput transposed; B = the
/// input as columns.
class FilterTileComputer : TileComputer {
 public:
  using Tiling = FilterTiling;
  using Task = FilterTask;
  using Tile = FilterTile;

  /// Ends the block in the name of Init where the blocks do not fit in L0.
  FilterTileComputer(Core& core, const FilterTiling& tiling, const Element& element);

  void compute(Core& core, const FilterTask& task, const FilterTile& tile);

  /// The tile last computed: a block of columns for each fractal.
  FinishedTile finished(const Core& core) const;

 private:
  cube::Sliding height() const;
  cube::Sliding width() const;
  /// The part of the input that some positions, counted from the task's first, meet.
  cube::PlaneWindow input_window(const FilterTask& task, const Extent& positions) const;
  void take_local_memory(Core& core, const FilterTask& task);
  void load_grad_output(Core& core, const FilterTask& task, const Extent& positions);
  void load_input(Core& core, const FilterTask& task, const Extent& positions);
  void multiply(const Core& core, const FilterTask& task, const Extent& positions);

  const FilterTiling& tiling_;
  FilterTile tile_;
  bool clears_ = true;             ///< the next product is the tile's first
  cube::PlaneWindow grad_output_;  ///< in L1: the positions as one row
  cube::PlaneWindow input_;        ///< in L1
};

}  // namespace gradproof::kernel::ascendc
