// Sentences that name an attribute and what is wrong with it: the rule, the attribute, its value,
// and what is no such sentence.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "oracle/rules/status_rules.h"
#include "properties/advice/logs/operator_names.h"
#include "properties/advice/logs/reading.h"
#include "properties/advice/logs/sign.h"

namespace gradproof::advice {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

struct Sentence {
  std::string line, rule, meaning;
};

TEST(Claims, NameTheAttributeTheRuleAndTheNextStep) {
  const Sentence sentences[] = {
      {"stride[0] 0 should be greater than 0", "STRIDE-01", "stride is refused: 0"},
      {"RuntimeError: non-positive stride is not supported", "STRIDE-01", "stride is refused"},
      {"groups should be larger than 0, but got 0", "GRP-01", "groups is refused: 0"},
      {"negative padding is not supported", "PAD-01", "padding is refused"},
      {"output_padding must be non-negative", "OPAD-01", "outputPadding is refused"},
      {"expected padding to be a single integer value or a list of 3 values to match the "
       "convolution dimensions, but got padding=[1, 1]",
       "LEN-03", "padding is refused"},
      {"conv: the dtypes of gradInput and input must be the same", "DTYPE-04", "dtype is refused"},
      {"dtype DT_BFLOAT16 must be the same as DT_FLOAT of weight", "DTYPE-03", "dtype is refused"},
      {"unsupported data type float64 for conv3d", "DTYPE-01", "dtype is refused"},
      {"Expected a proper Tensor but got null for argument weight.", "NULL-03",
       "weight is refused"},
      {"[CheckNotNull][7] Expected a proper Tensor but got null for argument "
       "params_.outputPadding.",
       "NULL-07", "outputPadding is refused"},
      {"outputMask 长度必须为 3 (卷积)", "NULL-09", "outputMask is refused"},
      {"卷积 参数 stride 的值 0 非法", "STRIDE-01", "stride is refused: 0"},
      {"卷积算子的步长必须大于0，实际为 -1", "STRIDE-01", "stride is refused: -1"},
      {"数据类型不一致: 卷积的 input 与 weight", "DTYPE-03", "dtype is refused"},
  };
  for (const Sentence& sentence : sentences) {
    const auto claims = claims_in(sentence.line);
    ASSERT_EQ(claims.size(), 1U) << sentence.line;
    EXPECT_EQ(claims[0].rule, sentence.rule) << sentence.line;
    EXPECT_EQ(claims[0].meaning, sentence.meaning) << sentence.line;
    EXPECT_THAT(claims[0].next, HasSubstr(demand_of(sentence.rule))) << sentence.line;
  }
}

/// CANN's checker of this operator, in its own words of two releases.
TEST(Claims, OfCannsCheckerNameTheRuleAndTheNumbers) {
  const Sentence sentences[] = {
      {"gradOutput_channel(12) != weight_N_dim(10)", "CH-01", "12 channels"},
      {"the shape dim of [gradOutShape[1], weight[0]] must be the same.", "CH-01", "first length"},
      {"input_channel(24) / weight_channel(6) != groups(3)", "CH-02", "are not groups=3"},
      {"input_channel(25) % weight_channel(6) != 0", "CH-02", "no multiple of the weight's 6"},
      {"inputChannel(8) need groups(2) times weight_channel(3)", "CH-02", "groups=2 times"},
      {"the shape dim of inputShape[1] must equal to (the shape dim of weight[1] times the value "
       "of groups).",
       "CH-02", "times groups"},
      {"must be equal to (the shape dim of weight[1] times the value of groups), inputShape[1], "
       "weight[1] = 40,3",
       "CH-02", "40 channels"},
      {"output_channel(9) % groups(2) != 0", "CH-03", "9 is no multiple of groups=2"},
      {"when input_channel(6) == groups(6), output_channel(9) need k times input_channel", "CH-04",
       "9 output channels"},
      {"gradOutput's shape[1,4,3,7,7] is not equal with inferred shape[1,4,3,8,8]", "SHAPE-02", ""},
      {"shape of gradOutput should equal to [1, 4,3,8,8]", "SHAPE-02", ""},
      {"(in_dim(5) + pad_dim(1) * 2) should >= ((weight_shape(4) - 1) * dilation(3) + 1)",
       "SHAPE-01", "input 5 with padding 1 at both ends is shorter than the kernel 4"},
      {"Expected tensor for inputTensor_.input to have same size as tensor for "
       "outputTensor_.gradInput, but [1,2] does not equal [1,3].",
       "SHAPE-05", "gradInput"},
      {"The gradBias shape should be equal [16].", "SHAPE-07", "gradBias"},
      {"The gradOutput and weight cannot be empty tensor.", "SHAPE-08", "no element"},
      {"When the input dimension is 5, the dimension of stride should be 3.", "LEN-01", "(3)"},
      {"When the input dimension is 4, the dimension of padding should be 2 or 4.", "LEN-03",
       "padding"},
      {"when transposed=false, the value of outputPadding must be 0", "OPAD-03", "not transposed"},
      {"The dim of gradOutput and input should be equal.", "RANK-02", "dimensions"},
      {"The dim of outputMask must be equal 3.", "NULL-09", "three values"},
      {"The value of stride[0,1] must be greater than or equal to 1.", "STRIDE-01", "stride"},
      {"In 2D scenes, the weight format only supports NCHW, but received NHWC.", "FMT-01",
       "format"},
  };
  for (const Sentence& sentence : sentences) {
    const auto read = reading_of(
        "call aclnnConvolutionBackward failed, detail:EZ1001: [PID: 7] "
        "2026-01-02-03:04:05.006.007 " +
        sentence.line);
    ASSERT_EQ(read->rules.size(), 1U) << sentence.line;
    EXPECT_EQ(read->rules[0].rule, sentence.rule) << sentence.line;
    EXPECT_EQ(read->rules[0].quote, sentence.line);  // without what stands before it
    EXPECT_THAT(read->meanings[0].words, HasSubstr(sentence.meaning)) << sentence.line;
  }
}

TEST(Claims, OfAnInnerStepAreNoNullParameter) {
  const auto read = reading_of(
      "errno[561103] OpName:[aclnnConvolutionBackward_4] The calculation with empty tensor failed, "
      "weight with ZerosLike return nullptr.");
  EXPECT_THAT(read->rules, IsEmpty());
  EXPECT_THAT(read->kinds, testing::ElementsAre(LogKind::InnerOperator));
  EXPECT_THAT(read->meanings[0].words, HasSubstr("inner step zeroslike"));
  EXPECT_THAT(reading_of("call aclnnConvolutionBackward failed, EZ9999: X do tiling failed")->kinds,
              testing::ElementsAre(LogKind::InnerOperator));
}

TEST(Claims, AreNotMadeOfOtherSentences) {
  for (const char* line :
       {"conv2d: stride 2 should be greater than 0",  // it is
        "INFO: conv stride greater than 0", "the gradient must be the same on both devices",
        "max_pool2d: stride should be greater than 0",
        "stride must not exceed the kernel (pooling)",
        "The values for attribute 'dtype' do not match: float32 != float64",
        "TypeError: Mismatch between array dtype ('%s') and format",
        "ValueError: mode is not supported.format(mode)",
        "the dimension of bins must be equal to the dimension of the sample",
        "sequence length should be a multiple of the conv stride", "padding must be 1 (conv)",
        "error: cannot open null device for conv input file"}) {
    EXPECT_THAT(claims_in(line), IsEmpty()) << line;
  }
}

/// CANN names a kernel after its operator, with what the compiler adds before and behind.
TEST(Operators, AreNamedByTheirKernels) {
  const std::pair<const char*, const char*> kernels[] = {
      {"te_conv3dbackpropfilter_1_0", "conv3dbackpropfilter"},
      {"te_conv2d_backprop_input_d_4f8e11_1", "conv2d_backprop_input_d"},
      {"Conv3DBackpropFilterV2_2f31c9_high_performance_0", "Conv3DBackpropFilterV2"}};
  for (const auto& [kernel, name] : kernels) {
    const auto named = operators_in(std::string("fault kernel_name=") + kernel + ", device_id=0");
    ASSERT_EQ(named.size(), 1U) << kernel;
    EXPECT_EQ(named[0].name, name);
    EXPECT_EQ(named[0].relation, Relation::GraphGradient) << kernel;
  }
  const std::pair<const char*, const char*> others[] = {
      {"fault kernel_name=te_matmul_1_0", "matmul"},
      {"fault kernel_name=MaskedFillV2_7f31_mix_aiv, program id=3", "MaskedFillV2"},
      {"fault op_name=Default/net/TopK-op21[FUNC:GetError]", "TopK"}};
  for (const auto& [line, name] : others) {
    const auto named = operators_in(line);
    ASSERT_EQ(named.size(), 1U) << line;
    EXPECT_EQ(named[0].name, name);
    EXPECT_EQ(named[0].relation, Relation::Another) << line;
  }
  EXPECT_EQ(operators_in("OPS function error: Conv3D, error code is 500002").size(), 1U);
  // A step of ours is not another operator's.
  EXPECT_EQ(operators_in("aclnnConvolutionBackward_1: fault kernel_name=Cast_1f_0").size(), 1U);
}

/// Frameworks name shapes and dtypes in their own words.
TEST(Claims, OfFrameworksNameTheRule) {
  const std::pair<const char*, const char*> all[] = {
      {"expected grad_weight shape (4, 3, 3) but got (4, 2, 3)", "SHAPE-06"},
      {"conv1d: grad_input has shape (1, 2, 9), expected (1, 2, 8)", "SHAPE-05"},
      {"For primitive[Conv2D], the input argument[x] must be a type of {Tensor[Float16]}, but got "
       "Tensor[Int8].",
       "DTYPE-01"},
      {"For 'Conv2D', the type of 'w' should be same as the type of 'x'", "DTYPE-03"},
      {"GpuDnnConv images and kernel must have the same stack size", "CH-02"},
      {"Error in conv2d: depth of input (8) must match input depth for filter 4.", "CH-02"},
      {"The xDtype DT_FLOAT16 is not same as wDtype DT_BFLOAT16", "DTYPE-03"},
      {"conv1: must satisfy 0 < kernel width <= input width + 2 * padding width", "SHAPE-01"}};
  for (const auto& [line, rule] : all) {
    const auto read = reading_of(line);
    ASSERT_EQ(read->rules.size(), 1U) << line;
    EXPECT_EQ(read->rules[0].rule, rule) << line;
  }
}

TEST(Claims, OfAnotherOperatorAreNotOurs) {
  EXPECT_THAT(reading_of("call aclnnAvgPool2d failed: stride 0 should be greater than 0")->rules,
              IsEmpty());
  EXPECT_THAT(reading_of("optype Conv2DBackpropInputD: stride 0 should be greater than 0")->rules,
              IsEmpty());
}

}  // namespace
}  // namespace gradproof::advice
