// The private layouts: published indices and packings, and random shapes.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "kernel/cube/weight_layout.h"
#include "tests/kernel/cube/feature_map_layout.h"
#include "tests/kernel/cube/matrix_layout.h"
#include "tests/support/layout_storage.h"

namespace gradproof::kernel::cube {
namespace {

TEST(FeatureMapLayout, PutsElementsWhereThePublishedExamplesDo) {
  const Extents flat{.n = 1, .c = 20, .d = 1, .h = 2, .w = 3};
  const Extents at{.n = 0, .c = 17, .d = 0, .h = 1, .w = 2};
  EXPECT_EQ((FeatureMapLayout{flat, 16}.index(at)), 177);
  EXPECT_EQ((storage_of(FeatureMapLayout{flat, 16})), 192);
  EXPECT_EQ((FeatureMapLayout{flat, 8}.index(at)), 137);
  EXPECT_EQ((storage_of(FeatureMapLayout{flat, 8})), 144);
  EXPECT_EQ((FeatureMapLayout{flat, 32}.index(at)), 177);
  EXPECT_EQ((storage_of(FeatureMapLayout{flat, 32})), 192);
  const FeatureMapLayout deep{{.n = 2, .c = 40, .d = 3, .h = 5, .w = 6}, 16};
  EXPECT_EQ(deep.index({.n = 1, .c = 35, .d = 2, .h = 3, .w = 4}), 8515);
  EXPECT_EQ(storage_of(deep), 8640);
}

TEST(WeightLayout, PutsElementsWhereThePublishedExamplesDo) {
  const WeightLayout flat{{.n = 32, .c = 32, .d = 1, .h = 2, .w = 2}, 1, 16};
  EXPECT_EQ(flat.index({.n = 31, .c = 17, .d = 0, .h = 1, .w = 0}), 3569);
  EXPECT_EQ(storage_of(flat), 4096);
  const Extents deep{.n = 20, .c = 24, .d = 2, .h = 3, .w = 3};
  const Extents at{.n = 17, .c = 20, .d = 1, .h = 2, .w = 0};
  EXPECT_EQ((WeightLayout{deep, 1, 16}.index(at)), 17172);
  EXPECT_EQ((storage_of(WeightLayout{deep, 1, 16})), 18432);
  EXPECT_EQ((WeightLayout{deep, 1, 8}.index(at)), 13196);
  EXPECT_EQ((storage_of(WeightLayout{deep, 1, 8})), 13824);
}

TEST(NzLayout, PutsElementsWhereThePublishedExamplesDo) {
  EXPECT_EQ((NzLayout{{20, 28}, 16}.index(18, 25)), 809);
  EXPECT_EQ((storage_of(NzLayout{{20, 28}, 16})), 1024);
  EXPECT_EQ((NzLayout{{20, 28}, 8}.index(18, 25)), 913);
  EXPECT_EQ((storage_of(NzLayout{{20, 28}, 8})), 1024);
}

// (20, 28), element (18, 25), C0 8: fractal row 1 of 2, fractal column 3 of 4, at (2, 1) in it.
TEST(ZzLayout, RunsAlongRowsOfFractals) {
  const ZzLayout left{{20, 28}, 8};
  EXPECT_EQ(left.index(18, 25), ((1 * 4 + 3) * 16 + 2) * 8 + 1);
  EXPECT_EQ(left.storage_shape(), (std::array<std::int64_t, 4>{2, 4, 16, 8}));
}

// As a right matrix K is 20 in blocks of 8, N is 28 in blocks of 16: fractal (2, 1), k 2, n 9.
TEST(ZnLayout, KeepsTheColumnOfAFractalTogether) {
  const ZnLayout right{{20, 28}, 8};
  EXPECT_EQ(right.index(18, 25), ((2 * 2 + 1) * 16 + 9) * 8 + 2);
  EXPECT_EQ(right.storage_shape(), (std::array<std::int64_t, 4>{3, 2, 16, 8}));
}

struct Packing {
  std::int64_t outputs, inputs_per_group, groups, c0;
  std::int64_t enlargement, inputs, rows, enlarged_groups;
};

constexpr Packing packings[] = {
    {8, 4, 4, 16, 4, 16, 16, 1},    {12, 4, 4, 16, 4, 16, 16, 1},  {64, 1, 64, 16, 16, 16, 16, 4},
    {48, 3, 6, 16, 6, 32, 48, 1},   {32, 8, 4, 8, 2, 16, 16, 2},   {40, 5, 8, 16, 8, 48, 48, 1},
    {128, 16, 8, 16, 1, 16, 16, 8}, {96, 24, 4, 16, 2, 48, 48, 2},
};

TEST(WeightLayout, PacksGroupsAsThePublishedTableDoes) {
  for (const Packing& row : packings) {
    const WeightLayout layout{{.n = row.outputs, .c = row.inputs_per_group}, row.groups, row.c0};
    SCOPED_TRACE(testing::Message() << row.outputs << "," << row.inputs_per_group << ","
                                    << row.groups << "," << row.c0);
    EXPECT_EQ(layout.enlargement(), row.enlargement);
    EXPECT_EQ(layout.c1() * row.c0, row.inputs);
    EXPECT_EQ(layout.n1() * cube_edge, row.rows);
    EXPECT_EQ(layout.enlarged_groups(), row.enlarged_groups);
    EXPECT_EQ(storage_of(layout), row.enlarged_groups * row.inputs * row.rows);
  }
}

// Second group of two in a block: 3 rows and 8 columns further; third: the next block.
TEST(WeightLayout, PutsAGroupOnTheDiagonalOfItsBlock) {
  const WeightLayout layout{{.n = 32, .c = 8, .d = 1, .h = 1, .w = 1}, 4, 8};
  EXPECT_EQ(layout.index({.n = 8, .c = 0, .d = 0, .h = 0, .w = 0}), (1 * 16 + 8) * 8);
  EXPECT_EQ(layout.index({.n = 16, .c = 0, .d = 0, .h = 0, .w = 0}), 2 * 16 * 8);
}

/// Every element has a place of its own within the storage.
RC_GTEST_PROP(MatrixLayouts, GiveEveryElementAPlaceOfItsOwn, ()) {
  const MatrixExtents extents{*rc::gen::inRange<std::int64_t>(1, 70),
                              *rc::gen::inRange<std::int64_t>(1, 70)};
  const auto c0 = *rc::gen::element<std::int64_t>(8, 16, 32);
  const auto check = [&](const auto& layout) {
    std::set<std::int64_t> places;
    for (std::int64_t row = 0; row < extents.rows; ++row) {
      for (std::int64_t column = 0; column < extents.columns; ++column) {
        const auto place = layout.index(row, column);
        RC_ASSERT(place >= 0 && place < storage_of(layout));
        RC_ASSERT(places.insert(place).second);
      }
    }
  };
  check(NzLayout{extents, c0});
  check(ZzLayout{extents, c0});
  check(ZnLayout{extents, c0});
}

RC_GTEST_PROP(TensorLayouts, GiveEveryElementAPlaceOfItsOwn, ()) {
  const auto length = [](std::int64_t below) { return *rc::gen::inRange<std::int64_t>(1, below); };
  const std::int64_t groups = length(9);
  const Extents extents{
      .n = groups * length(20), .c = length(40), .d = length(4), .h = length(5), .w = length(9)};
  const auto c0 = *rc::gen::element<std::int64_t>(8, 16, 32);
  const auto check = [&](const auto& layout) {
    std::vector<bool> is_taken(static_cast<std::size_t>(storage_of(layout)));
    for_each_position(extents, [&](const Extents& at) {
      const auto place = static_cast<std::size_t>(layout.index(at));
      RC_ASSERT(place < is_taken.size());
      RC_ASSERT(!is_taken[place]);
      is_taken[place] = true;
    });
  };
  check(FeatureMapLayout{extents, c0});
  check(WeightLayout{extents, groups, c0});
}

}  // namespace
}  // namespace gradproof::kernel::cube
