// GetTiling of Conv3dBpFilterTiling: both flavours, every check.

#include <gtest/gtest.h>

#include <string>

#include "kernel_launcher.h"
#include "kernel_operator.h"
#include "lib/conv_backprop/conv3d_bp_filter_api.h"
#include "lib/conv_backprop/conv3d_bp_filter_tiling.h"
#include "tests/kernel/ascendc/ascendc_grad_weight.h"
#include "tests/support/ascendc_device.h"
#include "tests/support/runtime_fixture.h"
#include "tiling/conv_backprop/conv3d_bp_filter_tiling.h"

namespace gradproof::kernel::ascendc {
namespace {

TEST(FilterTiling, IsTheSameInBothFlavours) {
  Conv3dBpFilterTiling tiling = told(split_convolution(), ConvDtype::FLOAT16);
  AscendC::tiling::Conv3DBackpropFilterTilingData plain;
  optiling::Conv3DBackpropFilterTilingData accessed;
  ASSERT_EQ(tiling.GetTiling(plain), 0);
  ASSERT_EQ(tiling.GetTiling(accessed), 0);
  AscendC::tiling::Conv3DBackpropFilterTilingData saved;
  ASSERT_EQ(accessed.GetDataSize(), sizeof saved);
  accessed.SaveToBuffer(&saved, sizeof saved);
  EXPECT_EQ(std::memcmp(&saved.dwTiling, &plain.dwTiling, sizeof saved.dwTiling), 0);
  EXPECT_EQ(saved.params.totalL1Size, 524288U);
  EXPECT_EQ(accessed.basicBlockTiling.get_singleCoreM(), plain.dwTiling.singleCoreCout);
  EXPECT_EQ(accessed.dwTiling.get_dilationW(), 2U);
  EXPECT_EQ(plain.dwTiling.channelSize, 16U);
}

struct Refusal {
  const char* names;
  std::function<void(Conv3dBpFilterTiling&)> change;
};

const Refusal refusals[] = {
    {"kernel along W is 0", [](auto& t) { t.SetWeightShape(20, 18, 2, 3, 0); }},
    {"kernel along W is 33", [](auto& t) { t.SetWeightShape(20, 18, 2, 3, 33); }},
    {"kernel along H is 512", [](auto& t) { t.SetWeightShape(20, 18, 2, 512, 3); }},
    {"cin is 0", [](auto& t) { t.SetWeightShape(20, 0, 2, 3, 3); }},
    {"cout is -1", [](auto& t) { t.SetWeightShape(-1, 18, 2, 3, 3); }},
    {"batch is 0", [](auto& t) { t.SetInputShape(0, 18, 4, 9, 11); }},
    {"input along D is 0", [](auto& t) { t.SetInputShape(2, 18, 0, 9, 11); }},
    {"grad output along H is 0", [](auto& t) { t.SetGradOutputShape(2, 20, 3, 0, 5); }},
    {"stride along D is 0", [](auto& t) { t.SetStride(0, 1, 1); }},
    {"stride along H is 64", [](auto& t) { t.SetStride(1, 64, 1); }},
    {"stride along W is 64", [](auto& t) { t.SetStride(1, 1, 64); }},
    {"dilation along W is 256", [](auto& t) { t.SetDilation(1, 1, 256); }},
    {"padding before along H is 256", [](auto& t) { t.SetPadding(0, 0, 256, 0, 0, 0); }},
    {"padding after along W is -1", [](auto& t) { t.SetPadding(0, 0, 0, 0, 0, -1); }},
    {"input format",
     [](auto& t) { t.SetInputType(TPosition::GM, ConvFormat::NCDHW, ConvDtype::FLOAT16); }},
    {"weight format",
     [](auto& t) { t.SetWeightType(TPosition::GM, ConvFormat::ND, ConvDtype::FLOAT32); }},
    {"dtype",
     [](auto& t) { t.SetInputType(TPosition::GM, ConvFormat::NDC1HWC0, ConvDtype::INT8); }},
};

TEST(FilterTiling, RefusesEachBrokenRuleWithItsReasonAndLeavesTheDataAsItWas) {
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.names);
    Conv3dBpFilterTiling tiling = told(split_convolution(), ConvDtype::FLOAT16);
    refusal.change(tiling);
    error_text();
    AscendC::tiling::Conv3DBackpropFilterTilingData data;
    data.dwTiling.baseM = 77;
    EXPECT_EQ(tiling.GetTiling(data), -1);
    EXPECT_EQ(data.dwTiling.baseM, 77U);
    const std::string text = error_text();
    EXPECT_NE(text.find(refusal.names), std::string::npos) << text;
  }
}

/// What the class does not look at: along D anything goes, and gradOutput's type and format.
TEST(FilterTiling, HasNoLimitsAlongDAndNoneForGradOutputsType) {
  Conv3dBpFilterTiling tiling = told(split_convolution(), ConvDtype::FLOAT16);
  tiling.SetStride(1000, 1, 1);
  tiling.SetDilation(1000, 1, 1);
  tiling.SetPadding(1000, 1000, 0, 0, 0, 0);
  tiling.SetGradOutputType(TPosition::GM, ConvFormat::ND, ConvDtype::FLOAT32);
  AscendC::tiling::Conv3DBackpropFilterTilingData data;
  EXPECT_EQ(tiling.GetTiling(data), 0);
  EXPECT_EQ(data.dwTiling.channelSize, 16U);
}

/// Where nothing fits, the last blocks tried are the answer, and Init refuses them.
TEST(FilterTiling, AnswersAlsoWhereNothingFitsL1) {
  Conv3dBpFilterTiling tiling = told(split_convolution(), ConvDtype::FLOAT16);
  tiling.SetInputShape(1, 1, 1, 1000, 65'535);
  tiling.SetWeightShape(1, 1, 1, 511, 32);
  tiling.SetGradOutputShape(1, 1, 1, 490, 65'504);
  AscendC::tiling::Conv3DBackpropFilterTilingData data;
  ASSERT_EQ(tiling.GetTiling(data), 0);
  EXPECT_EQ(data.dwTiling.al1Pbuffer, 1U);
  EXPECT_GT(std::uint64_t{data.dwTiling.bl1Bound} * 2, 524'288U);
}

}  // namespace
}  // namespace gradproof::kernel::ascendc
