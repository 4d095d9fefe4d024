#include "kernel/ascendc/input_tile.h"

#include <algorithm>

#include "kernel/cube/marks.h"
#include "kernel/cube/mmad.h"

namespace gradproof::kernel::ascendc {
namespace {

constexpr const char* init = "Conv3DBackpropInput::Init";
constexpr const char* iterate = "Conv3DBackpropInput::Iterate";

std::int64_t wide(std::uint32_t value) { return value; }

/// K fractals of one step in L1.
std::int64_t step_of(std::uint32_t base_k, std::uint32_t steps, std::int64_t c0) {
  return wide(base_k) / c0 * steps;
}

/// Blocks of channels that `fractals` neighbouring K fractals touch at most.
std::int64_t blocks_touched(std::int64_t fractals, std::int64_t taps, std::int64_t blocks) {
  return std::min((fractals + taps - 2) / taps + 1, blocks);
}

}  // namespace

InputTileComputer::InputTileComputer(Core& core, const InputTiling& tiling, const Element& element)
    : tiling_(tiling),
      element_(element),
      buffers_(core.settings().product),
      l0_(allocate_l0(core, init, *buffers_, tiling, element.bytes)) {}

std::int64_t InputTileComputer::taps() const { return wide(tiling_.hk) * tiling_.wk; }

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

InputTileComputer::Rows InputTileComputer::rows_read(const InputTask& task,
                                                     const InputTile& tile) const {
  const std::int64_t first = task.first_row(tiling_) + tile.first_position / tiling_.wi;
  const std::int64_t last =
      task.first_row(tiling_) + (tile.first_position + tile.positions - 1) / tiling_.wi;
  std::int64_t lowest = tiling_.ho, highest = -1;
  const cube::Sliding sliding = height();
  for (std::int64_t row = first; row <= last; ++row) {
    for (std::int64_t tap = 0; tap < sliding.kernel; ++tap) {
      const std::int64_t read = sliding.element(row, tap);
      if (read == cube::Sliding::nothing) continue;
      lowest = std::min(lowest, read);
      highest = std::max(highest, read);
    }
  }
  return highest < lowest ? Rows{} : Rows{lowest, highest - lowest + 1};
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
  rows_ = rows_read(task, tile);
  is_stored_ = false;
  clears_ = true;
  if (rows_.count == 0 && tiling_.initOutputFlag == 1) return;
  take_local_memory(core, task);
  for (std::int64_t kernel_depth = 0; kernel_depth < tiling_.dk; ++kernel_depth) {
    const auto output = output_depth(task.depth, kernel_depth);
    if (!output) continue;
    accumulate(core, task, kernel_depth, *output);
    is_stored_ = true;
  }
}

void InputTileComputer::take_local_memory(Core& core, const InputTask& task) {
  const std::int64_t c0 = element_.c0();
  const std::int64_t left_fractals = step_of(tiling_.baseK, tiling_.stepKa, c0);
  const std::int64_t all = task.output_blocks * taps();
  const std::int64_t left =
      blocks_touched(std::min(left_fractals, all), taps(), task.output_blocks) * rows_.count *
      tiling_.wo * c0;
  const std::int64_t right =
      std::min(step_of(tiling_.baseK, tiling_.stepKb, c0), all) * c0 * tile_.blocks * c0;
  buffers_->l1.release();
  l1_left_ = allocate(core, iterate, buffers_->l1, left * tiling_.al1Pbuffer, element_.bytes);
  l1_right_ = allocate(core, iterate, buffers_->l1, right * tiling_.bl1Pbuffer, element_.bytes);
}

void InputTileComputer::accumulate(Core& core, const InputTask& task, std::int64_t kernel_depth,
                                   std::int64_t output_depth) {
  const std::int64_t c0 = element_.c0();
  const std::int64_t all = task.output_blocks * taps();
  const std::int64_t step = step_of(tiling_.baseK, 1, c0);
  const std::int64_t left_step = step_of(tiling_.baseK, tiling_.stepKa, c0);
  const std::int64_t right_step = step_of(tiling_.baseK, tiling_.stepKb, c0);
  for (std::int64_t first = 0; first < all; first += step) {
    if (first % left_step == 0) {
      load_grad_output(core, task, output_depth, {first, std::min(left_step, all - first)});
    }
    if (first % right_step == 0) {
      load_weight(core, task, kernel_depth, {first, std::min(right_step, all - first)});
    }
    multiply(core, task, {first, std::min(step, all - first)});
  }
}

void InputTileComputer::load_grad_output(Core& core, const InputTask& task,
                                         std::int64_t output_depth, const Reach& reach) {
  const std::int64_t c0 = element_.c0();
  left_block_ = reach.first / taps();
  window_ = {.blocks = (reach.first + reach.count - 1) / taps() + 1 - left_block_,
             .first_row = rows_.first,
             .rows = rows_.count,
             .columns = tiling_.wo,
             .c0 = c0};
  const std::int64_t base_row =  // where the tensor given to SetGradOutput begins
      task.expanded_row < 0 ? 0 : cube::blocks_of(task.expanded_row, tiling_.strideH);
  const std::int64_t row = wide(tiling_.wo) * c0;
  staging_.clear(window_.elements() * element_.bytes);
  for (std::int64_t block = left_block_; rows_.count > 0 && block < left_block_ + window_.blocks;
       ++block) {
    const std::int64_t plane = output_depth * tiling_.cout1 + block;
    staging_.append(
        core, {iterate, "gradOutput"}, task.grad_output,
        static_cast<std::uint64_t>(plane * tiling_.ho * row + (rows_.first - base_row) * row),
        rows_.count * row);
  }
  // Channels past Cout are padding: whatever memory holds there, they add nothing.
  const std::int64_t outputs = tiling_.group == 1 ? tiling_.cout : wide(tiling_.cout1) * c0;
  cube::GlobalPlane plane = cube::channel_block_plane(
      staging_.data(), element_.format, std::min(window_.blocks * c0, outputs - left_block_ * c0),
      c0, rows_.count, tiling_.wo);
  cube::PlaneWindow whole = window_;
  whole.first_row = 0;
  cube::load_window(plane, whole, l1_left_);
  left_is_finite_ =
      are_finite(l1_left_.first(static_cast<std::size_t>(whole.elements())), tiling_.hf32Flag == 1);
}

void InputTileComputer::load_weight(Core& core, const InputTask& task, std::int64_t kernel_depth,
                                    const Reach& reach) {
  const std::int64_t c0 = element_.c0();
  const std::int64_t padded = cube::rounded_up(wide(tiling_.cout1G) * c0, cube::cube_edge);
  const std::int64_t first_block = reach.first / taps();
  const std::int64_t blocks = (reach.first + reach.count - 1) / taps() + 1 - first_block;
  const std::int64_t outputs = blocks * c0;
  staging_.clear(tile_.blocks * taps() * outputs * c0 * element_.bytes);
  for (std::int64_t block = 0; block < tile_.blocks; ++block) {
    const std::int64_t plane = kernel_depth * tiling_.cin1G + tile_.first_block + block;
    for (std::int64_t tap = 0; tap < taps(); ++tap) {
      const std::int64_t row = (plane * taps() + tap) * padded + first_block * c0;
      staging_.append(core, {iterate, "weight"}, task.weight, static_cast<std::uint64_t>(row * c0),
                      outputs * c0);
    }
  }
  const std::int64_t existing = tiling_.group == 1 ? tiling_.cout : wide(tiling_.cout1G) * c0;
  cube::GlobalWeight weight{.first = staging_.data(),
                            .format = element_.format,
                            .outputs = std::min(outputs, existing - first_block * c0),
                            .channels = tile_.blocks * c0,
                            .taps = taps(),
                            .c0 = c0,
                            .block_step = taps() * outputs * c0,
                            .tap_step = outputs * c0,
                            .output_step = c0};
  const cube::WeightBlock part{.first_fractal = reach.first - first_block * taps(),
                               .fractals = reach.count,
                               .results = tile_.blocks * c0};
  cube::load_weight(weight, part, l1_right_);
  weights_ = reach;
  right_is_finite_ = are_finite(l1_right_.first(static_cast<std::size_t>(part.elements(c0))),
                                tiling_.hf32Flag == 1);
}

void InputTileComputer::multiply(const Core& core, const InputTask& task, const Reach& reach) {
  const std::int64_t c0 = element_.c0();
  const bool is_finite = left_is_finite_ && right_is_finite_;
  const cube::ImageToColumn columns{
      .height = height(),
      .width = width(),
      .output_width = tiling_.wi,
      .first_position = task.first_row(tiling_) * tiling_.wi + tile_.first_position,
      .positions = tile_.positions,
      .first_fractal = reach.first - left_block_ * taps(),
      .fractals = reach.count,
      .padding = is_finite ? 0.0F : cube::absent};
  cube::load_left(columns, window_, l1_left_, cube::LeftOrder::Zz, l0_.a);

  const std::int64_t results = tile_.blocks * c0;
  const cube::WeightBlock part{.fractals = reach.count, .results = results};
  const auto skipped = static_cast<std::size_t>((reach.first - weights_.first) * c0 * results);
  cube::load_weight_right(part, c0, l1_right_.subspan(skipped), l0_.b);

  const cube::Mmad instruction{.m = tile_.positions,
                               .n = results,
                               .k = reach.count * c0,
                               .c0 = c0,
                               .clears = clears_,
                               .overflow = core.settings().overflow,
                               .fuses_products = core.settings().fuses_products,
                               .hf32 = hf32_of(core, tiling_.hf32Flag == 1, element_),
                               .operands_are_finite = is_finite};
  cube::mmad(instruction, l0_.a, l0_.b, l0_.c);
  clears_ = false;
}

std::optional<FinishedTile> InputTileComputer::finished(const Core& core) const {
  if (!is_stored_) return std::nullopt;
  const FinishedTile::Shape shape{tile_.positions, tile_.blocks * element_.c0(), element_.c0()};
  return FinishedTile(core, l0_.c, shape, element_.format);
}

}  // namespace gradproof::kernel::ascendc
