// Conv3DBackpropInput: the calls, their order and their checks. input_tile computes.

#include <atomic>
#include <cstdio>
#include <memory>

#include <fmt/core.h>

#include "kernel/ascendc/backprop_calls.h"
#include "kernel/ascendc/input_tile.h"
#include "lib/conv_backprop/conv3d_bp_input_api.h"

namespace ConvBackpropApi::simulation {
namespace {

using namespace gradproof::kernel::ascendc;
using gradproof::kernel::cube::blocks_of;

constexpr CallNames call_names{
    .init = "Conv3DBackpropInput::Init",
    .iterate = "Conv3DBackpropInput::Iterate",
    .get_tensor_c = "Conv3DBackpropInput::GetTensorC",
    .end = "Conv3DBackpropInput::End",
    .setters = {"Conv3DBackpropInput::SetSingleShape", "Conv3DBackpropInput::SetStartPosition",
                "Conv3DBackpropInput::SetGradOutput", "Conv3DBackpropInput::SetWeight"}};

constexpr const char* init = call_names.init;

void check_lengths(Core& core, const InputTiling& t) {
  require_positive(core, init,
                   {{"batch", t.batch},
                    {"cin", t.cin},
                    {"cout", t.cout},
                    {"cout1", t.cout1},
                    {"cin1", t.cin1},
                    {"cout1G", t.cout1G},
                    {"cin1G", t.cin1G}});
  require_axes(core, init, t);
  require_addressable(core, init, "gradOutput", {t.batch, t.dout, t.cout1, t.ho, t.wo, t.c0});
  require_addressable(core, init, "gradInput", {t.batch, t.di, t.cin1, t.hi, t.wi, t.c0});
  require_addressable(
      core, init, "weight",
      {t.group, t.dk, t.cin1G, t.hk, t.wk, std::uint64_t{t.cout1G} + 1, t.c0, t.c0});
  require_reach(
      core, init,
      {{"dk", t.dk}, {"hk", t.hk}, {"wk", t.wk}, {"dout", t.dout}, {"ho", t.ho}, {"wo", t.wo}},
      {{"dilationD", t.dilationD},
       {"dilationH", t.dilationH},
       {"dilationW", t.dilationW},
       {"strideD", t.strideD},
       {"strideH", t.strideH},
       {"strideW", t.strideW}});
}

void check_blocks(Core& core, const InputTiling& t) {
  require_positive(core, init,
                   {{"singleCoreGroup", t.singleCoreGroup},
                    {"singleCoreCout", t.singleCoreCout},
                    {"singleCoreCout1", t.singleCoreCout1},
                    {"singleCoreCin1", t.singleCoreCin1},
                    {"singleCoreDin", t.singleCoreDin},
                    {"singleCoreHo", t.singleCoreHo},
                    {"singleCoreBatch", t.singleCoreBatch},
                    {"singleCoreM", t.singleCoreM},
                    {"singleCoreCin", t.singleCoreCin},
                    {"baseD", t.baseD},
                    {"baseBatch", t.baseBatch},
                    {"baseGroup", t.baseGroup},
                    {"stepBatch", t.stepBatch},
                    {"stepGroup", t.stepGroup}});
  require_blocks(core, init, t);
  require_one(core, init, {{"stepM", t.stepM}, {"stepN", t.stepN}});
  require_multiple(core, init, t.c0, {{"baseK", t.baseK}, {"baseN", t.baseN}});
}

void warn_of_scratch() {
  static std::atomic<bool> is_told = false;
  if (is_told.exchange(true)) return;
  std::fputs(
      "gradproof: warning: Conv3DBackpropInput with gradInput in NCDHW writes each tile to the "
      "block's own scratch tile, output + GetBlockIdx() * baseM * baseN, and not into the tensor\n",
      stderr);
}

class InputCalls final : public BackpropCalls<InputTileComputer> {
 public:
  InputCalls(const Element& of, bool is_scratch)
      : BackpropCalls(call_names, of), is_scratch_(is_scratch) {}

  void init(const InputTiling* given) override {
    BackpropCalls::init(given);
    if (is_scratch_) warn_of_scratch();
  }
  void set_single_shape(std::uint64_t m, std::uint64_t k, std::uint64_t n) override;
  void set_start_position(std::uint32_t depth, std::int64_t row) override;

 private:
  void check_tiling(Core& core) const override {
    if (tiling().c0 != element.c0()) {
      core.stop(call_names.init, fmt::format("tiling field c0 is {}; elements of {} bytes have {}",
                                             tiling().c0, element.bytes, element.c0()));
    }
    check_lengths(core, tiling());
    check_blocks(core, tiling());
  }
  void check_rows(Core& core) const override;
  void store(Core& core, const GlobalWindow& output, bool adds) const override;
  TileGrid grid() const override {
    return {blocks_of(task.positions, tiling().baseM),
            blocks_of(task.channel_blocks * element.c0(), tiling().baseN),
            tiling().iterateOrder == order_m};
  }
  InputTile tile_at(const TileGrid::Place& place) const override;

  const bool is_scratch_;
};

InputTile InputCalls::tile_at(const TileGrid::Place& place) const {
  const std::int64_t base_blocks = tiling().baseN / element.c0();
  InputTile next;
  next.first_position = place.m * tiling().baseM;
  next.positions = std::min<std::int64_t>(tiling().baseM, task.positions - next.first_position);
  next.first_block = place.n * base_blocks;
  next.blocks = std::min(base_blocks, task.channel_blocks - next.first_block);
  return next;
}

void InputCalls::check_rows(Core& core) const {
  const std::int64_t first = task.first_row(tiling());
  const std::int64_t rows = task.positions / tiling().wi;
  if (first >= 0 && first + rows <= tiling().hi) return;
  core.stop(
      call_names.iterate,
      fmt::format("SetStartPosition and SetSingleShape name rows {} to {} of gradInput, which "
                  "has {}: curHoStartIdx is the first row less backpropPadUp, {}",
                  first, first + rows - 1, tiling().hi, tiling().backpropPadUp));
}

void InputCalls::store(Core& core, const GlobalWindow& output, bool adds) const {
  const auto finished = computer->finished(core);
  if (!finished) return;
  const std::int64_t c0 = element.c0();
  const std::int64_t plane = std::int64_t{tiling().hi} * tiling().wi * c0;
  const std::int64_t scratch = core.place().index * std::int64_t{tiling().baseM} * tiling().baseN;
  const std::int64_t in_tensor =
      task.depth * tiling().cin1 * plane + tile.first_block * plane + tile.first_position * c0;
  const std::int64_t block_step = is_scratch_ ? tiling().baseM * c0 : plane;
  for (std::int64_t block = 0; block < tile.blocks; ++block) {
    const std::int64_t first = (is_scratch_ ? scratch : in_tensor) + block * block_step;
    finished->move(core, {call_names.get_tensor_c, "gradInput"}, output, block,
                   static_cast<std::uint64_t>(first), adds);
  }
}

void InputCalls::set_single_shape(std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  const char* call = call_names.setters[SingleShape];
  Core& core = begin_set(SingleShape);
  const InputTiling& t = tiling();
  const std::uint64_t depth = std::uint64_t{t.dk} * t.hk * t.wk * t.c0;
  if (m == 0 || m % t.wi != 0 || m > std::uint64_t{t.hi} * t.wi) {
    core.stop(call, fmt::format("singleShapeM is {}; it must be whole rows of wi, {}, at most hi, "
                                "{}, of them",
                                m, t.wi, t.hi));
  }
  if (k == 0 || k % depth != 0 || k / depth > t.cout1G) {
    core.stop(call, fmt::format("singleShapeK is {}; it must be a multiple of dk * hk * wk * c0, "
                                "{}, at most cout1G, {}, times that",
                                k, depth, t.cout1G));
  }
  if (n == 0 || n > std::uint64_t{t.cin1G} * t.c0) {
    core.stop(call, fmt::format("singleShapeN is {}; it must lie in [1, {}], cin1G * c0", n,
                                std::uint64_t{t.cin1G} * t.c0));
  }
  task.positions = static_cast<std::int64_t>(m);
  task.output_blocks = static_cast<std::int64_t>(k / depth);
  task.channel_blocks = blocks_of(static_cast<std::int64_t>(n), t.c0);
}

void InputCalls::set_start_position(std::uint32_t depth, std::int64_t row) {
  const char* call = call_names.setters[StartPosition];
  Core& core = begin_set(StartPosition);
  if (depth >= tiling().di) {
    core.stop(call, fmt::format("curDinStartIdx is {}; gradInput has {} slices along D", depth,
                                tiling().di));
  }
  task.depth = depth;
  task.expanded_row = row;
}

}  // namespace

template <>
std::unique_ptr<Backprop<TConv3DBackpropInputTiling>> new_backprop(ElementType element,
                                                                   bool isScratch) {
  return std::make_unique<InputCalls>(element_of(element), isScratch);
}

}  // namespace ConvBackpropApi::simulation
