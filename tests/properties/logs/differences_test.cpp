// "Numbers differ" in the words of the programs that say it; what CANN, its runtime and torch_npu
// print.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "properties/advice/explain/term.h"
#include "properties/advice/logs/reading.h"

namespace gradproof::advice {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

struct Said {
  std::string line, value, limit;
};

TEST(Differences, AreReadInTheWordsOfThePrograms) {
  const Said all[] = {
      {"Tensor-likes are not close! maxdiff = 0.5 > atol=1e-2", "0.5", "1e-2"},
      {"Greatest absolute difference: 0.25 at index (3, 1) (up to 1e-05 allowed)", "0.25", "1e-05"},
      {"Max absolute difference among violations: 3.5", "3.5", ""},
      {"RMSE (res-fp64): 0.002, (ref-fp64): 0.0003 and shape. multiplier: 3.0, tol: 0.001", "0.002",
       "0.001"},
      {"difference between a and b is 0.75, which exceeds kTolerance, where", "0.75", ""},
      {"[5][DIFF][0:0:0:5] exp: 8 got: 12 diff:     4 rdiff:     0.5", "4", ""},
      {"Backward Convolution Weights Failed: 0.04 > 1e-06", "0.04", "1e-06"},
      {"FAILED: 0.0137", "0.0137", ""},
      {"max abs diff = 1.5e-3", "1.5e-3", ""},
      {"max diff 0.125 (tol 0.01)", "0.125", "0.01"},
      {"max relative error 215x", "215", ""},
      {"allclose(dw, ref): False", "", ""},
      {"Difference at 7: 7.25, expected 73.5", "7.25", ""},
      {"最大误差 0.031", "0.031", ""},
      {"max ulp error: 12", "12", ""},
  };
  for (const Said& said : all) {
    const auto read = reading_of(said.line);
    ASSERT_TRUE(read && read->differences.all.size() == 1) << said.line;
    EXPECT_EQ(read->differences.all[0].value, said.value) << said.line;
    EXPECT_EQ(read->differences.all[0].limit, said.limit) << said.line;
    EXPECT_THAT(read->kinds, Contains(LogKind::Precision)) << said.line;
  }
}

TEST(Differences, AreNotReadWhereNothingIsCompared) {
  for (const char* line :
       {"expected input[2, 4, 8, 8] to have 3 channels, but got 4",
        "Parameter verification failed.", "call aclnnAdd failed, error code is 561103",
        "2 tests failed", "different shapes: 3 and 4", "FAILED (failures=2)",
        "gradient of the loss", "max_pool2d(3)"}) {
    EXPECT_THAT(reading_of(line)->differences.all, testing::IsEmpty()) << line;
  }
}

TEST(Differences, OfFiniteStepsHaveTheirOwnError) {
  const auto read = reading_of(
      "x = torch.rand(1, 2, 9, dtype=torch.float32)\ntorch.autograd.gradcheck(f, x, eps=1e-4)\n"
      "GradcheckError: Jacobian mismatch for output 0 with respect to input 0,");
  ASSERT_TRUE(read && read->differences.check.is_there);
  EXPECT_DOUBLE_EQ(read->differences.check.step.value_or(0), 1e-4);
  EXPECT_THAT(read->next, Contains(HasSubstr("in FLOAT 0.0006")));
}

TEST(Differences, OfAKnownCallComeWithWhatARightLibraryShows) {
  const auto read =
      reading_of("F.conv1d(torch.ones(1, 2, 9), torch.ones(3, 2, 3))\nmax diff = 0.5");
  ASSERT_TRUE(read && read->calls.size() == 1);
  EXPECT_THAT(read->calls[0].notes, Contains(HasSubstr("gradWeight of operands")));
  EXPECT_THAT(reading_of("F.conv1d(torch.ones(1, 2, 9), torch.ones(3, 2, 3))")->calls[0].notes,
              Not(Contains(HasSubstr("gradWeight of operands"))));
}

TEST(CannsWords, NameThisOperatorByItsInstance) {
  for (const char* name : {"aclnnConvolutionBackward_17", "aclnnConvolutionBackward_3_Kernel",
                           "aclnnConvolutionBackward_2_Conv2DBackpropFilter"}) {
    const auto read =
        reading_of(std::string("[ERROR] OP(1,python) errno[161002] OpName:[") + name + "] refused");
    ASSERT_TRUE(read && !read->operators.empty()) << name;
    EXPECT_EQ(read->operators[0].name, "aclnnConvolutionBackward");
    EXPECT_THAT(read->kinds, Not(Contains(LogKind::OtherOperator)));
  }
  EXPECT_THAT(reading_of("errno[161002] OpName:[aclnnGatherV2_4] refused")->kinds,
              Contains(LogKind::OtherOperator));
}

TEST(CannsWords, OfAGraphCaptureAreNoParameter) {
  const auto aclop = reading_of(
      "Cannot run aclop operators during NPU graph capture. Current working aclop is "
      "Conv3DBackpropInput. ERR00007 PTA feature not supported");
  ASSERT_TRUE(aclop.has_value());
  EXPECT_EQ(aclop->operators[0].name, "Conv3DBackpropInput");
  EXPECT_THAT(aclop->kinds, Contains(LogKind::GraphCapture));
  EXPECT_THAT(aclop->next, Contains(HasSubstr("allow_internal_format = False")));
  const auto end = reading_of("c10_npu::acl::AclmdlRICaptureEnd(s, &m), error code is 107033");
  EXPECT_THAT(end->kinds, testing::ElementsAre(LogKind::GraphCapture));
  EXPECT_THAT(end->rules, testing::IsEmpty());
}

TEST(CannsWords, AreAnsweredInTheWordsOfTheProgram) {
  const std::string line = "GetDNNEngineName: ErrorNo: 1 (assign engine failed)";
  EXPECT_THAT(reading_of("torch_npu: " + line)->next, Contains(HasSubstr("torch.npu.config")));
  EXPECT_THAT(reading_of("mindspore: " + line)->next, Not(Contains(HasSubstr("torch.npu"))));
}

TEST(CannsWords, ArePathsOnlyWhereTheyAreCalls) {
  EXPECT_THAT(reading_of("use_cudnn_on_gpu=false")->paths, Not(Contains("cuDNN")));
  EXPECT_THAT(reading_of("[ RUN ] CuDNNConvolutionLayerTest/1.Gradient")->paths,
              Not(Contains("cuDNN")));
  EXPECT_THAT(reading_of("cudnnConvolutionBackwardData(h) failed")->paths, Contains("cuDNN"));
}

TEST(CannsWords, OfCodesSayWhoseFaultItCanBe) {
  for (const char* code : {"107000", "107030", "207001", "507018", "507035", "507899", "E39999",
                           "EE9999", "EI0006", "EL0004", "ERR00100", "ERR01003", "EZ9999"}) {
    EXPECT_TRUE(name_of_code(code).has_value()) << code;
    EXPECT_THAT(*term_text(code), HasSubstr("causes: ")) << code;
    EXPECT_THAT(*term_text(code, corpus::Language::Chinese), HasSubstr("原因：")) << code;
  }
  for (const char* number : {"107999", "507123", "207900", "ERR00999", "EQ1000"}) {
    EXPECT_FALSE(name_of_code(number).has_value()) << number;
  }
}

}  // namespace
}  // namespace gradproof::advice
