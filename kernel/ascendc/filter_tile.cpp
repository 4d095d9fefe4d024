#include "kernel/ascendc/filter_tile.h"

#include <algorithm>
#include <limits>

namespace gradproof::kernel::ascendc {
namespace {

constexpr const char* init = "Conv3DBackpropFilter::Init";
constexpr const char* iterate = "Conv3DBackpropFilter::Iterate";

std::int64_t wide(std::uint32_t value) { return value; }

}  // namespace

FilterTileComputer::FilterTileComputer(Core& core, const FilterTiling& tiling, const Element& of)
    : TileComputer(core, init, tiling, of), tiling_(tiling) {}

cube::Sliding FilterTileComputer::height() const {
  return {.length = tiling_.hi,
          .kernel = tiling_.hk,
          .stride = tiling_.strideH,
          .dilation = tiling_.dilationH,
          .padding = tiling_.padUp};
}

cube::Sliding FilterTileComputer::width() const {
  return {.length = tiling_.wi,
          .kernel = tiling_.wk,
          .stride = tiling_.strideW,
          .dilation = tiling_.dilationW,
          .padding = tiling_.padLeft};
}

cube::PlaneWindow FilterTileComputer::input_window(const FilterTask& task,
                                                   const Extent& positions) const {
  const std::int64_t wo = tiling_.wo;
  const std::int64_t last = positions.first + positions.count - 1;
  const bool is_in_one_row = positions.first / wo == last / wo;
  const Extent rows =
      extent_read(height(), task.first_row + positions.first / wo, task.first_row + last / wo);
  const Extent columns =
      is_in_one_row ? extent_read(width(), positions.first % wo, last % wo) : Extent{0, tiling_.wi};
  const std::int64_t first_block = tile_.first_fractal / taps;
  const std::int64_t last_block = (tile_.first_fractal + tile_.fractals - 1) / taps;
  return {.blocks = last_block - first_block + 1,
          .first_row = rows.first,
          .rows = columns.count == 0 ? 0 : rows.count,
          .first_column = columns.first,
          .columns = columns.count,
          .c0 = c0};
}

void FilterTileComputer::compute(Core& core, const FilterTask& task, const FilterTile& tile) {
  tile_ = tile;
  clears_ = true;
  take_local_memory(core, task);
  walk(
      task.positions, tiling_.baseK, tiling_.stepKa, tiling_.stepKb,
      [&](const Extent& part) { load_grad_output(core, task, part); },
      [&](const Extent& part) { load_input(core, task, part); },
      [&](const Extent& part) { multiply(core, task, part); });
}

void FilterTileComputer::take_local_memory(Core& core, const FilterTask& task) {
  const std::int64_t left_step = std::min(wide(tiling_.baseK) * tiling_.stepKa, task.positions);
  const std::int64_t right_step = std::min(wide(tiling_.baseK) * tiling_.stepKb, task.positions);
  std::int64_t right_elements = 0;
  for (std::int64_t first = 0; first < task.positions; first += right_step) {
    const Extent part{first, std::min(right_step, task.positions - first)};
    right_elements = std::max(right_elements, input_window(task, part).elements());
  }
  take_l1(core, iterate, cube::rounded_up(tile_.outputs, c0) * left_step, right_elements);
}

void FilterTileComputer::load_grad_output(Core& core, const FilterTask& task,
                                          const Extent& positions) {
  grad_output_ = {.blocks = cube::blocks_of(tile_.outputs, c0),
                  .rows = 1,
                  .first_column = positions.first,
                  .columns = positions.count,
                  .c0 = c0};
  const MapPiece piece{.window = grad_output_,
                       .first_block = tile_.first_output / c0,
                       .channels = tile_.outputs,
                       .height = tiling_.ho,
                       .width = tiling_.wo};
  load_map(core, {iterate, "gradOutput"}, task.grad_output, piece, left);
}

void FilterTileComputer::load_input(Core& core, const FilterTask& task, const Extent& positions) {
  input_ = input_window(task, positions);
  const std::int64_t first_block = tile_.first_fractal / taps;
  const std::int64_t channels = tiling_.group == 1 ? tiling_.cin : wide(tiling_.cin1G) * c0;
  const MapPiece piece{.window = input_,
                       .first_block = first_block,
                       .channels = channels - first_block * c0,
                       .height = tiling_.hi,
                       .width = tiling_.wi,
                       .first_row = std::max<std::int64_t>(
                           task.first_row * tiling_.strideH - wide(tiling_.padUp), 0)};
  load_map(core, {iterate, "input"}, task.operand, piece, right);
}

void FilterTileComputer::multiply(const Core& core, const FilterTask& task,
                                  const Extent& positions) {
  const cube::PositionRange all_in_one_row{.width = std::numeric_limits<std::int64_t>::max(),
                                           .first = positions.first,
                                           .count = positions.count};
  cube::load_left_transposed(all_in_one_row, grad_output_.blocks * c0, grad_output_, left.l1,
                             cube::LeftOrder::Zz, l0.a);
  const cube::ImageToColumn columns{
      .height = height(),
      .width = width(),
      .output_width = tiling_.wo,
      .first_position = task.first_row * tiling_.wo + positions.first,
      .positions = positions.count,
      .first_fractal = tile_.first_fractal - tile_.first_fractal / taps * taps,
      .fractals = tile_.fractals,
      .padding = padding()};
  cube::load_right(columns, input_, right.l1, l0.b);
  multiply_blocks(
      core,
      {.m = tile_.outputs, .n = tile_.fractals * c0, .k = positions.count, .clears = clears_});
  clears_ = false;
}

FinishedTile FilterTileComputer::finished(const Core& core) const {
  return FinishedTile(core, l0.c, {tile_.outputs, tile_.fractals * c0, c0},
                      numeric::Format::Binary32);
}

}  // namespace gradproof::kernel::ascendc
