// GetTiling of Conv3DBpInputTiling: published tilings, and what every tiling holds.

#include "lib/conv_backprop/conv3d_bp_input_tiling.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <functional>

#include "acl/acl.h"
#include "tests/kernel/ascendc/tiling_request.h"
#include "tiling/conv_backprop/conv3d_bp_input_tiling.h"

namespace gradproof::kernel::ascendc::tiling {
namespace {

// singleCoreM, Cout, Cout1, Cin, Cin1 | baseM, K, N | al0, bl0, cl0, al1, bl1 | stepM, N, Ka, Kb
using Columns = std::array<std::uint64_t, 17>;

Columns columns_of(const Plain& t) {
  return {t.singleCoreM, t.singleCoreCout, t.singleCoreCout1, t.singleCoreCin, t.singleCoreCin1,
          t.baseM,       t.baseK,          t.baseN,           t.al0Pbuffer,    t.bl0Pbuffer,
          t.cl0Pbuffer,  t.al1Pbuffer,     t.bl1Pbuffer,      t.stepM,         t.stepN,
          t.stepKa,      t.stepKb};
}

struct Golden {
  Request request;
  Columns half, single;
};

const Golden goldens[] = {
    {{{512, 512, 1, 1, 1}, {1, 512, 5, 32, 32}, {1, 512, 5, 32, 32}},
     {1024, 512, 32, 128, 8, 256, 64, 128, 2, 2, 1, 2, 1, 1, 1, 4, 8},
     {1024, 512, 64, 128, 16, 256, 32, 128, 2, 2, 1, 2, 1, 1, 1, 2, 16}},
    {{{3, 64, 3, 3, 3}, {16, 64, 22, 130, 130}, {16, 3, 20, 128, 128}},
     {16900, 16, 1, 64, 4, 336, 48, 64, 2, 2, 1, 2, 2, 1, 1, 3, 3},
     {16900, 8, 1, 64, 8, 336, 24, 64, 2, 2, 1, 2, 2, 1, 1, 3, 3}},
    {{{64, 64, 1, 1, 1}, {16, 64, 20, 128, 128}, {16, 64, 20, 128, 128}},
     {16384, 64, 4, 64, 4, 256, 64, 64, 2, 2, 1, 2, 1, 1, 1, 1, 1},
     {16384, 64, 8, 64, 8, 256, 32, 64, 2, 2, 1, 2, 1, 1, 1, 2, 2}},
    {{{256, 128, 3, 3, 3}, {1, 128, 11, 128, 128}, {1, 256, 9, 128, 128}, {0, 0, 1, 1, 1, 1}},
     {16384, 256, 16, 128, 8, 256, 48, 128, 2, 2, 1, 2, 2, 1, 1, 21, 3},
     {16384, 256, 32, 128, 16, 256, 24, 128, 2, 2, 1, 2, 2, 1, 1, 21, 3}},
    {{{256, 256, 3, 3, 3}, {1, 256, 11, 128, 128}, {1, 256, 9, 128, 128}, {0, 0, 1, 1, 1, 1}},
     {16384, 256, 16, 128, 8, 256, 48, 128, 2, 2, 1, 2, 2, 1, 1, 21, 3},
     {16384, 256, 32, 128, 16, 256, 24, 128, 2, 2, 1, 2, 2, 1, 1, 21, 3}},
    {{{3, 128, 3, 3, 3}, {1, 128, 19, 256, 256}, {1, 3, 17, 256, 256}, {0, 0, 1, 1, 1, 1}},
     {65536, 16, 1, 128, 8, 256, 48, 128, 2, 2, 1, 2, 2, 1, 1, 3, 3},
     {65536, 8, 1, 128, 16, 256, 24, 128, 2, 2, 1, 2, 2, 1, 1, 3, 3}},
    {{{1280, 1280, 3, 1, 1}, {1, 1280, 25, 5, 8}, {1, 1280, 25, 5, 8}, {1, 1, 0, 0, 0, 0}},
     {48, 1280, 80, 256, 16, 48, 64, 256, 2, 2, 1, 2, 2, 1, 1, 18, 3},
     {40, 1280, 160, 256, 32, 40, 32, 256, 2, 2, 1, 2, 2, 1, 1, 26, 2}},
    {{{512, 256, 1, 1, 1}, {2, 256, 5, 64, 64}, {2, 512, 5, 64, 64}},
     {4096, 512, 32, 128, 8, 256, 64, 128, 2, 2, 1, 2, 1, 1, 1, 4, 8},
     {4096, 512, 64, 128, 16, 256, 32, 128, 2, 2, 1, 2, 1, 1, 1, 2, 16}},
    {{{240, 4, 1, 1, 1}, {1, 4, 4, 60, 60}, {1, 240, 4, 60, 60}},
     {3600, 240, 15, 16, 1, 256, 64, 16, 2, 2, 1, 2, 1, 1, 1, 4, 4},
     {3600, 240, 30, 8, 1, 256, 32, 8, 2, 2, 1, 2, 1, 1, 1, 4, 8}},
};

void expect_fixed_fields(const Plain& t) {
  EXPECT_EQ(t.iterateOrder, 1U);
  EXPECT_EQ(t.hf32Flag, 0);
  EXPECT_EQ(t.reserved, 0);
  for (const std::uint64_t one :
       {std::uint64_t{t.group}, std::uint64_t{t.singleCoreGroup}, std::uint64_t{t.singleCoreDin},
        std::uint64_t{t.singleCoreHo}, std::uint64_t{t.baseD}, std::uint64_t{t.baseBatch},
        std::uint64_t{t.baseGroup}, std::uint64_t{t.stepBatch}, std::uint64_t{t.stepGroup},
        t.singleCoreBatch}) {
    EXPECT_EQ(one, 1U);
  }
}

TEST(GetTiling, MatchesThePublishedTilingsInBothTypes) {
  for (const Golden& golden : goldens) {
    for (const ConvDtype dtype : {ConvDtype::FLOAT16, ConvDtype::FLOAT32}) {
      SCOPED_TRACE(testing::Message()
                   << "vector " << &golden - goldens + 1 << ", dtype " << static_cast<int>(dtype));
      Request request = golden.request;
      request.dtype = dtype;
      Conv3DBpInputTiling tiling;
      tell(tiling, request);
      const Plain result = tiling_of(tiling);
      EXPECT_EQ(columns_of(result), dtype == ConvDtype::FLOAT16 ? golden.half : golden.single);
      expect_fixed_fields(result);
    }
  }
}

TEST(GetTiling, InfersTheInputOfATransposedConvolution) {
  Conv3DBpInputTiling tiling;
  tell_transposed(tiling);
  const Plain result = tiling_of(tiling);
  EXPECT_EQ(columns_of(result),
            (Columns{936, 48, 3, 16, 1, 336, 48, 16, 2, 2, 1, 2, 2, 1, 1, 6, 6}));
  EXPECT_EQ(result.di, 18U);
  EXPECT_EQ(result.hi, 12U);
  EXPECT_EQ(result.wi, 78U);
  EXPECT_EQ(result.initOutputFlag, 1);
}

TEST(GetTiling, DoesNotDependOnThePlatform) {
  const platform_ascendc::PlatformAscendC chip(platform_ascendc::SocVersion::ASCEND910B);
  Conv3DBpInputTiling by_default;
  Conv3DBpInputTiling by_platform(chip);
  Conv3DBpInputTiling by_sizes{ConvBackpropApi::PlatformInfo{}};
  for (auto* tiling : {&by_default, &by_platform, &by_sizes}) tell(*tiling, goldens[3].request);
  const Plain expected = tiling_of(by_default);
  const Plain of_platform = tiling_of(by_platform);
  const Plain of_sizes = tiling_of(by_sizes);
  EXPECT_EQ(bytes_of(expected), bytes_of(of_platform));
  EXPECT_EQ(bytes_of(expected), bytes_of(of_sizes));
}

TEST(GetTiling, CarriesTheProblemIntoTheTiling) {
  Conv3DBpInputTiling tiling;
  tell(tiling, {{20, 40, 2, 3, 3}, {2, 40, 5, 9, 11}, {2, 20, 5, 5, 5}, {1, 0, 1, 1, 0, 1}});
  tiling.SetStride(1, 2, 2);
  const Plain t = tiling_of(tiling);
  EXPECT_EQ(
      (std::array{t.batch, t.cin, t.cout, t.cin1, t.cout1, t.cin1G, t.cout1G, t.c0, t.c0Bits}),
      (std::array{2U, 40U, 20U, 3U, 2U, 3U, 2U, 16U, 4U}));
  EXPECT_EQ((std::array{t.padFront, t.padBack, t.padUp, t.padDown, t.padLeft, t.padRight}),
            (std::array{1U, 0U, 1U, 1U, 0U, 1U}));
  // Up: (3-1)*1-1; down: 9-((5-1)*2+1)+2-1. Left: 2-0; right: 11-9+2-2. Tail: 5-5+1-0.
  EXPECT_EQ((std::array{t.backpropPadUp, t.backpropPadDown, t.backpropPadLeft, t.backpropPadRight,
                        t.backpropPadTail}),
            (std::array{1U, 1U, 2U, 2U, 1U}));
  EXPECT_EQ(t.initOutputFlag, 0);
}

TEST(GetTiling, AsksForZerosWhereRowsOfGradInputStayUntouched) {
  const auto flag = [](const std::function<void(Conv3DBpInputTiling&)>& change) {
    Conv3DBpInputTiling tiling;
    change(tiling);
    return tiling_of(tiling).initOutputFlag;
  };
  const auto shaped = [](Five weight, Five input, Five dy, Five strides_dilation_d) {
    return [=](Conv3DBpInputTiling& tiling) {
      tell(tiling, {weight, input, dy});
      tiling.SetStride(strides_dilation_d[0], strides_dilation_d[1], strides_dilation_d[2]);
      tiling.SetDilation(strides_dilation_d[3], 1, 1);
    };
  };
  EXPECT_EQ(flag(shaped({8, 8, 2, 2, 2}, {1, 8, 4, 4, 4}, {1, 8, 2, 2, 2}, {2, 2, 2, 1})), 0);
  EXPECT_EQ(flag(shaped({8, 8, 2, 2, 2}, {1, 8, 5, 4, 4}, {1, 8, 2, 2, 2}, {2, 2, 2, 1})), 1);
  EXPECT_EQ(flag(shaped({8, 8, 2, 2, 2}, {1, 8, 4, 5, 4}, {1, 8, 2, 2, 2}, {2, 2, 2, 1})), 1);
  EXPECT_EQ(flag(shaped({8, 8, 2, 2, 2}, {1, 8, 4, 4, 5}, {1, 8, 2, 2, 2}, {2, 2, 2, 1})), 0);
  EXPECT_EQ(flag(shaped({8, 8, 1, 1, 1}, {1, 8, 4, 3, 4}, {1, 8, 4, 2, 4}, {1, 2, 1, 1})), 1);
  EXPECT_EQ(flag(shaped({8, 8, 2, 1, 1}, {1, 8, 3, 4, 4}, {1, 8, 1, 4, 4}, {1, 1, 1, 2})), 1);
}

/// Whatever it is told, it answers; what it accepts a kernel can run.
RC_GTEST_PROP(GetTiling, GivesBlocksThatFitTheBuffersOrRefuses, ()) {
  const auto any = [](std::int64_t small) {
    return *rc::gen::weightedOneOf<std::int64_t>(
        {{60, rc::gen::inRange<std::int64_t>(1, small)},
         {1, rc::gen::element<std::int64_t>(-1, 0, 65536, INT32_MAX, INT64_MAX, INT64_MIN)}});
  };
  Conv3DBpInputTiling tiling;
  const auto dtype = *rc::gen::element(ConvDtype::FLOAT16, ConvDtype::FLOAT32, ConvDtype::INT8);
  const std::int64_t bytes = dtype == ConvDtype::FLOAT16 ? 2 : dtype == ConvDtype::INT8 ? 1 : 4;
  tiling.SetWeightType(TPosition::GM, ConvFormat::FRACTAL_Z_3D, dtype);
  const auto cout = any(700);
  tiling.SetWeightShape(cout, any(700), any(4), any(8), any(8));
  tiling.SetGradOutputShape(any(4), cout, any(5), any(300), any(300));
  tiling.SetStride(any(3), any(5), any(5));
  tiling.SetDilation(any(3), any(4), any(4));
  Data data;
  const bool is_accepted = tiling.GetTiling(data) == 0;
  RC_CLASSIFY(is_accepted);
  if (!is_accepted) return;
  const Plain& t = data.conv3DDxTiling;
  const auto l0ab = std::uint64_t{65536};
  RC_ASSERT(std::uint64_t{t.baseM} * t.baseK * static_cast<std::uint64_t>(bytes) * 2 <= l0ab);
  RC_ASSERT(std::uint64_t{t.baseN} * t.baseK * static_cast<std::uint64_t>(bytes) * 2 <= l0ab);
  RC_ASSERT(std::uint64_t{t.baseM} * t.baseN * 4 <= std::uint64_t{131072});
  RC_ASSERT(t.baseM > 0 && t.baseK > 0 && t.baseN > 0 && t.stepKa > 0 && t.stepKb > 0);
  RC_ASSERT(t.singleCoreM % t.wi == 0 && t.singleCoreM > 0);
  // B alone in L1: whole channel blocks of all taps, as often as it is buffered.
  const auto depth = std::uint64_t{t.stepKb} * t.baseK;
  RC_ASSERT(depth % (std::uint64_t{t.hk} * t.wk * t.c0) == 0);
  RC_ASSERT(depth * t.baseN * t.bl1Pbuffer * static_cast<std::uint64_t>(bytes) <= 524160);
  RC_CLASSIFY(t.al1Pbuffer == 1);
  RC_ASSERT(t.al1Pbuffer == 2 || t.bl1Pbuffer == 1);
}

}  // namespace
}  // namespace gradproof::kernel::ascendc::tiling
