// The AI core's parts one by one: local memories, the cube instruction, fixpipe. Expected values
// are computed here from the definitions, element by element.

#include "kernel/cube/fixpipe.h"
#include "kernel/cube/local_buffers.h"
#include "kernel/cube/marks.h"
#include "tests/kernel/cube/matrix_layout.h"
#include "tests/support/drawn_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace gradproof::kernel::cube {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float largest = std::numeric_limits<float>::max();

// ---- local memories ----

TEST(LocalBuffers, HaveTheCapacitiesOfTheirChip) {
  EXPECT_EQ(capacities_of(device::Product::Ascend910),
            (BufferCapacities{1048576, 65536, 65536, 262144, 262144}));
  EXPECT_EQ(capacities_of(device::Product::Ascend910B),
            (BufferCapacities{524288, 65536, 65536, 131072, 196608}));
  EXPECT_EQ(capacities_of(device::Product::Ascend910_93),
            (BufferCapacities{524288, 65536, 65536, 131072, 196608}));
  EXPECT_EQ(capacities_of(device::Product::Ascend950),
            (BufferCapacities{524288, 65536, 65536, 262144, 253952}));
}

TEST(LocalBuffers, TakeExactlyTheirCapacity) {
  LocalBuffers core(capacities_of(device::Product::Ascend910B));
  ASSERT_TRUE(core.l0a.allocate(32768, 2));
  EXPECT_FALSE(core.l0a.allocate(1, 2));
  core.release();
  EXPECT_TRUE(core.l0a.allocate(16384, 4));
}

TEST(LocalBuffers, RefuseWhatDoesNotFitNamingBufferSizeAndCapacity) {
  LocalBuffers core(capacities_of(device::Product::Ascend910B));
  ASSERT_TRUE(core.l0c.allocate(1000, 4));  // 4000 bytes, which take 4096
  const auto refused = core.l0c.allocate(31745, 4);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), AllOf(HasSubstr("L0C"), HasSubstr("31745 elements of 4 bytes"),
                                     HasSubstr("126976 bytes left"), HasSubstr("131072")));
  EXPECT_FALSE(core.l1.allocate(std::numeric_limits<std::int64_t>::max(), 4));
  EXPECT_FALSE(core.l1.allocate(-1, 4));
}

TEST(LocalBuffers, ArePoisonUntilLoadedAlsoTheSecondTime) {
  LocalBuffers core(capacities_of(device::Product::Ascend950));
  auto first = core.ub.allocate(100, 4).value();
  EXPECT_TRUE(std::ranges::all_of(first, is_poison));
  EXPECT_TRUE(std::isnan(first[0]));
  std::ranges::fill(first, 1.0F);
  core.release();
  EXPECT_TRUE(std::ranges::all_of(core.ub.allocate(100, 4).value(), is_poison));
}

// ---- fixpipe ----

/// A tile whose element (m, n) is `value(m, n)`, with poison where none is.
template <typename Value>
std::vector<float> tile(std::int64_t m, std::int64_t n, const Value& value) {
  std::vector<float> l0c(static_cast<std::size_t>(rounded_up(m, 16) * rounded_up(n, 16)), poison);
  for (std::int64_t i = 0; i < m * n; ++i)
    l0c[NzLayout{{m, n}, 16}.index(i / n, i % n)] = value(i / n, i % n);
  return l0c;
}

float numbered(std::int64_t m, std::int64_t n) { return static_cast<float>(100 * m + n + 1); }

TEST(Fixpipe, SplitsFloatFractalsIntoBlocksOfEightChannels) {
  constexpr std::int64_t m = 18, n = 21, plane = 40;
  std::vector<float> memory(3 * plane * 8, -7.0F);
  fixpipe({.m = m,
           .n = n,
           .destination = channel_blocks(reinterpret_cast<std::byte*>(memory.data()),
                                         numeric::Format::Binary32, 8, plane)},
          tile(m, n, numbered));
  for (std::int64_t c1 = 0; c1 < 3; ++c1) {
    for (std::int64_t position = 0; position < plane; ++position) {
      for (std::int64_t c = c1 * 8; c < c1 * 8 + 8; ++c) {
        const float expected = position < m && c < n ? numbered(position, c) : -7.0F;
        ASSERT_EQ(memory[(c1 * plane + position) * 8 + c % 8], expected);
      }
    }
  }
}

FixpipeDestination row_major(void* first, numeric::Format format, std::int64_t columns) {
  return {.first = static_cast<std::byte*>(first),
          .format = format,
          .c0 = columns,
          .row_step = columns};
}

TEST(Fixpipe, WritesRowsOrChannelsAsTold) {
  constexpr std::int64_t m = 17, n = 35;
  std::vector<float> rows(40 * m, -7.0F), channels(n * 20, -7.0F);
  FixpipeDestination destination = row_major(rows.data(), numeric::Format::Binary32, 40);
  fixpipe({.m = m, .n = n, .destination = destination}, tile(m, n, numbered));
  fixpipe({.m = m,
           .n = n,
           .destination = {.first = reinterpret_cast<std::byte*>(channels.data()),
                           .c0 = 1,
                           .block_step = 20,
                           .row_step = 1}},
          tile(m, n, numbered));
  for (std::int64_t i = 0; i < m * 40; ++i) {
    ASSERT_EQ(rows[i], i % 40 < n ? numbered(i / 40, i % 40) : -7.0F);
  }
  for (std::int64_t i = 0; i < n * 20; ++i) {
    ASSERT_EQ(channels[i], i % 20 < m ? numbered(i % 20, i / 20) : -7.0F);
  }
}

TEST(Fixpipe, RoundsOnceToTheFormatOfItsDestination) {
  const float halfway = 1.0F + 0x1p-11F;
  std::uint16_t half = 0, bfloat16 = 0;
  std::uint8_t hifloat8 = 0, float8 = 0;
  const auto move = [](auto& to, numeric::Format format, float value, numeric::OverflowMode mode) {
    fixpipe({.m = 1, .n = 1, .overflow = mode, .destination = row_major(&to, format, 1)},
            tile(1, 1, [&](auto, auto) { return value; }));
    return to;
  };
  constexpr auto infnan = numeric::OverflowMode::InfNan;
  constexpr auto saturation = numeric::OverflowMode::Saturation;
  EXPECT_EQ(move(half, numeric::Format::Half, halfway, infnan), 0x3C00);  // ties to even
  EXPECT_EQ(move(half, numeric::Format::Half, std::nextafter(halfway, 2.0F), infnan), 0x3C01);
  EXPECT_EQ(move(half, numeric::Format::Half, 65520.0F, infnan), 0x7C00);
  EXPECT_EQ(move(half, numeric::Format::Half, 65520.0F, saturation), 0x7BFF);
  EXPECT_EQ(move(half, numeric::Format::Half, NAN, saturation), 0);
  EXPECT_EQ(move(bfloat16, numeric::Format::BFloat16, 1.0F + 0x1p-8F, infnan), 0x3F80);
  EXPECT_EQ(move(hifloat8, numeric::Format::HiFloat8, 1.0625F, infnan), 0x09);  // away from zero
  EXPECT_EQ(move(float8, numeric::Format::Float8E4M3, 1.0625F, infnan), 0x38);  // to even
  EXPECT_EQ(move(float8, numeric::Format::Float8E4M3, 465.0F, infnan), 0x7F);
  EXPECT_EQ(move(float8, numeric::Format::Float8E4M3, 465.0F, saturation), 0x7E);
}

TEST(Fixpipe, AddsToMemoryInTheFormatOfMemory) {
  std::vector<float> memory = {1.0F, 2.0F, largest};
  Fixpipe move{.m = 1,
               .n = 3,
               .adds = true,
               .destination = row_major(memory.data(), numeric::Format::Binary32, 3)};
  const auto terms = tile(1, 3, [](auto, std::int64_t n) { return n == 2 ? largest : 0x1p-24F; });
  move.overflow = numeric::OverflowMode::Saturation;
  fixpipe(move, terms);
  EXPECT_EQ(memory[0], 1.0F);
  EXPECT_EQ(memory[2], largest);
  move.overflow = numeric::OverflowMode::InfNan;
  fixpipe(move, terms);
  EXPECT_EQ(memory[1], 2.0F);
  EXPECT_EQ(memory[2], infinity);
}

TEST(Fixpipe, CarriesPoisonToWhereItShows) {
  std::uint16_t half = 0;
  std::vector<float> l0c(256, poison);
  fixpipe({.m = 1, .n = 1, .destination = row_major(&half, numeric::Format::Half, 1)}, l0c);
  EXPECT_EQ(half, 0x7E00);
}

}  // namespace
}  // namespace gradproof::kernel::cube
