#include "kernel/ascendc/tile_computer.h"

#include "kernel/cube/marks.h"
#include "kernel/cube/mmad.h"

namespace gradproof::kernel::ascendc {

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

void TileComputer::take_l1(Core& core, const char* call, std::int64_t left_elements,
                           std::int64_t right_elements) {
  buffers->l1.release();
  left.l1 = allocate(core, call, buffers->l1, left_elements * left_buffers_, element.bytes);
  right.l1 = allocate(core, call, buffers->l1, right_elements * right_buffers_, element.bytes);
}

void TileComputer::load_map(Core& core, const Touch& touch, const GlobalWindow& map,
                            const MapPiece& piece, Operand& to) {
  const cube::PlaneWindow& window = piece.window;
  const std::int64_t row = piece.width * c0;
  // Whole rows lie next to each other.
  const bool is_wide = window.columns == piece.width;
  const std::int64_t runs = is_wide ? std::min<std::int64_t>(window.rows, 1) : window.rows;
  const std::int64_t length = is_wide ? window.rows * row : window.columns * c0;
  staging.clear(window.elements() * element.bytes);
  for (std::int64_t block = 0; block < window.blocks; ++block) {
    const std::int64_t plane = (piece.first_block + block) * piece.height * row;
    for (std::int64_t i = 0; i < runs; ++i) {
      const std::int64_t at_row = window.first_row + i - piece.first_row;
      const std::int64_t first = plane + at_row * row + window.first_column * c0;
      staging.append(core, touch, map, static_cast<std::uint64_t>(first), length);
    }
  }
  const cube::GlobalPlane staged = cube::channel_block_plane(
      staging.data(), element.format, std::min(window.blocks * c0, piece.channels), c0, window.rows,
      window.columns);
  cube::PlaneWindow whole = window;
  whole.first_row = whole.first_column = 0;
  cube::load_window(staged, whole, to.l1);
  look_at(to, window.elements());
}

void TileComputer::look_at(Operand& loaded, std::int64_t elements) const {
  loaded.is_finite = are_finite(loaded.l1.first(static_cast<std::size_t>(elements)), is_hf32_);
}

float TileComputer::padding() const {
  return left.is_finite && right.is_finite ? 0.0F : cube::absent;
}

void TileComputer::multiply_blocks(const Core& core, const Product& product) {
  const cube::Mmad instruction{.m = product.m,
                               .n = product.n,
                               .k = product.k,
                               .c0 = c0,
                               .clears = product.clears,
                               .overflow = core.settings().overflow,
                               .fuses_products = core.settings().fuses_products,
                               .hf32 = hf32_of(core, is_hf32_, element),
                               .operands_are_finite = left.is_finite && right.is_finite};
  cube::mmad(instruction, l0.a, l0.b, l0.c);
}

}  // namespace gradproof::kernel::ascendc
