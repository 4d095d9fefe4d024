#include "kernel/ascendc/input_tile.h"

#include <algorithm>

namespace gradproof::kernel::ascendc {
namespace {

constexpr const char* init = "Conv3DBackpropInput::Init";
constexpr const char* iterate = "Conv3DBackpropInput::Iterate";

std::int64_t wide(std::uint32_t value) { return value; }

/// Blocks of channels that `fractals` neighbouring K fractals touch at most.
std::int64_t blocks_touched(std::int64_t fractals, std::int64_t taps, std::int64_t blocks) {
  return std::min((fractals + taps - 2) / taps + 1, blocks);
}

}  // namespace

InputTileComputer::InputTileComputer(Core& core, const InputTiling& tiling, const Element& of)
    : TileComputer(core, init, tiling, of), tiling_(tiling) {}

cube::Sliding InputTileComputer::height() const {
  return {.length = tiling_.ho,
          .kernel = tiling_.hk,
          .dilation = tiling_.dilationH,
          .padding = tiling_.backpropPadUp,
          .spread = tiling_.strideH};
}

cube::Sliding InputTileComputer::width() const {
  return {.length = tiling_.wo,
          .kernel = tiling_.wk,
          .dilation = tiling_.dilationW,
          .padding = tiling_.backpropPadLeft,
          .spread = tiling_.strideW};
}

std::optional<std::int64_t> InputTileComputer::output_depth(std::int64_t depth,
                                                            std::int64_t kernel_depth) const {
  const std::int64_t spread = depth + tiling_.padFront - kernel_depth * tiling_.dilationD;
  if (spread < 0 || spread % tiling_.strideD != 0) return std::nullopt;
  const std::int64_t output = spread / tiling_.strideD;
  if (output >= tiling_.dout) return std::nullopt;
  return output;
}

void InputTileComputer::compute(Core& core, const InputTask& task, const InputTile& tile) {
  tile_ = tile;
  const std::int64_t last = tile.first_position + tile.positions - 1;
  rows_ = extent_read(height(), task.first_row(tiling_) + tile.first_position / tiling_.wi,
                      task.first_row(tiling_) + last / tiling_.wi);
  is_stored_ = false;
  clears_ = true;
  if (rows_.count == 0 && tiling_.initOutputFlag == 1) return;
  take_local_memory(core, task);
  for (std::int64_t kernel_depth = 0; kernel_depth < tiling_.dk; ++kernel_depth) {
    const auto output = output_depth(task.depth, kernel_depth);
    if (!output) continue;
    walk(
        task.output_blocks * taps, step(), tiling_.stepKa, tiling_.stepKb,
        [&](const Extent& part) { load_grad_output(core, task, *output, part); },
        [&](const Extent& part) { load_weight(core, task, kernel_depth, part); },
        [&](const Extent& part) { multiply(core, task, part); });
    is_stored_ = true;
  }
}

void InputTileComputer::take_local_memory(Core& core, const InputTask& task) {
  const std::int64_t all = task.output_blocks * taps;
  const std::int64_t blocks =
      blocks_touched(std::min(step() * tiling_.stepKa, all), taps, task.output_blocks);
  const std::int64_t weights = std::min(step() * tiling_.stepKb, all) * c0 * tile_.blocks * c0;
  take_l1(core, iterate, blocks * rows_.count * tiling_.wo * c0, weights);
}

void InputTileComputer::load_grad_output(Core& core, const InputTask& task,
                                         std::int64_t output_depth, const Extent& fractals) {
  left_block_ = fractals.first / taps;
  grad_output_ = {.blocks = (fractals.first + fractals.count - 1) / taps + 1 - left_block_,
                  .first_row = rows_.first,
                  .rows = rows_.count,
                  .columns = tiling_.wo,
                  .c0 = c0};
  const std::int64_t outputs = tiling_.group == 1 ? tiling_.cout : wide(tiling_.cout1) * c0;
  const MapPiece piece{
      .window = grad_output_,
      .first_block = output_depth * tiling_.cout1 + left_block_,
      .channels = outputs - left_block_ * c0,
      .height = tiling_.ho,
      .width = tiling_.wo,
      .first_row = task.expanded_row < 0 ? 0 : cube::blocks_of(task.expanded_row, tiling_.strideH)};
  load_map(core, {iterate, "gradOutput"}, task.grad_output, piece, left);
}

void InputTileComputer::load_weight(Core& core, const InputTask& task, std::int64_t kernel_depth,
                                    const Extent& fractals) {
  const std::int64_t padded = cube::rounded_up(wide(tiling_.cout1G) * c0, cube::cube_edge);
  const std::int64_t first_block = fractals.first / taps;
  const std::int64_t blocks = (fractals.first + fractals.count - 1) / taps + 1 - first_block;
  const std::int64_t outputs = blocks * c0;
  staging.clear(tile_.blocks * taps * outputs * c0 * element.bytes);
  for (std::int64_t block = 0; block < tile_.blocks; ++block) {
    const std::int64_t plane = kernel_depth * tiling_.cin1G + tile_.first_block + block;
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      const std::int64_t row = (plane * taps + tap) * padded + first_block * c0;
      staging.append(core, {iterate, "weight"}, task.operand, static_cast<std::uint64_t>(row * c0),
                     outputs * c0);
    }
  }
  const std::int64_t existing = tiling_.group == 1 ? tiling_.cout : wide(tiling_.cout1G) * c0;
  cube::GlobalWeight weight{.first = staging.data(),
                            .format = element.format,
                            .outputs = std::min(outputs, existing - first_block * c0),
                            .channels = tile_.blocks * c0,
                            .taps = taps,
                            .c0 = c0,
                            .block_step = taps * outputs * c0,
                            .tap_step = outputs * c0,
                            .output_step = c0};
  const cube::WeightBlock part{.first_fractal = fractals.first - first_block * taps,
                               .fractals = fractals.count,
                               .results = tile_.blocks * c0};
  cube::load_weight(weight, part, right.l1);
  weights_ = fractals;
  look_at(right, part.elements(c0));
}

void InputTileComputer::multiply(const Core& core, const InputTask& task, const Extent& fractals) {
  const cube::ImageToColumn columns{
      .height = height(),
      .width = width(),
      .output_width = tiling_.wi,
      .first_position = task.first_row(tiling_) * tiling_.wi + tile_.first_position,
      .positions = tile_.positions,
      .first_fractal = fractals.first - left_block_ * taps,
      .fractals = fractals.count,
      .padding = padding()};
  cube::load_left(columns, grad_output_, left.l1, cube::LeftOrder::Zz, l0.a);

  const std::int64_t results = tile_.blocks * c0;
  const cube::WeightBlock part{.fractals = fractals.count, .results = results};
  const auto skipped = static_cast<std::size_t>((fractals.first - weights_.first) * c0 * results);
  cube::load_weight_right(part, c0, right.l1.subspan(skipped), l0.b);

  multiply_blocks(
      core, {.m = tile_.positions, .n = results, .k = fractals.count * c0, .clears = clears_});
  clears_ = false;
}

std::optional<FinishedTile> InputTileComputer::finished(const Core& core) const {
  if (!is_stored_) return std::nullopt;
  return FinishedTile(core, l0.c, {tile_.positions, tile_.blocks * c0, c0}, element.format);
}

}  // namespace gradproof::kernel::ascendc
