#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernel/ascendc/call_order.h"
#include "kernel/ascendc/tile_parts.h"
#include "kernel/ascendc/tiling_checks.h"
#include "kernel/ascendc/watched_tiling.h"

namespace gradproof::kernel::ascendc {

/// What an object of Conv3DBackpropInput or Conv3DBackpropFilter holds between its calls, and what
/// the calls of the two have in common. `State`, which derives from it, knows what a tile is: it
/// has
///   TileGrid grid() const;
///   Tile next_tile() const;              tile number `tile_number` of the grid
///   void check_rows(Core& core) const;   ends the block where the task leaves its tensor
template <typename State, typename Tiling, typename Task, typename Tile, typename Computer>
struct BackpropCalls {
  BackpropCalls(const CallNames& calls, const Element& of)
      : names(calls), element(of), order(calls) {}

  void init(const Tiling* given, void (*check)(Core&, const Tiling&, const Element&)) {
    Core& core = Core::running(names.init);
    require_product(core, names.init);
    order.init(core);
    tiling.take(core, names.init, given);
    check(core, *tiling, element);
    computer.emplace(core, *tiling, element);
  }

  /// The core, once the setter may be called.
  Core& begin_set(std::size_t setter) {
    Core& core = Core::running(names.setters[setter]);
    order.set(core, setter);
    return core;
  }

  void set_tensor(std::size_t setter, GlobalWindow Task::*member, const GlobalWindow& tensor) {
    Core& core = begin_set(setter);
    require_aligned(core, names.setters[setter], tensor);
    task.*member = tensor;
  }

  bool iterate(bool& is_first_iteration) {
    Core& core = Core::running(names.iterate);
    const auto& state = static_cast<const State&>(*this);
    if (order.iterate(core, is_first_iteration)) {
      state.check_rows(core);
      tile_number = 0;
    }
    tiling.require_unchanged(core, names.iterate);
    is_first_iteration = false;
    if (tile_number == state.grid().count()) return false;
    tile = state.next_tile();
    ++tile_number;
    computer->compute(core, task, tile);
    order.tile_computed();
    return true;
  }

  /// The core, once the tile may be moved to `output`.
  Core& begin_get_tensor_c(const GlobalWindow& output, std::uint8_t atomic, bool is_sequential) {
    Core& core = Core::running(names.get_tensor_c);
    order.get_tensor_c(core);
    tiling.require_unchanged(core, names.get_tensor_c);
    require_aligned(core, names.get_tensor_c, output);
    require_transfer(core, names.get_tensor_c, atomic, is_sequential);
    return core;
  }

  void end() {
    Core& core = Core::running(names.end);
    order.end(core);
    tiling.require_unchanged(core, names.end);
  }

  const CallNames& names;
  const Element element;
  CallOrder order;
  WatchedTiling<Tiling> tiling;
  std::optional<Computer> computer;
  Task task;
  std::int64_t tile_number = 0;
  Tile tile;
};

}  // namespace gradproof::kernel::ascendc
