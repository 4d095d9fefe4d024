// The AI core's parts one by one: local memories, the cube instruction, fixpipe. Expected values
// are computed here from the definitions, element by element.

#include "kernel/cube/fixpipe.h"
#include "kernel/cube/local_buffers.h"
#include "kernel/cube/marks.h"
#include "kernel/cube/matrix_layout.h"
#include "kernel/cube/mmad.h"
#include "tests/support/drawn_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace gradproof::kernel::cube {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float largest = std::numeric_limits<float>::max();

/// Equal bits, or both NaN.
bool same(float left, float right) {
  if (std::isnan(left) || std::isnan(right)) return std::isnan(left) && std::isnan(right);
  return std::bit_cast<std::uint32_t>(left) == std::bit_cast<std::uint32_t>(right);
}

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

// ---- the cube instruction ----

/// Matrices of one instruction, row-major, and the same in the local buffers' layouts, where all
/// that is not an element is poison.
struct Product {
  Mmad instruction;
  std::vector<float> left, right, sums;
  std::vector<float> l0a, l0b, l0c;

  Product(const Mmad& shape, Draw& draw) : instruction(shape) {
    const auto& [m, n, k] = std::tuple(shape.m, shape.n, shape.k);
    for (std::int64_t i = 0; i < m * k; ++i) left.push_back(draw.value());
    for (std::int64_t i = 0; i < k * n; ++i) right.push_back(draw.value());
    for (std::int64_t i = 0; i < m * n; ++i) sums.push_back(draw.value());
  }

  std::size_t left_index(std::int64_t m, std::int64_t k) const {
    const MatrixExtents extents{instruction.m, instruction.k};
    return static_cast<std::size_t>(instruction.left_order == LeftOrder::Zz
                                        ? ZzLayout{extents, instruction.c0}.index(m, k)
                                        : NzLayout{extents, instruction.c0}.index(m, k));
  }
  std::size_t right_index(std::int64_t k, std::int64_t n) const {
    return static_cast<std::size_t>(
        ZnLayout{{instruction.k, instruction.n}, instruction.c0}.index(k, n));
  }
  std::size_t sum_index(std::int64_t m, std::int64_t n) const {
    return static_cast<std::size_t>(NzLayout{{instruction.m, instruction.n}, 16}.index(m, n));
  }

  void run() {
    const auto& [m, n, k, c0] =
        std::tuple(instruction.m, instruction.n, instruction.k, instruction.c0);
    l0a.assign(static_cast<std::size_t>(rounded_up(m, 16) * rounded_up(k, c0)), poison);
    l0b.assign(static_cast<std::size_t>(rounded_up(k, c0) * rounded_up(n, 16)), poison);
    l0c.assign(static_cast<std::size_t>(rounded_up(m, 16) * rounded_up(n, 16)), poison);
    for (std::int64_t i = 0; i < m * k; ++i) l0a[left_index(i / k, i % k)] = left[i];
    for (std::int64_t i = 0; i < k * n; ++i) l0b[right_index(i / n, i % n)] = right[i];
    for (std::int64_t i = 0; i < m * n; ++i) l0c[sum_index(i / n, i % n)] = sums[i];
    mmad(instruction, l0a, l0b, l0c);
  }

  /// One element by the definition.
  float expected(std::int64_t m, std::int64_t n) const {
    const bool saturating = instruction.overflow == numeric::OverflowMode::Saturation;
    const auto limited = [&](float value) {
      return saturating ? std::min(std::max(value, -largest), largest) : value;
    };
    const auto operand = [&](float value) {
      return instruction.hf32 ? instruction.hf32->rounded(value, instruction.overflow) : value;
    };
    float sum = instruction.clears ? 0.0F : sums[m * instruction.n + n];
    for (std::int64_t k = 0; k < instruction.k; ++k) {
      const float a = left[m * instruction.k + k];
      const float b = right[k * instruction.n + n];
      if (is_absent(a) || is_absent(b)) continue;
      const volatile float product = operand(a) * operand(b);
      sum = instruction.fuses_products ? limited(std::fma(operand(a), operand(b), sum) + 0.0F)
                                       : limited(sum + limited(product));
    }
    return sum;
  }

  void expect_all() const {
    for (std::int64_t m = 0; m < instruction.m; ++m) {
      for (std::int64_t n = 0; n < instruction.n; ++n) {
        const float found = l0c[sum_index(m, n)];
        ASSERT_TRUE(same(found, expected(m, n)))
            << "element " << m << ", " << n << " of " << instruction.m << " x " << instruction.n
            << " x " << instruction.k << ", C0 " << instruction.c0 << ": " << found
            << " instead of " << expected(m, n);
      }
    }
  }
};

Mmad drawn_instruction(Draw& draw) {
  constexpr std::int64_t c0s[] = {8, 16, 32};
  return {.m = draw.between(1, 50),
          .n = draw.between(1, 50),
          .k = draw.between(1, 100),
          .c0 = c0s[draw.between(0, 2)],
          .left_order = draw.one_in(2) ? LeftOrder::Zz : LeftOrder::Nz,
          .clears = draw.one_in(2),
          .overflow =
              draw.one_in(3) ? numeric::OverflowMode::Saturation : numeric::OverflowMode::InfNan,
          .fuses_products = draw.one_in(4),
          .operands_are_finite = draw.one_in(2)};
}

TEST(Mmad, AddsTheProductsOfEachElementInOrderOfKAndNothingOfTheTails) {
  Draw draw(1);
  for (int i = 0; i < 300; ++i) {
    Product product(drawn_instruction(draw), draw);
    product.run();
    ASSERT_NO_FATAL_FAILURE(product.expect_all());
  }
}

TEST(Mmad, RoundsOperandsToHf32First) {
  Draw draw(2);
  for (int i = 0; i < 100; ++i) {
    Mmad instruction = drawn_instruction(draw);
    instruction.c0 = 8;
    instruction.hf32 =
        numeric::Hf32{.mantissa_bits = draw.one_in(2) ? 10 : 11,
                      .rounding = draw.one_in(2) ? numeric::Hf32Rounding::NearestEven
                                                 : numeric::Hf32Rounding::NearestAway};
    Product product(instruction, draw);
    product.run();
    ASSERT_NO_FATAL_FAILURE(product.expect_all());
  }
}

TEST(Mmad, AddsNothingForAbsentElementsHoweverInfiniteTheOtherSide) {
  Draw draw(3);
  for (int i = 0; i < 100; ++i) {
    Mmad instruction = drawn_instruction(draw);
    instruction.operands_are_finite = false;
    instruction.overflow = numeric::OverflowMode::InfNan;
    Product product(instruction, draw);
    for (std::vector<float>* operand : {&product.left, &product.right}) {
      for (float& value : *operand) {
        if (draw.one_in(4)) value = absent;
        if (draw.one_in(40)) value = draw.one_in(2) ? infinity : -infinity;
      }
    }
    product.run();
    ASSERT_NO_FATAL_FAILURE(product.expect_all());
  }
}

TEST(Mmad, LetsAZeroTimesInfinityBeNanUnlessTold) {
  Draw draw(4);
  Product product({.m = 1, .n = 1, .k = 2, .c0 = 16}, draw);
  product.left = {0.0F, 1.0F};
  product.right = {infinity, 1.0F};
  product.run();
  EXPECT_TRUE(std::isnan(product.l0c[0]));
}

TEST(Mmad, SaturatesEachProductAndEachSum) {
  Draw draw(5);
  Product product({.m = 1,
                   .n = 1,
                   .k = 3,
                   .c0 = 8,
                   .overflow = numeric::OverflowMode::Saturation,
                   .operands_are_finite = true},
                  draw);
  product.left = {largest, largest, -1.0F};
  product.right = {2.0F, 1.0F, largest};
  product.run();
  EXPECT_EQ(product.l0c[0], 0.0F);  // FLT_MAX, FLT_MAX, then minus FLT_MAX
}

TEST(Mmad, ShowsL0CThatWasNotCleared) {
  Draw draw(6);
  Product product({.m = 17, .n = 5, .k = 20, .c0 = 16, .clears = false}, draw);
  for (float& sum : product.sums) sum = poison;
  product.run();
  for (std::int64_t m = 0; m < 17; ++m) {
    EXPECT_TRUE(std::isnan(product.l0c[product.sum_index(m, 4)]));
  }
}

TEST(Mmad, ShowsWhatWasNeverLoaded) {
  for (const bool finite : {false, true}) {
    Draw draw(7);
    Product product({.m = 3, .n = 3, .k = 40, .c0 = 16, .operands_are_finite = finite}, draw);
    product.left[1 * 40 + 39] = poison;
    product.run();
    EXPECT_TRUE(std::isnan(product.l0c[product.sum_index(1, 0)]));
    EXPECT_FALSE(std::isnan(product.l0c[product.sum_index(0, 0)]));
    EXPECT_FALSE(std::isnan(product.l0c[product.sum_index(2, 0)]));
  }
}

TEST(Mmad, DoesNothingWhereALengthIsZero) {
  std::vector<float> sums(256, poison);
  mmad({.m = 0, .n = 1, .k = 1}, {}, {}, sums);
  mmad({.m = 1, .n = 0, .k = 1}, {}, {}, sums);
  mmad({.m = 1, .n = 1, .k = 0}, {}, {}, sums);
  EXPECT_TRUE(std::ranges::all_of(sums, is_poison));
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
