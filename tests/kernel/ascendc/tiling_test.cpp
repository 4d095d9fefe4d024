// GetTiling of Conv3DBpInputTiling: published tilings, every check, the published cases.

#include "lib/conv_backprop/conv3d_bp_input_tiling.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "acl/acl.h"
#include "tests/support/published_cases.h"
#include "tiling/conv_backprop/conv3d_bp_input_tiling.h"

namespace gradproof::kernel::ascendc::tiling {
namespace {

using ConvBackpropApi::Conv3DBpInputTiling;
using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;
using Data = AscendC::tiling::Conv3DBackpropInputTilingData;
using Plain = AscendC::tiling::TConv3DBackpropInputTiling;

/// What a kernel reads: the words as they lie in memory.
template <typename Tiling>
std::array<std::byte, sizeof(Tiling)> bytes_of(const Tiling& tiling) {
  return std::bit_cast<std::array<std::byte, sizeof(Tiling)>>(tiling);
}
using Five = std::array<std::int64_t, 5>;
using Six = std::array<std::int64_t, 6>;

struct Request {
  Five weight, input, grad_output;
  Six pads{};
  ConvDtype dtype = ConvDtype::FLOAT16;
};

void tell(Conv3DBpInputTiling& tiling, const Request& request) {
  const auto& [co, ci, kd, kh, kw] = request.weight;
  tiling.SetWeightType(TPosition::GM, ConvFormat::FRACTAL_Z_3D, request.dtype);
  tiling.SetInputType(TPosition::GM, ConvFormat::NDC1HWC0, request.dtype);
  tiling.SetGradOutputType(TPosition::GM, ConvFormat::NDC1HWC0, request.dtype);
  EXPECT_TRUE(tiling.SetWeightShape(co, ci, kd, kh, kw));
  const auto& x = request.input;
  EXPECT_TRUE(tiling.SetInputShape(x[0], x[1], x[2], x[3], x[4]));
  const auto& dy = request.grad_output;
  EXPECT_TRUE(tiling.SetGradOutputShape(dy[0], dy[1], dy[2], dy[3], dy[4]));
  const auto& p = request.pads;
  tiling.SetPadding(p[0], p[1], p[2], p[3], p[4], p[5]);
  tiling.SetStride(1, 1, 1);
  tiling.SetDilation(1, 1, 1);
}

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

// Both flavours of the data, which must hold the same bytes.
Plain tiling_of(Conv3DBpInputTiling& tiling) {
  Data plain;
  optiling::Conv3DBackpropInputTilingData accessed;
  EXPECT_EQ(tiling.GetTiling(plain), 0);
  EXPECT_EQ(tiling.GetTiling(accessed), 0);
  std::array<std::byte, sizeof(Plain)> saved{};
  EXPECT_EQ(accessed.GetDataSize(), saved.size());
  accessed.SaveToBuffer(saved.data(), saved.size());
  EXPECT_EQ(saved, bytes_of(plain));
  EXPECT_EQ(accessed.conv3DDxTiling.get_baseM(), plain.conv3DDxTiling.baseM);
  return plain.conv3DDxTiling;
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

void tell_transposed(Conv3DBpInputTiling& tiling) {
  EXPECT_TRUE(tiling.SetWeightShape(44, 4, 2, 3, 2));
  EXPECT_TRUE(tiling.SetGradOutputShape(1, 44, 17, 5, 77));
  tiling.SetStride(1, 2, 1);
  EXPECT_TRUE(tiling.SetOutputPadding(0, 1, 0));
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

struct Refusal {
  std::string_view names;
  std::function<void(Conv3DBpInputTiling&)> told;
};

Request small() { return {{8, 8, 3, 3, 3}, {1, 8, 4, 4, 4}, {1, 8, 2, 2, 2}}; }

// Told well except for one thing.
std::function<void(Conv3DBpInputTiling&)> but(std::function<void(Request&)> change) {
  return [=](Conv3DBpInputTiling& tiling) {
    Request request = small();
    change(request);
    tell(tiling, request);
  };
}

std::function<void(Conv3DBpInputTiling&)> then(std::function<void(Conv3DBpInputTiling&)> change) {
  return [=](Conv3DBpInputTiling& tiling) {
    tell(tiling, small());
    change(tiling);
  };
}

const Refusal refusals[] = {
    {"batch is -1",
     [](auto& tiling) {
       tiling.SetWeightShape(8, 8, 1, 1, 1);
       tiling.SetGradOutputShape(-1, 8, 1, 1, 1);
     }},
    {"padding before along D is -1", then([](auto& t) { t.SetPadding(-1, 0, 0, 0, 0, 0); })},
    {"padding after along D is -1", then([](auto& t) { t.SetPadding(0, -1, 0, 0, 0, 0); })},
    {"padding before along H is -1", then([](auto& t) { t.SetPadding(0, 0, -1, 0, 0, 0); })},
    {"padding after along H is -1", then([](auto& t) { t.SetPadding(0, 0, 0, -1, 0, 0); })},
    {"padding before along W is -1", then([](auto& t) { t.SetPadding(0, 0, 0, 0, -1, 0); })},
    {"padding after along W is -1", then([](auto& t) { t.SetPadding(0, 0, 0, 0, 0, -1); })},
    {"stride along D is 0", then([](auto& t) { t.SetStride(0, 1, 1); })},
    {"stride along H is 0", then([](auto& t) { t.SetStride(1, 0, 1); })},
    {"stride along W is 0", then([](auto& t) { t.SetStride(1, 1, 0); })},
    {"dilation along D is 0", then([](auto& t) { t.SetDilation(0, 1, 1); })},
    {"dilation along H is 0", then([](auto& t) { t.SetDilation(1, 0, 1); })},
    {"dilation along W is 0", then([](auto& t) { t.SetDilation(1, 1, 0); })},
    {"kernel along D is 0", but([](auto& r) { r.weight[2] = 0; })},
    {"kernel along H is 0", but([](auto& r) { r.weight[3] = 0; })},
    {"kernel along W is 0", but([](auto& r) { r.weight[4] = 0; })},
    {"grad output along D is 0", but([](auto& r) { r.grad_output[2] = 0; })},
    {"grad output along H is 0", but([](auto& r) { r.grad_output[3] = 0; })},
    {"grad output along W is 0", but([](auto& r) { r.grad_output[4] = 0; })},
    {"batch is 0", but([](auto& r) { r.input[0] = r.grad_output[0] = 0; })},
    {"cout is 0", but([](auto& r) { r.weight[0] = r.grad_output[1] = 0; })},
    {"cin is 0", but([](auto& r) { r.weight[1] = r.input[1] = 0; })},
    {"weight format",
     then([](auto& t) { t.SetWeightType(TPosition::GM, ConvFormat::NCDHW, ConvDtype::FLOAT16); })},
    {"grad output format", then([](auto& t) {
       t.SetGradOutputType(TPosition::GM, ConvFormat::NCDHW, ConvDtype::FLOAT16);
     })},
    {"weight dtype", then([](auto& t) {
       t.SetWeightType(TPosition::GM, ConvFormat::FRACTAL_Z_3D, ConvDtype::INT4);
     })},
    {"input along W is 0",
     [](auto& tiling) {
       tiling.SetWeightShape(8, 8, 1, 1, 1);
       tiling.SetGradOutputShape(1, 8, 1, 1, 1);
       tiling.SetOutputPadding(0, 0, -1);
     }},
    {"grad output along D is 2", but([](auto& r) { r.input[2] = 5; })},
    {"grad output along H is 2", but([](auto& r) { r.input[3] = 5; })},
    {"grad output along W is 2", but([](auto& r) { r.input[4] = 5; })},
    {"must not exceed the kernel",
     [](auto& tiling) {
       tell(tiling, {{8, 8, 1, 1, 1}, {1, 8, 3, 4, 4}, {1, 8, 2, 4, 4}});
       tiling.SetStride(2, 1, 1);
     }},
    {"stride along H is 64",
     [](auto& tiling) {
       tell(tiling, {{8, 8, 1, 1, 1}, {1, 8, 1, 65, 1}, {1, 8, 1, 2, 1}});
       tiling.SetStride(1, 64, 1);
     }},
    {"stride along W is 64",
     [](auto& tiling) {
       tell(tiling, {{8, 8, 1, 1, 1}, {1, 8, 1, 1, 65}, {1, 8, 1, 1, 2}});
       tiling.SetStride(1, 1, 64);
     }},
    {"stride along D is 256",
     [](auto& tiling) {
       tell(tiling, {{8, 8, 256, 1, 1}, {1, 8, 512, 1, 1}, {1, 8, 2, 1, 1}});
       tiling.SetStride(256, 1, 1);
     }},
    {"input H times W is 4294967296",
     [](auto& tiling) {
       tell(tiling, {{8, 8, 1, 1, 1}, {1, 8, 1, 65536, 65536}, {1, 8, 1, 65536, 65536}});
     }},
    {"padding before along D is 3; it must lie in [0, 2]",
     but([](auto& r) { r.pads[0] = 3, r.grad_output[2] = 5; })},
    {"padding after along W is 3; it must lie in [0, 2]",
     but([](auto& r) { r.pads[5] = 3, r.grad_output[4] = 5; })},
    {"padding before along H is 256; it must lie in [0, 255]",
     [](auto& tiling) {
       tell(tiling,
            {{8, 8, 1, 300, 1}, {1, 8, 1, 300, 1}, {1, 8, 1, 257, 1}, {0, 0, 256, 0, 0, 0}});
     }},
    {"(kernel - 1) * dilation - padding before along H is 256",
     [](auto& tiling) {
       tell(tiling, {{8, 8, 1, 257, 1}, {1, 8, 1, 300, 1}, {1, 8, 1, 44, 1}, {0, 0, 0, 0, 0, 0}});
     }},
    {"(kernel - 1) * dilation - padding before along W is 256",
     [](auto& tiling) {
       tell(tiling, {{8, 8, 1, 1, 257}, {1, 8, 1, 1, 300}, {1, 8, 1, 1, 44}, {0, 0, 0, 0, 0, 0}});
     }},
    {"input - grad output * stride + padding before along D is 256",
     [](auto& tiling) {
       tell(tiling, {{8, 8, 257, 1, 1}, {1, 8, 300, 1, 1}, {1, 8, 44, 1, 1}, {0, 0, 0, 0, 0, 0}});
     }},
    {"input - grad output * stride + padding before along H is 257",
     [](auto& tiling) {
       tell(tiling, {{8, 8, 1, 258, 1}, {1, 8, 1, 300, 1}, {1, 8, 1, 45, 1}, {0, 0, 2, 0, 0, 0}});
     }},
    {"input - grad output * stride + padding before along W is 257",
     [](auto& tiling) {
       tell(tiling, {{8, 8, 1, 1, 258}, {1, 8, 1, 1, 300}, {1, 8, 1, 1, 45}, {0, 0, 0, 0, 2, 0}});
     }},
    {"a value along W is", but([](auto& r) { r.input[4] = INT64_MAX; })},
    {"K, kernel H times W", but([](auto& r) { r.weight[0] = r.grad_output[1] = INT32_MAX; })},
};

std::string reason() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

TEST(GetTiling, AcceptsWhatTheRefusalsAreVariationsOf) {
  Conv3DBpInputTiling tiling;
  tell(tiling, small());
  EXPECT_GT(tiling_of(tiling).baseM, 0U);
}

TEST(GetTiling, RefusesEachBrokenRuleWithItsReasonAndLeavesTheDataAsItWas) {
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.names);
    Conv3DBpInputTiling tiling;
    refusal.told(tiling);
    reason();
    Data data;
    data.conv3DDxTiling.baseM = 77;
    EXPECT_EQ(tiling.GetTiling(data), -1);
    EXPECT_EQ(data.conv3DDxTiling.baseM, 77U);
    const std::string text = reason();
    EXPECT_NE(text.find(refusal.names), std::string::npos) << text;
    optiling::Conv3DBackpropInputTilingData accessed;
    EXPECT_EQ(tiling.GetTiling(accessed), -1);
  }
}

TEST(GetTiling, RefusesRowsTooLongForL1) {
  Conv3DBpInputTiling tiling;
  tell(tiling, {{512, 512, 1, 3, 3}, {1, 512, 1, 4, 60002}, {1, 512, 1, 2, 60000}});
  Data data;
  reason();
  EXPECT_EQ(tiling.GetTiling(data), -1);
  EXPECT_NE(reason().find("L1"), std::string::npos);
}

TEST(GetTiling, LogsAndToleratesTooLargeAnOutputPadding) {
  Conv3DBpInputTiling tiling;
  tell_transposed(tiling);
  EXPECT_TRUE(tiling.SetOutputPadding(0, 2, 0));
  Data data;
  reason();
  EXPECT_EQ(tiling.GetTiling(data), 0);
  EXPECT_NE(reason().find("output padding along H is 2"), std::string::npos);
}

TEST(TilingSetters, RefuseWhatContradictsAnEarlierLength) {
  Conv3DBpInputTiling tiling;
  EXPECT_TRUE(tiling.SetWeightShape(8, 4, 1, 1, 1));
  EXPECT_FALSE(tiling.SetWeightShape(9, 4, 1, 1, 1));
  EXPECT_FALSE(tiling.SetInputShape(1, 5, 1, 1, 1));
  EXPECT_TRUE(tiling.SetOutputPadding(0, 0, 0));
  EXPECT_TRUE(tiling.SetInputShape(1, 4, 1, 1, 1));
  EXPECT_FALSE(tiling.SetOutputPadding(0, 0, 0));
  EXPECT_FALSE(tiling.SetGradOutputShape(2, 8, 1, 1, 1));
  EXPECT_FALSE(tiling.SetGradOutputShape(1, 9, 1, 1, 1));
  EXPECT_TRUE(tiling.SetGradOutputShape(1, 8, 1, 1, 1));
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

using nlohmann::json;

Five five(const json& values) { return values.get<Five>(); }

ConvDtype dtype_named(const std::string& name) {
  if (name == "FLOAT16") return ConvDtype::FLOAT16;
  if (name == "BF16") return ConvDtype::BF16;
  EXPECT_EQ(name, "FLOAT");
  return ConvDtype::FLOAT32;
}

void tell(Conv3DBpInputTiling& tiling, const json& published) {
  tiling.SetWeightType(TPosition::GM, ConvFormat::FRACTAL_Z_3D,
                       dtype_named(published["weight"]["dtype"]));
  const auto w = five(published["weight"]["shape"]);
  tiling.SetWeightShape(w[0], w[1], w[2], w[3], w[4]);
  const auto dy = five(published["gradOutput"]["shape"]);
  tiling.SetGradOutputShape(dy[0], dy[1], dy[2], dy[3], dy[4]);
  if (!published["inputSize"].is_null()) {
    const auto x = five(published["inputSize"]);
    tiling.SetInputShape(x[0], x[1], x[2], x[3], x[4]);
  }
  const auto p = published["pads"].get<Six>();
  tiling.SetPadding(p[0], p[1], p[2], p[3], p[4], p[5]);
  const auto s = five(published["strides"]);
  tiling.SetStride(s[2], s[3], s[4]);
  const auto d = five(published["dilations"]);
  tiling.SetDilation(d[2], d[3], d[4]);
  if (!published.contains("outputPadding")) return;
  const auto o = published["outputPadding"].get<std::array<std::int64_t, 3>>();
  tiling.SetOutputPadding(o[0], o[1], o[2]);
}

TEST(GetTiling, AnswersThePublishedCasesWithTheirStatus) {
  std::ifstream lines(tests::published_file("tiling.jsonl"));
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    const json published = json::parse(line);
    if (published["api"] != "Conv3DBpInputTiling") continue;
    SCOPED_TRACE(published["id"].get<std::string>());
    Conv3DBpInputTiling tiling;
    tell(tiling, published);
    Data data;
    EXPECT_EQ(tiling.GetTiling(data), published["expect"]["status"].get<std::int64_t>())
        << reason();
    ++count;
  }
  EXPECT_EQ(count, 10);
}

}  // namespace
}  // namespace gradproof::kernel::ascendc::tiling
