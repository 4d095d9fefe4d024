#include "kernel/cube/mmad.h"
#include "kernel/cube/marks.h"
#include "tests/kernel/cube/matrix_layout.h"
#include "tests/support/drawn_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace gradproof::kernel::cube {
namespace {

constexpr float largest_float = std::numeric_limits<float>::max();

/// Equal bits, or both NaN.
bool same(float left, float right) {
  if (std::isnan(left) || std::isnan(right)) return std::isnan(left) && std::isnan(right);
  return std::bit_cast<std::uint32_t>(left) == std::bit_cast<std::uint32_t>(right);
}

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
      return saturating ? std::min(std::max(value, -largest_float), largest_float) : value;
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
          .fuses_products = draw.one_in(2),
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
        if (draw.one_in(40)) value = draw.one_in(2) ? HUGE_VALF : -HUGE_VALF;
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
  product.right = {HUGE_VALF, 1.0F};
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
  product.left = {largest_float, largest_float, -1.0F};
  product.right = {2.0F, 1.0F, largest_float};
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

}  // namespace
}  // namespace gradproof::kernel::cube
