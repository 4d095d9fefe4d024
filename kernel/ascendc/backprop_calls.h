#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernel/ascendc/call_order.h"
#include "kernel/ascendc/tile_parts.h"
#include "kernel/ascendc/tiling_checks.h"
#include "kernel/ascendc/watched_tiling.h"
#include "lib/conv_backprop/conv_backprop_intf.h"

namespace gradproof::kernel::ascendc {

/// The setters, in the order of CallNames.
enum Setter : std::size_t { SingleShape, StartPosition, GradOutput, Operand };

/// An object of Conv3DBackpropInput or Conv3DBackpropFilter: what the calls of the two have in
/// common. What derives from it knows what a tile is, and what `Computer` computes.
template <typename Computer>
class BackpropCalls : public ConvBackpropApi::simulation::Backprop<typename Computer::Tiling> {
 public:
  using Tiling = typename Computer::Tiling;

  void init(const Tiling* given) override {
    Core& core = Core::running(names.init);
    require_product(core, names.init);
    order_.init(core);
    watched_.take(core, names.init, given);
    check_tiling(core);
    computer.emplace(core, *watched_, element);
  }

  void set_operand(const GlobalWindow& operand) override { set(Operand, task.operand, operand); }
  void set_grad_output(const GlobalWindow& grad_output) override {
    set(GradOutput, task.grad_output, grad_output);
  }

  bool iterate(bool& is_first_iteration) override {
    Core& core = Core::running(names.iterate);
    if (order_.iterate(core, is_first_iteration)) {
      check_rows(core);
      tile_number_ = 0;
    }
    watched_.require_unchanged(core, names.iterate);
    is_first_iteration = false;
    if (tile_number_ == grid().count()) return false;
    tile = tile_at(grid().at(tile_number_));
    ++tile_number_;
    computer->compute(core, task, tile);
    order_.tile_computed();
    return true;
  }

  void get_tensor_c(const GlobalWindow& output, std::uint8_t atomic, bool is_sequential) override {
    Core& core = Core::running(names.get_tensor_c);
    order_.get_tensor_c(core);
    watched_.require_unchanged(core, names.get_tensor_c);
    require_aligned(core, names.get_tensor_c, output);
    require_transfer(core, names.get_tensor_c, atomic, is_sequential);
    store(core, output, atomic == 1);
  }

  void end() override {
    Core& core = Core::running(names.end);
    order_.end(core);
    watched_.require_unchanged(core, names.end);
  }

 protected:
  BackpropCalls(const CallNames& calls, const Element& of)
      : names(calls), element(of), order_(calls) {}

  // Each ends the block where something can't be: a field of the tiling; rows outside of the
  // task's tensor; elements outside of the output.
  virtual void check_tiling(Core& core) const = 0;
  virtual void check_rows(Core& core) const = 0;
  virtual void store(Core& core, const GlobalWindow& output, bool adds) const = 0;

  virtual TileGrid grid() const = 0;
  virtual typename Computer::Tile tile_at(const TileGrid::Place& place) const = 0;

  /// The core, once the setter may be called.
  Core& begin_set(Setter setter) {
    Core& core = Core::running(names.setters[setter]);
    order_.set(core, setter);
    return core;
  }

  const Tiling& tiling() const { return *watched_; }

  const CallNames& names;
  const Element element;
  std::optional<Computer> computer;
  typename Computer::Task task;
  typename Computer::Tile tile;

 private:
  void set(Setter setter, GlobalWindow& member, const GlobalWindow& tensor) {
    Core& core = begin_set(setter);
    require_aligned(core, names.setters[setter], tensor);
    member = tensor;
  }

  CallOrder order_;
  WatchedTiling<Tiling> watched_;
  std::int64_t tile_number_ = 0;
};

}  // namespace gradproof::kernel::ascendc
