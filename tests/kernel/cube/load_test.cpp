// Loads of the AI core: windows of feature maps, image to column, weights. Expected values are
// computed here from the definitions, element by element.

#include "kernel/cube/load.h"

#include "kernel/cube/marks.h"
#include "kernel/cube/weight_layout.h"
#include "tests/kernel/cube/matrix_layout.h"
#include "tests/support/drawn_values.h"
#include "tests/support/layout_storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace gradproof::kernel::cube {
namespace {

/// A feature map of one plane, as a function of its position, in memory as NC1HWC0.
struct Plane {
  std::int64_t channels, height, width, c0;
  std::vector<float> memory;

  Plane(std::int64_t c, std::int64_t h, std::int64_t w, std::int64_t block)
      : channels(c), height(h), width(w), c0(block) {
    memory.assign(static_cast<std::size_t>(blocks() * h * w * c0), 0.0F);
    for (std::int64_t i = 0; i < c * h * w; ++i) {
      const auto index = ((i / (h * w) / c0 * h + i / w % h) * w + i % w) * c0 + i / (h * w) % c0;
      memory[static_cast<std::size_t>(index)] = value(i / (h * w), i / w % h, i % w);
    }
  }
  std::int64_t blocks() const { return blocks_of(channels, c0); }
  float value(std::int64_t c, std::int64_t h, std::int64_t w) const {
    return c < channels ? static_cast<float>(1 + (c * height + h) * width + w) : 0.0F;
  }
  GlobalPlane global() const {
    return channel_block_plane(reinterpret_cast<const std::byte*>(memory.data()),
                               numeric::Format::Binary32, channels, c0, height, width);
  }
  PlaneWindow whole() const { return {0, blocks(), 0, height, 0, width, c0}; }
};

struct Unfolding {
  Plane plane;
  ImageToColumn columns;

  /// Row and column of the matrix, by the definition: spread, pad, slide.
  float expected(std::int64_t position, std::int64_t column) const {
    const std::int64_t fractal = columns.first_fractal + column / plane.c0;
    const std::int64_t taps = columns.height.kernel * columns.width.kernel;
    const std::int64_t c = fractal / taps * plane.c0 + column % plane.c0;
    const std::int64_t number = columns.first_position + position;
    const auto along = [](const Sliding& axis, std::int64_t at, std::int64_t tap) {
      for (std::int64_t i = 0; i < axis.length; ++i) {
        if (i * axis.spread + axis.padding == at * axis.stride + tap * axis.dilation) return i;
      }
      return std::int64_t{-1};
    };
    const auto h =
        along(columns.height, number / columns.output_width, fractal % taps / columns.width.kernel);
    const auto w =
        along(columns.width, number % columns.output_width, fractal % columns.width.kernel);
    return h < 0 || w < 0 ? columns.padding : plane.value(c, h, w);
  }
};

Sliding drawn_sliding(Draw& draw, std::int64_t length) {
  return {.length = length,
          .kernel = draw.between(1, 3),
          .stride = draw.between(1, 3),
          .dilation = draw.between(1, 3),
          .padding = draw.between(-2, 4),
          .spread = draw.between(1, 3)};
}

Unfolding drawn_unfolding(Draw& draw) {
  constexpr std::int64_t c0s[] = {8, 16, 32};
  Unfolding drawn{
      Plane(draw.between(1, 40), draw.between(1, 6), draw.between(1, 6), c0s[draw.between(0, 2)]),
      {}};
  ImageToColumn& columns = drawn.columns;
  columns.height = drawn_sliding(draw, drawn.plane.height);
  columns.width = drawn_sliding(draw, drawn.plane.width);
  columns.output_width = draw.between(1, 7);
  columns.first_position = draw.between(0, 5);
  columns.positions = draw.between(1, 40);
  const std::int64_t fractals = drawn.plane.blocks() * columns.taps();
  columns.first_fractal = draw.between(0, fractals - 1);
  columns.fractals = draw.between(1, fractals - columns.first_fractal);
  columns.padding = draw.one_in(2) ? 0.0F : absent;
  return drawn;
}

std::vector<float> loaded(const Plane& plane, const PlaneWindow& window) {
  std::vector<float> l1(static_cast<std::size_t>(window.elements()), poison);
  load_window(plane.global(), window, l1);
  return l1;
}

bool same_bits(float left, float right) {
  return std::bit_cast<std::uint32_t>(left) == std::bit_cast<std::uint32_t>(right);
}

TEST(ImageToColumn, GivesEachWindowARowAndEachTapOfABlockAFractal) {
  Draw draw(8);
  for (int i = 0; i < 300; ++i) {
    const Unfolding drawn = drawn_unfolding(draw);
    const std::vector<float> l1 = loaded(drawn.plane, drawn.plane.whole());
    const std::int64_t c0 = drawn.plane.c0;
    const std::int64_t m = drawn.columns.positions;
    const std::int64_t k = drawn.columns.fractals * c0;
    std::vector<float> zz(static_cast<std::size_t>(rounded_up(m, 16) * k), poison), nz = zz;
    std::vector<float> zn(static_cast<std::size_t>(rounded_up(m, c0) * rounded_up(k, 16)), poison);
    load_left(drawn.columns, drawn.plane.whole(), l1, LeftOrder::Zz, zz);
    load_left(drawn.columns, drawn.plane.whole(), l1, LeftOrder::Nz, nz);
    load_right(drawn.columns, drawn.plane.whole(), l1, zn);
    for (std::int64_t row = 0; row < m; ++row) {
      for (std::int64_t column = 0; column < k; ++column) {
        const float expected = drawn.expected(row, column);
        ASSERT_TRUE(same_bits(zz[ZzLayout{{m, k}, c0}.index(row, column)], expected)) << i;
        ASSERT_TRUE(same_bits(nz[NzLayout{{m, k}, c0}.index(row, column)], expected)) << i;
        ASSERT_TRUE(same_bits(zn[ZnLayout{{m, k}, c0}.index(row, column)], expected)) << i;
      }
    }
  }
}

TEST(ImageToColumn, ReadsTheSameFromAWindowThatHoldsJustItsRows) {
  const Plane plane(20, 9, 5, 16);
  const ImageToColumn columns{.height = {.length = 9, .kernel = 2},
                              .width = {.length = 5, .kernel = 2},
                              .output_width = 4,
                              .first_position = 3 * 4,
                              .positions = 8,
                              .first_fractal = 4,
                              .fractals = 4};
  const PlaneWindow window{1, 1, 3, 3, 0, 5, 16};
  std::vector<float> narrow(16 * 64, poison), wide = narrow;
  load_left(columns, window, loaded(plane, window), LeftOrder::Zz, narrow);
  load_left(columns, plane.whole(), loaded(plane, plane.whole()), LeftOrder::Zz, wide);
  EXPECT_TRUE(std::ranges::equal(narrow, wide, same_bits));
  EXPECT_DEATH(load_left(columns, {1, 1, 3, 2, 0, 5, 16}, narrow, LeftOrder::Zz, wide),
               "what L1 holds");
}

/// Found by fuzzing: a tiling whose cout is less than its cout1 says left none, and less than none,
/// of a block; zeros were written in front of the window.
TEST(LoadWindow, FillsBlocksPastTheChannelsWithZerosAndNothingElse) {
  constexpr std::int64_t c0 = 16;
  const std::vector<std::uint16_t> memory(2 * c0, 0x3C00);
  for (const std::int64_t channels : {0, -1, -41}) {
    const GlobalPlane plane = channel_block_plane(reinterpret_cast<const std::byte*>(memory.data()),
                                                  numeric::Format::Half, channels, c0, 1, 1);
    std::vector<float> l1(128, poison);
    load_window(plane, {0, 2, 0, 1, 0, 1, c0}, std::span(l1).subspan(64, 2 * c0));
    for (std::size_t i = 0; i < l1.size(); ++i) {
      ASSERT_TRUE(same_bits(l1[i], i < 64 || i >= 96 ? poison : 0.0F)) << channels << " at " << i;
    }
  }
}

TEST(LoadWindow, FillsTheLastBlockWithZerosWhateverTheOrderInMemory) {
  constexpr std::int64_t channels = 19, height = 3, width = 4;
  std::vector<std::uint16_t> dense;  // NCHW in FLOAT16
  for (std::int64_t i = 0; i < channels * height * width; ++i) {
    dense.push_back(
        numeric::Half::encode(static_cast<float>(i + 1), numeric::OverflowMode::InfNan));
  }
  const GlobalPlane plane{reinterpret_cast<const std::byte*>(dense.data()),
                          numeric::Format::Half,
                          channels,
                          16,
                          16 * height * width,
                          width,
                          1,
                          height * width};
  const PlaneWindow window{0, 2, 1, 2, 1, 3, 16};
  std::vector<float> l1(static_cast<std::size_t>(window.elements()), poison);
  load_window(plane, window, l1);
  for (std::int64_t c = 0; c < 32; ++c) {
    for (std::int64_t h = 1; h < 3; ++h) {
      for (std::int64_t w = 1; w < 4; ++w) {
        const float expected =
            c < channels ? static_cast<float>((c * height + h) * width + w + 1) : 0.0F;
        ASSERT_EQ(l1[window.index(c / 16, h, w) + c % 16], expected);
      }
    }
  }
}

TEST(LoadLeftTransposed, MakesChannelsRowsAndPositionsColumns) {
  for (const std::int64_t c0 : {8, 16, 32}) {
    const Plane plane(37, 3, 7, c0);
    const std::vector<float> l1 = loaded(plane, plane.whole());
    const std::int64_t m = 35;
    const PositionRange positions{.width = 7, .first = 4, .count = 13};
    std::vector<float> zz(static_cast<std::size_t>(rounded_up(m, 16) * rounded_up(13, c0)), poison);
    std::vector<float> nz = zz;
    load_left_transposed(positions, m, plane.whole(), l1, LeftOrder::Zz, zz);
    load_left_transposed(positions, m, plane.whole(), l1, LeftOrder::Nz, nz);
    for (std::int64_t c = 0; c < m; ++c) {
      for (std::int64_t k = 0; k < 13; ++k) {
        const float expected = plane.value(c, (4 + k) / 7, (4 + k) % 7);
        ASSERT_EQ(zz[(ZzLayout{{m, 13}, c0}.index(c, k))], expected);
        ASSERT_EQ(nz[(NzLayout{{m, 13}, c0}.index(c, k))], expected);
      }
    }
  }
}

TEST(LoadWeight, MakesTheSummedChannelsRowsAndRotatesTapsWhereOutputsAreSummed) {
  constexpr std::int64_t outputs = 21, channels = 27, height = 2, width = 3, taps = 6;
  for (const std::int64_t c0 : {8, 16, 32}) {
    const WeightLayout layout{{outputs, channels, 1, height, width}, 1, c0};
    std::vector<float> memory(static_cast<std::size_t>(storage_of(layout)));
    const auto value = [&](std::int64_t o, std::int64_t c, std::int64_t tap) {
      return o < outputs && c < channels ? static_cast<float>(1 + (o * channels + c) * taps + tap)
                                         : 0.0F;
    };
    for (std::int64_t i = 0; i < outputs * channels * taps; ++i) {
      const std::int64_t o = i / taps / channels, c = i / taps % channels;
      memory[layout.index({o, c, 0, i % taps / width, i % width})] = value(o, c, i % taps);
    }
    const std::int64_t tap_step = rounded_up(outputs, cube_edge) * c0;
    const GlobalWeight weight = {.first = reinterpret_cast<const std::byte*>(memory.data()),
                                 .outputs = outputs,
                                 .channels = channels,
                                 .taps = taps,
                                 .c0 = c0,
                                 .block_step = taps * tap_step,
                                 .tap_step = tap_step,
                                 .output_step = c0};
    for (const SummedOver summed : {SummedOver::Outputs, SummedOver::Channels}) {
      const bool over_outputs = summed == SummedOver::Outputs;
      const std::int64_t all = blocks_of(over_outputs ? outputs : channels, c0) * taps;
      const std::int64_t results = over_outputs ? channels : outputs;
      const WeightBlock block{summed, 2, all - 2, 0, results};
      std::vector<float> l1(static_cast<std::size_t>(block.elements(c0)), poison);
      std::vector<float> l0b(
          static_cast<std::size_t>(block.fractals * c0 * rounded_up(results, 16)), poison);
      load_weight(weight, block, l1);
      load_weight_right(block, c0, l1, l0b);
      const ZnLayout zn{{block.fractals * c0, results}, c0};
      for (std::int64_t k = 0; k < block.fractals * c0; ++k) {
        for (std::int64_t n = 0; n < results; ++n) {
          const std::int64_t fractal = 2 + k / c0;
          const std::int64_t summed_channel = fractal / taps * c0 + k % c0;
          const std::int64_t tap = fractal % taps;
          const float expected = over_outputs ? value(summed_channel, n, taps - 1 - tap)
                                              : value(n, summed_channel, tap);
          ASSERT_EQ(l0b[zn.index(k, n)], expected) << "C0 " << c0 << " k " << k << " n " << n;
        }
      }
    }
  }
}

}  // namespace
}  // namespace gradproof::kernel::cube
