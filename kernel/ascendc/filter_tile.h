#pragma once

#include <cstdint>
#include <span>

#include "kernel/ascendc/core_memories.h"
#include "kernel/ascendc/tile_parts.h"
#include "kernel/cube/load.h"
#include "lib/conv_backprop/conv3d_bp_filter_tiling_data.h"

namespace gradproof::kernel::ascendc {

using FilterTiling = AscendC::tiling::TConv3DBpFilterTiling;

/// What one core computes between two settings of ctx.isFirstIter_: what rows of one D slice of
/// gradOutput add to some channels of one kernel depth of gradWeight.
struct FilterTask {
  std::int64_t outputs = 0;         ///< M: channels of gradOutput
  std::int64_t channel_blocks = 0;  ///< Cin in blocks of c0: N without the taps
  std::int64_t positions = 0;       ///< K: whole rows
  std::int64_t first_row = 0;       ///< of gradOutput
  GlobalWindow grad_output, input;
};

/// Part of a task that fits in L0C: output channels, and N fractals (c1, kh, kw) of c0 columns.
struct FilterTile {
  std::int64_t first_output = 0, outputs = 0;
  std::int64_t first_fractal = 0, fractals = 0;
};

/// The tiles of one object of Conv3DBackpropFilter, one at a time, on the simulated cube.
///
/// One FLOAT sum in L0C over the task's positions, row by row. A = gradOutput transposed; B = the
/// input as columns.
class FilterTileComputer {
 public:
  /// Ends the block in the name of Init where the blocks do not fit in L0.
  FilterTileComputer(Core& core, const FilterTiling& tiling, const Element& element);

  void compute(Core& core, const FilterTask& task, const FilterTile& tile);

  /// The tile last computed: a block of columns for each fractal.
  FinishedTile finished(const Core& core) const;

 private:
  struct Reach {
    std::int64_t first = 0, count = 0;  ///< of positions, from the task's first
  };

  cube::Sliding height() const;
  cube::Sliding width() const;
  std::int64_t taps() const;
  cube::PlaneWindow input_window(const FilterTask& task, const Reach& reach) const;
  void take_local_memory(Core& core, const FilterTask& task);
  void load_grad_output(Core& core, const FilterTask& task, const Reach& reach);
  void load_input(Core& core, const FilterTask& task, const Reach& reach);
  void multiply(const Core& core, const FilterTask& task, const Reach& reach);

  const FilterTiling& tiling_;
  const Element element_;
  CoreMemories buffers_;
  L0Blocks l0_;
  Staging staging_;

  FilterTile tile_;
  bool clears_ = true;  ///< the next Mmad is the tile's first

  std::span<float> l1_left_, l1_right_;
  cube::PlaneWindow left_;   ///< gradOutput in L1: the positions as one row
  cube::PlaneWindow right_;  ///< input in L1
  bool left_is_finite_ = true, right_is_finite_ = true;
};

}  // namespace gradproof::kernel::ascendc
