// The private layouts: published indices and packings, and random shapes there and back.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "kernel/cube/feature_map_layout.h"
#include "kernel/cube/matrix_layout.h"
#include "kernel/cube/weight_layout.h"
#include "kernel/operators/call/transfer_layout.h"

namespace gradproof::kernel::operators {
namespace {

using cube::Extents;
using cube::FeatureMapLayout;
using cube::NzLayout;
using cube::WeightLayout;

template <typename Placed>
std::int64_t size_of(const Placed& placed) {
  return cube::element_count(placed.storage_shape()).value_or(-1);
}

TEST(FeatureMapLayout, PutsElementsWhereThePublishedExamplesDo) {
  const Extents flat{.n = 1, .c = 20, .d = 1, .h = 2, .w = 3};
  const Extents at{.n = 0, .c = 17, .d = 0, .h = 1, .w = 2};
  EXPECT_EQ((FeatureMapLayout{flat, 16}.index(at)), 177);
  EXPECT_EQ((size_of(FeatureMapLayout{flat, 16})), 192);
  EXPECT_EQ((FeatureMapLayout{flat, 8}.index(at)), 137);
  EXPECT_EQ((size_of(FeatureMapLayout{flat, 8})), 144);
  EXPECT_EQ((FeatureMapLayout{flat, 32}.index(at)), 177);
  EXPECT_EQ((size_of(FeatureMapLayout{flat, 32})), 192);
  const FeatureMapLayout deep{{.n = 2, .c = 40, .d = 3, .h = 5, .w = 6}, 16};
  EXPECT_EQ(deep.index({.n = 1, .c = 35, .d = 2, .h = 3, .w = 4}), 8515);
  EXPECT_EQ(size_of(deep), 8640);
}

TEST(WeightLayout, PutsElementsWhereThePublishedExamplesDo) {
  const WeightLayout flat{{.n = 32, .c = 32, .d = 1, .h = 2, .w = 2}, 1, 16};
  EXPECT_EQ(flat.index({.n = 31, .c = 17, .d = 0, .h = 1, .w = 0}), 3569);
  EXPECT_EQ(size_of(flat), 4096);
  const Extents deep{.n = 20, .c = 24, .d = 2, .h = 3, .w = 3};
  const Extents at{.n = 17, .c = 20, .d = 1, .h = 2, .w = 0};
  EXPECT_EQ((WeightLayout{deep, 1, 16}.index(at)), 17172);
  EXPECT_EQ((size_of(WeightLayout{deep, 1, 16})), 18432);
  EXPECT_EQ((WeightLayout{deep, 1, 8}.index(at)), 13196);
  EXPECT_EQ((size_of(WeightLayout{deep, 1, 8})), 13824);
}

TEST(NzLayout, PutsElementsWhereThePublishedExamplesDo) {
  EXPECT_EQ((NzLayout{{20, 28}, 16}.index(18, 25)), 809);
  EXPECT_EQ((size_of(NzLayout{{20, 28}, 16})), 1024);
  EXPECT_EQ((NzLayout{{20, 28}, 8}.index(18, 25)), 913);
  EXPECT_EQ((size_of(NzLayout{{20, 28}, 8})), 1024);
}

// (20, 28), element (18, 25), C0 8: fractal row 1 of 2, fractal column 3 of 4, at (2, 1) in it.
TEST(ZzLayout, RunsAlongRowsOfFractals) {
  const cube::ZzLayout left{{20, 28}, 8};
  EXPECT_EQ(left.index(18, 25), ((1 * 4 + 3) * 16 + 2) * 8 + 1);
  EXPECT_EQ(left.storage_shape(), (std::array<std::int64_t, 4>{2, 4, 16, 8}));
}

// As a right matrix K is 20 in blocks of 8, N is 28 in blocks of 16: fractal (2, 1), k 2, n 9.
TEST(ZnLayout, KeepsTheColumnOfAFractalTogether) {
  const cube::ZnLayout right{{20, 28}, 8};
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
    EXPECT_EQ(layout.n1() * cube::cube_edge, row.rows);
    EXPECT_EQ(layout.enlarged_groups(), row.enlarged_groups);
    EXPECT_EQ(size_of(layout), row.enlarged_groups * row.inputs * row.rows);
  }
}

// Second group of two in a block: 3 rows and 8 columns further; third: the next block.
TEST(WeightLayout, PutsAGroupOnTheDiagonalOfItsBlock) {
  const WeightLayout layout{{.n = 32, .c = 8, .d = 1, .h = 1, .w = 1}, 4, 8};
  EXPECT_EQ(layout.index({.n = 8, .c = 0, .d = 0, .h = 0, .w = 0}), (1 * 16 + 8) * 8);
  EXPECT_EQ(layout.index({.n = 16, .c = 0, .d = 0, .h = 0, .w = 0}), 2 * 16 * 8);
}

std::vector<std::byte> bytes_for(const LayoutTransfer& transfer, Layout layout) {
  const auto size = storage_bytes(transfer, layout);
  EXPECT_TRUE(size.has_value()) << size.error();
  return std::vector<std::byte>(static_cast<std::size_t>(size.value_or(0)), std::byte{0xA5});
}

// Values that count up, never 0, so that a lost or misplaced element shows.
std::vector<std::byte> numbered(const LayoutTransfer& transfer) {
  auto values = bytes_for(transfer, transfer.from);
  const auto width = static_cast<std::size_t>(transfer.element_bytes);
  const std::size_t largest = (std::size_t{1} << 8 * width) - 1;
  for (std::size_t i = 0; i * width < values.size(); ++i) {
    const auto value = static_cast<std::uint32_t>(i % largest + 1);
    std::memcpy(values.data() + i * width, &value, width);
  }
  return values;
}

std::int64_t elements_that_are_not_zero(const std::vector<std::byte>& values, std::size_t width) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < values.size(); i += width) {
    std::uint32_t value = 0;
    std::memcpy(&value, values.data() + i, width);
    count += value != 0 ? 1 : 0;
  }
  return count;
}

constexpr Layout all_layouts[] = {Layout::Nchw,     Layout::Nhwc,       Layout::Hwcn,
                                  Layout::Nd,       Layout::Ncdhw,      Layout::Ndhwc,
                                  Layout::Dhwcn,    Layout::Nc1hwc0,    Layout::Ndc1hwc0,
                                  Layout::FractalZ, Layout::FractalZ3d, Layout::FractalNz};

bool is_private(Layout layout) { return layout >= Layout::Nc1hwc0; }
bool is_weight(Layout layout) { return layout == Layout::FractalZ || layout == Layout::FractalZ3d; }
bool is_flat(Layout layout) {
  return layout == Layout::Nchw || layout == Layout::Nhwc || layout == Layout::Hwcn;
}

std::vector<LayoutTransfer> pairs_there_and_back() {
  std::vector<LayoutTransfer> pairs;
  for (const Layout from : all_layouts) {
    for (const Layout to : all_layouts) {
      if (is_private(from) || !is_transferable(from, to) || !is_transferable(to, from)) continue;
      pairs.push_back({.from = from, .to = to, .extents = {}});
    }
  }
  return pairs;
}

TEST(TransferLayout, HasExactlyThePublishedPairs) {
  int count = 0;
  for (const Layout from : all_layouts) {
    for (const Layout to : all_layouts) {
      if (!is_transferable(from, to)) continue;
      ++count;
      EXPECT_NE(is_private(from), is_private(to)) << name_of(from) << " to " << name_of(to);
    }
  }
  EXPECT_EQ(count, 19);
  EXPECT_EQ(pairs_there_and_back().size(), 9U);
  EXPECT_TRUE(is_transferable(Layout::FractalZ3d, Layout::Ndhwc));
  EXPECT_FALSE(is_transferable(Layout::Ndhwc, Layout::FractalZ3d));
}

LayoutTransfer drawn_transfer(LayoutTransfer transfer) {
  const auto length = [](std::int64_t below) { return *rc::gen::inRange<std::int64_t>(1, below); };
  if (is_weight(transfer.to)) transfer.groups = length(9);
  transfer.extents = {.n = transfer.groups * length(20),
                      .c = length(40),
                      .d = is_flat(transfer.from) ? 1 : length(4),
                      .h = length(20),
                      .w = length(20)};
  if (transfer.to != Layout::FractalNz) transfer.extents.h = transfer.extents.h % 4 + 1;
  transfer.element_bytes = *rc::gen::element<std::int64_t>(1, 2, 4);
  transfer.c0 = *rc::gen::element<std::int64_t>(8, 16, 32);
  return transfer;
}

RC_GTEST_PROP(TransferLayout, ThereAndBackChangesNothingAndPadsWithZeros, ()) {
  const auto drawn = *rc::gen::elementOf(pairs_there_and_back());
  const LayoutTransfer there = drawn_transfer(drawn);
  LayoutTransfer back = there;
  std::swap(back.from, back.to);

  const auto before = numbered(there);
  auto placed = bytes_for(there, there.to);
  auto after = bytes_for(back, back.to);
  RC_ASSERT(transfer_layout(there, before, placed).has_value());
  RC_ASSERT(transfer_layout(back, placed, after).has_value());
  RC_ASSERT(after == before);

  // As many values as there are elements, so everything else is padding, and it is 0.
  const auto width = static_cast<std::size_t>(there.element_bytes);
  RC_ASSERT(elements_that_are_not_zero(placed, width) ==
            static_cast<std::int64_t>(before.size() / width));
}

RC_GTEST_PROP(TransferLayout, NdhwcFromWeightsIsNcdhwInAnotherOrder, ()) {
  auto transfer = drawn_transfer({.from = Layout::Ncdhw, .to = Layout::FractalZ3d, .extents = {}});
  const auto values = numbered(transfer);
  auto placed = bytes_for(transfer, Layout::FractalZ3d);
  RC_ASSERT(transfer_layout(transfer, values, placed).has_value());
  transfer.from = Layout::FractalZ3d;
  transfer.to = Layout::Ndhwc;
  auto channels_last = bytes_for(transfer, Layout::Ndhwc);
  RC_ASSERT(transfer_layout(transfer, placed, channels_last).has_value());

  const Extents& e = transfer.extents;
  const auto width = static_cast<std::size_t>(transfer.element_bytes);
  cube::for_each_position(e, [&](const Extents& at) {
    const auto first = (((at.n * e.c + at.c) * e.d + at.d) * e.h + at.h) * e.w + at.w;
    const auto last = (((at.n * e.d + at.d) * e.h + at.h) * e.w + at.w) * e.c + at.c;
    RC_ASSERT(std::memcmp(values.data() + static_cast<std::size_t>(first) * width,
                          channels_last.data() + static_cast<std::size_t>(last) * width,
                          width) == 0);
  });
}

/// A matrix in L0: every element has a place of its own within the storage.
RC_GTEST_PROP(MatrixLayouts, GiveEveryElementAPlaceOfItsOwn, ()) {
  const cube::MatrixExtents extents{*rc::gen::inRange<std::int64_t>(1, 70),
                                    *rc::gen::inRange<std::int64_t>(1, 70)};
  const auto c0 = *rc::gen::element<std::int64_t>(8, 16, 32);
  const auto check = [&](const auto& layout) {
    std::set<std::int64_t> places;
    for (std::int64_t row = 0; row < extents.rows; ++row) {
      for (std::int64_t column = 0; column < extents.columns; ++column) {
        const auto place = layout.index(row, column);
        RC_ASSERT(place >= 0 && place < size_of(layout));
        RC_ASSERT(places.insert(place).second);
      }
    }
  };
  check(NzLayout{extents, c0});
  check(cube::ZzLayout{extents, c0});
  check(cube::ZnLayout{extents, c0});
}

struct Refusal {
  LayoutTransfer transfer;
  std::string_view names;
};

TEST(TransferLayout, RefusesWithTheNameOfWhatIsWrong) {
  const Extents small{.n = 2, .c = 3, .d = 1, .h = 2, .w = 2};
  const auto huge = std::int64_t{1} << 40;
  const Refusal refusals[] = {
      {{.from = Layout::Ndhwc, .to = Layout::FractalZ3d, .extents = small}, "NDHWC"},
      {{.from = Layout::Ncdhw, .to = Layout::Ndc1hwc0, .extents = small, .groups = 2}, "groups"},
      {{.from = Layout::Nchw, .to = Layout::FractalZ, .extents = small, .groups = 0}, "groups"},
      {{.from = Layout::Nchw, .to = Layout::FractalZ, .extents = small, .groups = 3}, "N is 2"},
      {{.from = Layout::Nchw, .to = Layout::Nc1hwc0, .extents = small, .element_bytes = 3},
       "element_bytes"},
      {{.from = Layout::Nchw, .to = Layout::Nc1hwc0, .extents = small, .c0 = 12}, "C0"},
      {{.from = Layout::Nchw, .to = Layout::Nc1hwc0, .extents = {.d = 2}}, "D is 2"},
      {{.from = Layout::Nchw, .to = Layout::Nc1hwc0, .extents = {.n = -1}}, "-1"},
      {{.from = Layout::Nchw, .to = Layout::Nc1hwc0, .extents = {.n = huge, .h = huge}}, "2^63"},
      {{.from = Layout::Nchw, .to = Layout::Nc1hwc0, .extents = small}, "source has 0 bytes"},
  };
  for (const Refusal& refusal : refusals) {
    const auto result = transfer_layout(refusal.transfer, {}, {});
    ASSERT_FALSE(result.has_value()) << refusal.names;
    EXPECT_NE(result.error().find(refusal.names), std::string::npos) << result.error();
  }
}

TEST(TransferLayout, LeavesAWronglySizedDestinationAsItWas) {
  const LayoutTransfer transfer{
      .from = Layout::Nchw, .to = Layout::Nc1hwc0, .extents = {.n = 1, .c = 3, .h = 2, .w = 2}};
  const auto source = numbered(transfer);
  std::vector<std::byte> destination(7, std::byte{0xA5});
  const auto result = transfer_layout(transfer, source, destination);
  ASSERT_FALSE(result.has_value());
  EXPECT_NE(result.error().find("destination has 7 bytes"), std::string::npos) << result.error();
  EXPECT_EQ(destination, std::vector<std::byte>(7, std::byte{0xA5}));
}

TEST(TransferLayout, MovesAnEmptyTensorInSilence) {
  const LayoutTransfer transfer{
      .from = Layout::Nchw, .to = Layout::Nc1hwc0, .extents = {.n = 0, .c = 3}};
  EXPECT_TRUE(transfer_layout(transfer, {}, {}).has_value());
}

}  // namespace
}  // namespace gradproof::kernel::operators
