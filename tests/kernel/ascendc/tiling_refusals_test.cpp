// GetTiling of Conv3DBpInputTiling: every check.

#include "lib/conv_backprop/conv3d_bp_input_tiling.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "acl/acl.h"
#include "tests/kernel/ascendc/tiling_request.h"
#include "tiling/conv_backprop/conv3d_bp_input_tiling.h"

namespace gradproof::kernel::ascendc::tiling {
namespace {

struct Refusal {
  std::string_view names;
  std::function<void(Conv3DBpInputTiling&)> told;
};

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

}  // namespace
}  // namespace gradproof::kernel::ascendc::tiling
