#include "kernel/cube/load.h"

#include <algorithm>
#include <cstring>

#include "kernel/cube/check.h"

namespace gradproof::kernel::cube {
namespace {

std::int64_t size_of(std::span<const float> buffer) {
  return static_cast<std::int64_t>(buffer.size());
}

/// Decodes `count` elements `step` apart.
template <typename Codec>
void decode(const std::byte* first, std::int64_t index, std::int64_t step, std::int64_t count,
            float* values) {
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] = numeric::load<Codec>(first, index + i * step);
  }
}

/// Where the channels of one position, or of one output and tap, lie in global memory.
struct Lanes {
  const std::byte* first;
  std::int64_t c0, block_step, channel_step;

  /// Decodes the `present` channels from number `channel` on, and fills up to c0 with zeros. They
  /// may begin inside a block and end in the next.
  template <typename Codec>
  void decode_block(std::int64_t start, std::int64_t channel, std::int64_t present,
                    float* values) const {
    const std::int64_t inside = channel % c0;
    const std::int64_t here = std::min(present, c0 - inside);
    const std::int64_t block = start + channel / c0 * block_step;
    decode<Codec>(first, block + inside * channel_step, channel_step, here, values);
    decode<Codec>(first, block + block_step, channel_step, present - here, values + here);
    std::fill(values + present, values + c0, 0.0F);
  }
};

/// Loads one row of a window: columns of c0 channels, of which the first `present` exist.
template <typename Codec>
void load_row(const GlobalPlane& plane, std::int64_t start, std::int64_t channel,
              std::int64_t columns, std::int64_t present, float* values) {
  const bool is_private = plane.channel_step == 1 && plane.column_step == plane.c0;
  if (is_private && present == plane.c0 && channel % plane.c0 == 0) {
    decode<Codec>(plane.first, start + channel / plane.c0 * plane.block_step, 1, columns * plane.c0,
                  values);
    return;
  }
  const Lanes lanes{plane.first, plane.c0, plane.block_step, plane.channel_step};
  for (std::int64_t column = 0; column < columns; ++column, values += plane.c0) {
    lanes.decode_block<Codec>(start + column * plane.column_step, channel, present, values);
  }
}

/// Steps between the fractals of the left matrix (M rows, K columns) in L0A.
struct LeftSteps {
  std::int64_t down, across;

  LeftSteps(LeftOrder order, std::int64_t m, std::int64_t k, std::int64_t c0)
      : down(order == LeftOrder::Zz ? blocks_of(k, c0) * cube_edge * c0 : cube_edge * c0),
        across(order == LeftOrder::Zz ? cube_edge * c0 : rounded_up(m, cube_edge) * c0) {}

  std::int64_t row(std::int64_t m, std::int64_t c0) const {
    return m / cube_edge * down + m % cube_edge * c0;
  }
};

/// The c1, kh, kw that a K fractal stands for.
struct FractalTap {
  std::int64_t block, height, width;

  FractalTap(const ImageToColumn& columns, std::int64_t fractal)
      : block(fractal / columns.taps()),
        height(fractal % columns.taps() / columns.width.kernel),
        width(fractal % columns.width.kernel) {}
};

/// Calls `visit(i, channels)` for each position of one K fractal, with its c0 channels in L1, or
/// null where there is none.
template <typename Visit>
void for_each_position(const ImageToColumn& columns, const FractalTap& tap,
                       const PlaneWindow& window, const float* l1, const Visit& visit) {
  std::int64_t row = columns.first_position / columns.output_width;
  std::int64_t column = columns.first_position % columns.output_width;
  std::int64_t height = columns.height.element(row, tap.height);
  for (std::int64_t i = 0; i < columns.positions; ++i) {
    const std::int64_t width =
        height == Sliding::nothing ? Sliding::nothing : columns.width.element(column, tap.width);
    if (width == Sliding::nothing) {
      visit(i, nullptr);
    } else {
      check(window.holds(tap.block, height, width), "image to column reads what L1 holds");
      visit(i, l1 + window.index(tap.block, height, width));
    }
    if (++column == columns.output_width) {
      column = 0;
      height = columns.height.element(++row, tap.height);
    }
  }
}

/// Copies c0 elements, or fills them where there are none.
void place(const float* channels, std::int64_t c0, float padding, float* values) {
  if (channels == nullptr) {
    std::fill(values, values + c0, padding);
  } else {
    std::memcpy(values, channels, static_cast<std::size_t>(c0) * sizeof *values);
  }
}

/// Loads one K fractal of a weight summed over outputs: for each block of results, c0 outputs of c0
/// channels.
template <typename Codec>
void load_outputs(const GlobalWeight& weight, const WeightBlock& block, std::int64_t fractal,
                  float* values) {
  const std::int64_t c0 = weight.c0;
  const Lanes lanes{weight.first, c0, weight.block_step, weight.channel_step};
  const std::int64_t tap = weight.taps - 1 - fractal % weight.taps;  // rotated by 180 degrees
  const std::int64_t first_output = fractal / weight.taps * c0;
  for (std::int64_t result = 0; result < block.results; result += c0) {
    const std::int64_t channel = block.first_result + result;
    const std::int64_t present = std::clamp<std::int64_t>(weight.channels - channel, 0, c0);
    for (std::int64_t k = 0; k < c0; ++k, values += c0) {
      const std::int64_t output = first_output + k;
      const std::int64_t start =
          tap * weight.tap_step + (weight.first_output + output) * weight.output_step;
      lanes.decode_block<Codec>(start, weight.first_channel + channel,
                                output < weight.outputs ? present : 0, values);
    }
  }
}

/// Loads one K fractal of a weight summed over channels: for each result c0 channels.
template <typename Codec>
void load_channels(const GlobalWeight& weight, const WeightBlock& block, std::int64_t fractal,
                   float* values) {
  const std::int64_t c0 = weight.c0;
  const Lanes lanes{weight.first, c0, weight.block_step, weight.channel_step};
  const std::int64_t channel = fractal / weight.taps * c0;
  const std::int64_t present = std::min(c0, weight.channels - channel);
  const std::int64_t rows = rounded_up(block.results, cube_edge);
  for (std::int64_t n = 0; n < rows; ++n, values += c0) {
    const std::int64_t output = block.first_result + n;
    const std::int64_t start = fractal % weight.taps * weight.tap_step +
                               (weight.first_output + output) * weight.output_step;
    lanes.decode_block<Codec>(start, weight.first_channel + channel,
                              output < weight.outputs ? present : 0, values);
  }
}

}  // namespace

void load_window(const GlobalPlane& plane, const PlaneWindow& window, std::span<float> l1) {
  check(window.c0 == plane.c0 && size_of(l1) >= window.elements(), "L1 holds the window loaded");
  float* values = l1.data();
  const std::int64_t line = window.columns * window.c0;
  numeric::with_codec(plane.format, [&](auto codec) {
    for (std::int64_t block = window.first_block; block < window.first_block + window.blocks;
         ++block) {
      const std::int64_t present = std::min(plane.c0, plane.channels - block * plane.c0);
      const std::int64_t existing = std::max<std::int64_t>(present, 0);  // blocks may lie past them
      const std::int64_t start = window.first_column * plane.column_step;
      const std::int64_t channel = plane.first_channel + block * plane.c0;
      for (std::int64_t row = 0; row < window.rows; ++row, values += line) {
        load_row<decltype(codec)>(plane, start + (window.first_row + row) * plane.row_step, channel,
                                  window.columns, existing, values);
      }
    }
  });
}

void load_left(const ImageToColumn& columns, const PlaneWindow& window, std::span<const float> l1,
               LeftOrder order, std::span<float> l0a) {
  const std::int64_t c0 = window.c0;
  const LeftSteps steps(order, columns.positions, columns.fractals * c0, c0);
  check(size_of(l0a) >= rounded_up(columns.positions, cube_edge) * columns.fractals * c0,
        "L0A holds the fractals loaded");
  for (std::int64_t fractal = 0; fractal < columns.fractals; ++fractal) {
    const FractalTap tap(columns, columns.first_fractal + fractal);
    float* const start = l0a.data() + fractal * steps.across;
    for_each_position(columns, tap, window, l1.data(), [&](std::int64_t m, const float* channels) {
      place(channels, c0, columns.padding, start + steps.row(m, c0));
    });
  }
}

void load_right(const ImageToColumn& columns, const PlaneWindow& window, std::span<const float> l1,
                std::span<float> l0b) {
  const std::int64_t c0 = window.c0;
  const std::int64_t across = rounded_up(columns.fractals * c0, cube_edge);
  check(size_of(l0b) >= rounded_up(columns.positions, c0) * across,
        "L0B holds the fractals loaded");
  for (std::int64_t fractal = 0; fractal < columns.fractals; ++fractal) {
    const FractalTap tap(columns, columns.first_fractal + fractal);
    // Columns of c0 K elements each: the fractal's first column, then its c0 columns.
    float* const start = l0b.data() + fractal * c0 * c0;
    for_each_position(columns, tap, window, l1.data(), [&](std::int64_t k, const float* channels) {
      float* const first = start + k / c0 * across * c0 + k % c0;
      for (std::int64_t c = 0; c < c0; ++c) {
        first[c * c0] = channels == nullptr ? columns.padding : channels[c];
      }
    });
  }
}

void load_left_transposed(const PositionRange& positions, std::int64_t channels,
                          const PlaneWindow& window, std::span<const float> l1, LeftOrder order,
                          std::span<float> l0a) {
  const std::int64_t c0 = window.c0;
  const LeftSteps steps(order, channels, positions.count, c0);
  check(channels <= window.blocks * c0, "a transposing load reads what L1 holds");
  check(size_of(l0a) >= rounded_up(channels, cube_edge) * rounded_up(positions.count, c0),
        "L0A holds the fractals loaded");
  for (std::int64_t k = 0; k < positions.count; ++k) {
    const std::int64_t position = positions.first + k;
    const std::int64_t row = position / positions.width;
    const std::int64_t column = position % positions.width;
    check(window.holds(window.first_block, row, column), "a transposing load reads what L1 holds");
    float* const start = l0a.data() + k / c0 * steps.across + k % c0;
    for (std::int64_t m = 0; m < channels; m += c0) {
      const float* const lanes = l1.data() + window.index(window.first_block + m / c0, row, column);
      const std::int64_t count = std::min(c0, channels - m);
      for (std::int64_t c = 0; c < count; ++c) start[steps.row(m + c, c0)] = lanes[c];
    }
  }
}

void load_weight(const GlobalWeight& weight, const WeightBlock& block, std::span<float> l1) {
  check(size_of(l1) >= block.elements(weight.c0), "L1 holds the weights loaded");
  const std::int64_t step = block.fractals == 0 ? 0 : block.elements(weight.c0) / block.fractals;
  numeric::with_codec(weight.format, [&](auto codec) {
    using Codec = decltype(codec);
    for (std::int64_t i = 0; i < block.fractals; ++i) {
      float* const values = l1.data() + i * step;
      block.summed == SummedOver::Outputs
          ? load_outputs<Codec>(weight, block, block.first_fractal + i, values)
          : load_channels<Codec>(weight, block, block.first_fractal + i, values);
    }
  });
}

void load_weight_right(const WeightBlock& block, std::int64_t c0, std::span<const float> l1,
                       std::span<float> l0b) {
  const std::int64_t columns = rounded_up(block.results, cube_edge);
  check(size_of(l0b) >= block.fractals * c0 * columns, "L0B holds the weights loaded");
  if (block.summed == SummedOver::Channels) {
    std::copy_n(l1.data(), block.elements(c0), l0b.data());
    return;
  }
  const std::int64_t loaded = rounded_up(block.results, c0);
  for (std::int64_t fractal = 0; fractal < block.fractals; ++fractal) {
    const float* const from = l1.data() + fractal * loaded * c0;
    float* const to = l0b.data() + fractal * columns * c0;
    for (std::int64_t n = 0; n < columns; ++n) {
      for (std::int64_t k = 0; k < c0; ++k) {
        to[n * c0 + k] = n < loaded ? from[(n / c0 * c0 + k) * c0 + n % c0] : 0.0F;
      }
    }
  }
}

void load_bias(const float* bias, std::int64_t m, std::int64_t n, std::span<float> l0c) {
  const std::int64_t rows = rounded_up(m, cube_edge);
  for (std::int64_t column = 0; column < n; ++column) {
    const std::int64_t first = (column / cube_edge * rows) * cube_edge + column % cube_edge;
    for (std::int64_t row = 0; row < m; ++row) {
      l0c[static_cast<std::size_t>(first + row * cube_edge)] = bias[column];
    }
  }
}

}  // namespace gradproof::kernel::cube
