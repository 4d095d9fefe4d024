#include "kernel/ascendc/filter_tile.h"

#include <algorithm>
#include <limits>

#include "kernel/cube/marks.h"
#include "kernel/cube/mmad.h"

namespace gradproof::kernel::ascendc {
namespace {

constexpr const char* init = "Conv3DBackpropFilter::Init";
constexpr const char* iterate = "Conv3DBackpropFilter::Iterate";

std::int64_t wide(std::uint32_t value) { return value; }

/// The first and last element of a map that windows first to last read along one axis.
struct Extent {
  std::int64_t first = 0, count = 0;
};

Extent extent_read(const cube::Sliding& sliding, std::int64_t first, std::int64_t last) {
  std::int64_t lowest = sliding.length, highest = -1;
  for (std::int64_t position = first; position <= last; ++position) {
    for (std::int64_t tap = 0; tap < sliding.kernel; ++tap) {
      const std::int64_t read = sliding.element(position, tap);
      if (read == cube::Sliding::nothing) continue;
      lowest = std::min(lowest, read);
      highest = std::max(highest, read);
    }
  }
  return highest < lowest ? Extent{} : Extent{lowest, highest - lowest + 1};
}

}  // namespace

FilterTileComputer::FilterTileComputer(Core& core, const FilterTiling& tiling,
                                       const Element& element)
    : tiling_(tiling),
      element_(element),
      buffers_(core.settings().product),
      l0_(allocate_l0(core, init, *buffers_, tiling, element.bytes)) {}

std::int64_t FilterTileComputer::taps() const { return wide(tiling_.hk) * tiling_.wk; }

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
                                                   const Reach& reach) const {
  const std::int64_t wo = tiling_.wo;
  const std::int64_t last = reach.first + reach.count - 1;
  const bool is_in_one_row = reach.first / wo == last / wo;
  const Extent rows =
      extent_read(height(), task.first_row + reach.first / wo, task.first_row + last / wo);
  const Extent columns =
      is_in_one_row ? extent_read(width(), reach.first % wo, last % wo) : Extent{0, tiling_.wi};
  const std::int64_t first_block = tile_.first_fractal / taps();
  const std::int64_t last_block = (tile_.first_fractal + tile_.fractals - 1) / taps();
  return {.blocks = last_block - first_block + 1,
          .first_row = rows.first,
          .rows = columns.count == 0 ? 0 : rows.count,
          .first_column = columns.first,
          .columns = columns.count,
          .c0 = element_.c0()};
}

void FilterTileComputer::compute(Core& core, const FilterTask& task, const FilterTile& tile) {
  tile_ = tile;
  clears_ = true;
  take_local_memory(core, task);
  const std::int64_t base = tiling_.baseK;
  const std::int64_t left_step = base * tiling_.stepKa;
  const std::int64_t right_step = base * tiling_.stepKb;
  for (std::int64_t first = 0; first < task.positions; first += base) {
    const std::int64_t rest = task.positions - first;
    if (first % left_step == 0) load_grad_output(core, task, {first, std::min(left_step, rest)});
    if (first % right_step == 0) load_input(core, task, {first, std::min(right_step, rest)});
    multiply(core, task, {first, std::min(base, rest)});
  }
}

void FilterTileComputer::take_local_memory(Core& core, const FilterTask& task) {
  const std::int64_t c0 = element_.c0();
  const std::int64_t left_step = std::min(wide(tiling_.baseK) * tiling_.stepKa, task.positions);
  const std::int64_t right_step = std::min(wide(tiling_.baseK) * tiling_.stepKb, task.positions);
  std::int64_t right = 0;
  for (std::int64_t first = 0; first < task.positions; first += right_step) {
    const Reach reach{first, std::min(right_step, task.positions - first)};
    right = std::max(right, input_window(task, reach).elements());
  }
  const std::int64_t left = cube::rounded_up(tile_.outputs, c0) * left_step;
  buffers_->l1.release();
  l1_left_ = allocate(core, iterate, buffers_->l1, left * tiling_.al1Pbuffer, element_.bytes);
  l1_right_ = allocate(core, iterate, buffers_->l1, right * tiling_.bl1Pbuffer, element_.bytes);
}

void FilterTileComputer::load_grad_output(Core& core, const FilterTask& task, const Reach& reach) {
  const std::int64_t c0 = element_.c0();
  const std::int64_t first_block = tile_.first_output / c0;
  left_ = {.blocks = cube::blocks_of(tile_.outputs, c0),
           .rows = 1,
           .first_column = reach.first,
           .columns = reach.count,
           .c0 = c0};
  const std::int64_t plane = wide(tiling_.ho) * tiling_.wo * c0;
  staging_.clear(left_.elements() * element_.bytes);
  for (std::int64_t block = 0; block < left_.blocks; ++block) {
    staging_.append(core, {iterate, "gradOutput"}, task.grad_output,
                    static_cast<std::uint64_t>((first_block + block) * plane + reach.first * c0),
                    reach.count * c0);
  }
  const cube::GlobalPlane staged = cube::channel_block_plane(staging_.data(), element_.format,
                                                             tile_.outputs, c0, 1, reach.count);
  cube::PlaneWindow whole = left_;
  whole.first_column = 0;
  cube::load_window(staged, whole, l1_left_);
  left_is_finite_ =
      are_finite(l1_left_.first(static_cast<std::size_t>(left_.elements())), tiling_.hf32Flag == 1);
}

void FilterTileComputer::load_input(Core& core, const FilterTask& task, const Reach& reach) {
  const std::int64_t c0 = element_.c0();
  right_ = input_window(task, reach);
  const std::int64_t first_block = tile_.first_fractal / taps();
  const std::int64_t base_row =  // where the tensor given to SetInput begins
      std::max<std::int64_t>(task.first_row * tiling_.strideH - wide(tiling_.padUp), 0);
  const std::int64_t row = wide(tiling_.wi) * c0;
  staging_.clear(right_.elements() * element_.bytes);
  for (std::int64_t block = 0; block < right_.blocks; ++block) {
    for (std::int64_t i = 0; i < right_.rows; ++i) {
      const std::int64_t first = (first_block + block) * tiling_.hi * row +
                                 (right_.first_row + i - base_row) * row + right_.first_column * c0;
      staging_.append(core, {iterate, "input"}, task.input, static_cast<std::uint64_t>(first),
                      right_.columns * c0);
    }
  }
  // Channels past Cin are padding: whatever memory holds there, they are read as 0.
  const std::int64_t channels = tiling_.group == 1 ? tiling_.cin : wide(tiling_.cin1G) * c0;
  const cube::GlobalPlane staged = cube::channel_block_plane(
      staging_.data(), element_.format, std::min(right_.blocks * c0, channels - first_block * c0),
      c0, right_.rows, right_.columns);
  cube::PlaneWindow whole = right_;
  whole.first_row = whole.first_column = 0;
  cube::load_window(staged, whole, l1_right_);
  right_is_finite_ = are_finite(l1_right_.first(static_cast<std::size_t>(right_.elements())),
                                tiling_.hf32Flag == 1);
}

void FilterTileComputer::multiply(const Core& core, const FilterTask& task, const Reach& reach) {
  const std::int64_t c0 = element_.c0();
  const bool is_finite = left_is_finite_ && right_is_finite_;
  const cube::PositionRange all_in_one_row{.width = std::numeric_limits<std::int64_t>::max(),
                                           .first = reach.first,
                                           .count = reach.count};
  cube::load_left_transposed(all_in_one_row, left_.blocks * c0, left_, l1_left_,
                             cube::LeftOrder::Zz, l0_.a);
  const cube::ImageToColumn columns{
      .height = height(),
      .width = width(),
      .output_width = tiling_.wo,
      .first_position = task.first_row * tiling_.wo + reach.first,
      .positions = reach.count,
      .first_fractal = tile_.first_fractal - tile_.first_fractal / taps() * taps(),
      .fractals = tile_.fractals,
      .padding = is_finite ? 0.0F : cube::absent};
  cube::load_right(columns, right_, l1_right_, l0_.b);

  const cube::Mmad instruction{.m = tile_.outputs,
                               .n = tile_.fractals * c0,
                               .k = reach.count,
                               .c0 = c0,
                               .clears = clears_,
                               .overflow = core.settings().overflow,
                               .fuses_products = core.settings().fuses_products,
                               .hf32 = hf32_of(core, tiling_.hf32Flag == 1, element_),
                               .operands_are_finite = is_finite};
  cube::mmad(instruction, l0_.a, l0_.b, l0_.c);
  clears_ = false;
}

FinishedTile FilterTileComputer::finished(const Core& core) const {
  const FinishedTile::Shape shape{tile_.outputs, tile_.fractals * element_.c0(), element_.c0()};
  return FinishedTile(core, l0_.c, shape, numeric::Format::Binary32);
}

}  // namespace gradproof::kernel::ascendc
