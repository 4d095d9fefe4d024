// Conv3DBackpropFilter: the calls, their order and their checks. filter_tile computes.

#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "kernel/ascendc/backprop_calls.h"
#include "kernel/ascendc/filter_tile.h"
#include "lib/conv_backprop/conv3d_bp_filter_api.h"

namespace ConvBackpropApi::simulation {
namespace {

using namespace gradproof::kernel::ascendc;
using gradproof::kernel::cube::blocks_of;
using gradproof::kernel::cube::cube_edge;
using gradproof::kernel::cube::rounded_up;

constexpr CallNames call_names{
    .init = "Conv3DBackpropFilter::Init",
    .iterate = "Conv3DBackpropFilter::Iterate",
    .get_tensor_c = "Conv3DBackpropFilter::GetTensorC",
    .end = "Conv3DBackpropFilter::End",
    .setters = {"Conv3DBackpropFilter::SetSingleShape", "Conv3DBackpropFilter::SetStartPosition",
                "Conv3DBackpropFilter::SetGradOutput", "Conv3DBackpropFilter::SetInput"}};

constexpr const char* init = call_names.init;

void check_lengths(Core& core, const FilterTiling& t) {
  require_positive(core, init,
                   {{"batch", t.batch},
                    {"cin", t.cin},
                    {"cout", t.cout},
                    {"cin1G", t.cin1G},
                    {"cout1G", t.cout1G}});
  require_axes(core, init, t);
  require_addressable(core, init, "gradOutput",
                      {t.batch, t.dout, t.group, t.cout1G, t.ho, t.wo, t.channelSize});
  require_addressable(core, init, "input",
                      {t.batch, t.di, t.group, t.cin1G, t.hi, t.wi, t.channelSize});
  require_addressable(core, init, "gradWeight",
                      {t.group, t.dk, t.cin1G, t.hk, t.wk, std::uint64_t{t.cout1G} + 1,
                       t.channelSize, t.channelSize});
  require_reach(core, init, {{"hk", t.hk}, {"wk", t.wk}, {"ho", t.ho}, {"wo", t.wo}},
                {{"dilationH", t.dilationH},
                 {"dilationW", t.dilationW},
                 {"strideH", t.strideH},
                 {"strideW", t.strideW}});
}

void check_blocks(Core& core, const FilterTiling& t) {
  require_positive(core, init,
                   {{"singleCoreDk", t.singleCoreDk},
                    {"singleCoreGroup", t.singleCoreGroup},
                    {"singleCoreCout", t.singleCoreCout},
                    {"singleCoreHo", t.singleCoreHo},
                    {"singleCoreBatch", t.singleCoreBatch},
                    {"singleCoreCin", t.singleCoreCin}});
  require_blocks(core, init, t);
  // How many blocks the chip would keep in L1. GetTiling decides on several; each tile is loaded by
  // itself here.
  require_positive(core, init, {{"stepM", t.stepM}, {"stepN", t.stepN}});
  require_multiple(core, init, t.channelSize,
                   {{"baseM", t.baseM}, {"baseK", t.baseK}, {"baseN", t.baseN}});
}

class FilterCalls final : public BackpropCalls<FilterTileComputer> {
 public:
  explicit FilterCalls(const Element& of) : BackpropCalls(call_names, of) {}

  void set_single_shape(std::uint64_t m, std::uint64_t n, std::uint64_t k) override;
  void set_start_position(std::uint32_t depth, std::int64_t row) override;

 private:
  void check_tiling(Core& core) const override {
    if (tiling().channelSize != element.c0()) {
      core.stop(call_names.init,
                fmt::format("tiling field channelSize is {}; elements of {} bytes have {}",
                            tiling().channelSize, element.bytes, element.c0()));
    }
    check_lengths(core, tiling());
    check_blocks(core, tiling());
  }
  void check_rows(Core& core) const override;
  void store(Core& core, const GlobalWindow& output, bool adds) const override;
  TileGrid grid() const override {
    return {blocks_of(task.outputs, tiling().baseM),
            blocks_of(task.channel_blocks * taps() * element.c0(), tiling().baseN),
            tiling().iterateOrder == order_m};
  }
  FilterTile tile_at(const TileGrid::Place& place) const override;
  std::int64_t taps() const { return std::int64_t{tiling().hk} * tiling().wk; }
};

FilterTile FilterCalls::tile_at(const TileGrid::Place& place) const {
  const std::int64_t base_fractals = tiling().baseN / element.c0();
  FilterTile next;
  next.first_output = place.m * tiling().baseM;
  next.outputs = std::min<std::int64_t>(tiling().baseM, task.outputs - next.first_output);
  next.first_fractal = place.n * base_fractals;
  next.fractals = std::min(base_fractals, task.channel_blocks * taps() - next.first_fractal);
  return next;
}

void FilterCalls::check_rows(Core& core) const {
  const std::int64_t rows = task.positions / tiling().wo;
  if (task.first_row + rows <= tiling().ho) return;
  core.stop(call_names.iterate,
            fmt::format("SetStartPosition and SetSingleShape name rows {} to {} of gradOutput, "
                        "which has {}",
                        task.first_row, task.first_row + rows - 1, tiling().ho));
}

void FilterCalls::store(Core& core, const GlobalWindow& output, bool adds) const {
  const std::int64_t c0 = element.c0();
  const std::int64_t column = rounded_up(tiling().cout1G * c0, cube_edge) * c0;
  const FinishedTile finished = computer->finished(core);
  for (std::int64_t fractal = 0; fractal < tile.fractals; ++fractal) {
    const std::int64_t first = (tile.first_fractal + fractal) * column + tile.first_output * c0;
    finished.move(core, {call_names.get_tensor_c, "gradWeight"}, output, fractal,
                  static_cast<std::uint64_t>(first), adds);
  }
}

void FilterCalls::set_single_shape(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  const char* call = call_names.setters[SingleShape];
  Core& core = begin_set(SingleShape);
  const FilterTiling& t = tiling();
  const std::uint64_t most_m = std::uint64_t{t.cout1G} * t.channelSize;
  const std::uint64_t taps = std::uint64_t{t.hk} * t.wk;
  const std::uint64_t most_n = t.cin1G * taps * t.channelSize;
  if (m == 0 || m > most_m) {
    core.stop(call, fmt::format("singleShapeM is {}; it must lie in [1, {}], cout1G * channelSize",
                                m, most_m));
  }
  if (n == 0 || n % taps != 0 || n > most_n) {
    core.stop(call, fmt::format("singleShapeN is {}; it must be a multiple of hk * wk, {}, at most "
                                "{}",
                                n, taps, most_n));
  }
  if (k == 0 || k % t.wo != 0 || k > std::uint64_t{t.ho} * t.wo) {
    core.stop(call, fmt::format("singleShapeK is {}; it must be whole rows of wo, {}, at most ho, "
                                "{}, of them",
                                k, t.wo, t.ho));
  }
  task.outputs = static_cast<std::int64_t>(m);
  task.channel_blocks = blocks_of(static_cast<std::int64_t>(n / taps), t.channelSize);
  task.positions = static_cast<std::int64_t>(k);
}

void FilterCalls::set_start_position(std::uint32_t /*depth*/, std::int64_t row) {
  const char* call = call_names.setters[StartPosition];
  Core& core = begin_set(StartPosition);
  if (row >= tiling().ho) {
    core.stop(call, fmt::format("hoStartIdx is {}; gradOutput has {} rows", row, tiling().ho));
  }
  task.first_row = row;
}

}  // namespace

template <>
std::unique_ptr<Backprop<TConv3DBpFilterTiling>> new_backprop(ElementType element,
                                                              bool /*isScratch*/) {
  return std::make_unique<FilterCalls>(element_of(element));
}

}  // namespace ConvBackpropApi::simulation
