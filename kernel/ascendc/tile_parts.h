#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernel/ascendc/core/core.h"
#include "kernel/ascendc/core/window.h"
#include "kernel/cube/fixpipe.h"
#include "kernel/cube/fractal.h"
#include "kernel/cube/local_buffers.h"
#include "kernel/numeric/format.h"
#include "kernel/numeric/hf32.h"
#include "lib/conv_backprop/conv3d_bp_context.h"

// What the tiles of dx and dw have in common.
namespace gradproof::kernel::ascendc {

/// An element type of the API as the cube knows it.
struct Element {
  numeric::Format format = numeric::Format::Half;
  std::int64_t bytes = 2;

  std::int64_t c0() const { return 32 / bytes; }
};
Element element_of(ConvBackpropApi::simulation::ElementType type);

/// iterateOrder, ORDER_M: A is kept and N runs fastest.
inline constexpr std::uint32_t order_m = 0;

/// The tiles of a task, in the order in which Iterate computes them.
struct TileGrid {
  std::int64_t m = 0, n = 0;  ///< tiles along M and N
  bool n_is_fastest = false;  ///< iterateOrder 0, ORDER_M; else M is, ORDER_N

  struct Place {
    std::int64_t m = 0, n = 0;
  };
  std::int64_t count() const { return m * n; }
  Place at(std::int64_t number) const {
    return n_is_fastest ? Place{number / n, number % n} : Place{number % m, number / m};
  }
};

/// Ends the block where a tensor does not begin at a multiple of 32 bytes.
void require_aligned(Core& core, const char* call, const GlobalWindow& window);

/// Ends the block for what GetTensorC's arguments can't be.
void require_transfer(Core& core, const char* call, std::uint8_t atomic, bool is_sequential);

/// Elements of a local memory; where they do not fit, the block ends with buffer, size and
/// capacity.
std::span<float> allocate(Core& core, const char* call, cube::LocalBuffer& buffer,
                          std::int64_t elements, std::int64_t element_bytes);

/// The blocks of a tiling in L0, decoded.
struct L0Blocks {
  std::span<float> a, b, c;
};

/// Blocks in whole fractals, as many as the tiling's buffers say. Ends the block in the name of
/// `call` where they do not fit.
template <typename Tiling>
L0Blocks allocate_l0(Core& core, const char* call, cube::LocalBuffers& buffers,
                     const Tiling& tiling, std::int64_t element_bytes) {
  const std::int64_t rows = cube::rounded_up(tiling.baseM, cube::cube_edge);
  const std::int64_t columns = cube::rounded_up(tiling.baseN, cube::cube_edge);
  const std::int64_t depth = tiling.baseK;
  L0Blocks blocks;
  blocks.a = allocate(core, call, buffers.l0a, rows * depth * tiling.al0Pbuffer, element_bytes);
  blocks.b = allocate(core, call, buffers.l0b, columns * depth * tiling.bl0Pbuffer, element_bytes);
  blocks.c = allocate(core, call, buffers.l0c, rows * columns * tiling.cl0Pbuffer, sizeof(float));
  return blocks;
}

/// Mmad's conversion of FLOAT operands, where a tiling's hf32Flag asks for it.
std::optional<numeric::Hf32> hf32_of(const Core& core, bool is_wanted, const Element& element);

/// True if Mmad may treat every one of them as an ordinary number, also after HF32's rounding.
bool are_finite(std::span<const float> values, bool rounds_to_hf32);

/// A piece of global memory brought to the core, bounds checked, before L1 decodes it.
class Staging {
 public:
  void clear(std::int64_t bytes);

  /// Appends elements `first` to `first + count` - 1 of the window.
  void append(Core& core, const Touch& touch, const GlobalWindow& window, std::uint64_t first,
              std::int64_t count);

  const std::byte* data() const { return bytes_.data(); }

 private:
  std::vector<std::byte> bytes_;  ///< of the largest piece so far: zeros are written once
  std::size_t used_ = 0;
};

/// A finished tile in L0C on its way to global memory: rounded once, in blocks of c0 columns, each
/// block's rows next to each other.
class FinishedTile {
 public:
  struct Shape {
    std::int64_t rows = 0, columns = 0, c0 = 16;
  };
  FinishedTile(const Core& core, std::span<const float> l0c, const Shape& shape,
               numeric::Format format);

  /// Stores the rows of one block of columns at the window's element `first`, or adds them.
  void move(Core& core, const Touch& touch, const GlobalWindow& output, std::int64_t block,
            std::uint64_t first, bool adds) const;

 private:
  Shape shape_;
  numeric::Format format_;
  std::vector<std::byte> bytes_;
};

}  // namespace gradproof::kernel::ascendc
