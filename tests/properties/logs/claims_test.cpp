// Sentences that name an attribute and what is wrong with it: the rule, the attribute, its value,
// and what is no such sentence.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "oracle/rules/status_rules.h"
#include "properties/advice/logs/claims.h"
#include "properties/advice/logs/operator_names.h"
#include "properties/advice/logs/reading.h"

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
  EXPECT_THAT(operators_in("fault kernel_name=te_matmul_1_0"), IsEmpty());
}

TEST(Claims, OfAnotherOperatorAreNotOurs) {
  EXPECT_THAT(reading_of("call aclnnAvgPool2d failed: stride 0 should be greater than 0")->rules,
              IsEmpty());
  EXPECT_THAT(reading_of("optype Conv2DBackpropInputD: stride 0 should be greater than 0")->rules,
              IsEmpty());
}

}  // namespace
}  // namespace gradproof::advice
