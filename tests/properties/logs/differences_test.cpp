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

/// Each number of a line belongs to the measure before it, and to one alone.
TEST(Differences, OfSeveralMeasuresInOneLineAreTold) {
  struct Measured {
    std::string line, words;
  };
  const Measured all[] = {
      {"dX: max abs 0.5 mean diff 0.125",
       "gradInput: largest absolute difference 0.5; gradInput: mean difference 0.125"},
      {"43.5% element mismatch, max error up to 49.5",
       "wrong elements in percent 43.5%; largest absolute difference 49.5"},
      {"failing with 61.5% mismatched elements and max error of 87.5",
       "wrong elements in percent 61.5%; largest absolute difference 87.5"},
      {"wgrad: SQNR = 22.5 dB (expected > 40)", "gradWeight: signal to noise in dB 22.5, limit 40"},
      {"tf.conv2d(x, w, [2, 2]) dx webgl: 1.25 cpu: 1.5",
       "gradInput: one element, by two programs 1.25, against 1.5"},
      {"卷积反向 dw 余弦相似度 0.875，最大绝对误差 0.75",
       "gradWeight: cosine, which hides single wrong elements 0.875; gradWeight: largest absolute "
       "difference 0.75"},
  };
  for (const Measured& measured : all) {
    std::string words;
    const auto read = reading_of(measured.line);
    for (const Difference& one : read->differences.all)
      words += (words.empty() ? "" : "; ") + words_of(one);
    EXPECT_EQ(words, measured.words) << measured.line;
  }
}

TEST(Differences, OfAnEnvironmentAndOfTimesAreNone) {
  for (const char* line :
       {"Environment: torch: 2.1.0, cuda: 12.1, cpu: 3.5 GHz", "conv: cpu: 12.5 ms, npu: 1.25 ms",
        "Accuracy with conv: 76.1% (gpu) vs 75.9% (npu)"})
    EXPECT_EQ(reading_of(line)->differences.all.size(), 0U) << line;
}

/// Where a row of a table says that it failed, the others did not; a head may name the gradient.
TEST(Differences, OfTablesAreOfTheRowsThatFailed) {
  const auto verdicts =
      reading_of("layer   PSNR(dB)   max_abs\nconv1   62.5   0.002\nconv2   18.5   0.95  FAIL\n");
  ASSERT_EQ(verdicts->differences.all.size(), 2U);
  EXPECT_EQ(verdicts->differences.all[0].place, "conv2");
  const auto heads = reading_of("case    dx_err    dw_err\n3x3s1   1.5e-3    4.5e-1\n");
  ASSERT_EQ(heads->differences.all.size(), 2U);
  EXPECT_EQ(heads->differences.all[0].gradient, "gradInput");
  EXPECT_EQ(heads->differences.all[1].gradient, "gradWeight");
}

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
      {"max_error: 0.247; tolerance: 0.1", "0.247", "0.1"},
      {"[STATS] trh=0.004 err_max_diff:0.0156", "0.0156", "0.004"},
      {"max ulp 3  >  allowed 1", "3", "1"},
      {"AssertionError: 0.0034 not less than 0.001", "0.0034", "0.001"},
      {"SNR 21.5 dB below 40 dB", "21.5", "40"},
      {"grad_bias: npu 0.0123   cpu 2.4108", "0.0123", ""},
      {"dW is off by a factor of 196", "196", ""},
      {"dW is off by exactly a factor of 8, everywhere", "8", ""},
      {"Tensor mismatch. PCC = 0.9127, but required = 0.99", "0.9127", "0.99"},
      {"[FAILED] element at index 31 (2.5) does not match the expected (2.75)", "2.5", ""},
      {"Error: Incorrect results! out[7] != ref[7]: -18 != -17.5", "-18", ""},
      {"isapprox(Float32[1.25 0.5; 2.0 3.0], Float32[1.5 0.5; 2.0 3.0]; rtol = 1.0f-5)", "1.25",
       "1.0e-5"},
      {"- **Error**: 87% relative error", "87%", ""},
      {">>> (a - b).abs().max()\ntensor(0.625, device='cuda:0')", "0.625", ""},
      {"最大差异\n错误阈值限制: 0.001\n最大相对误差: 0.0625", "0.0625", "0.001"},
      {"dx on MPS is -0.25 where the CPU gives 0.5", "-0.25", ""},
      {"Error: Arrays differ: actual[7] = 2.5, expected[7] = 2.25.", "2.5", ""},
      {"with expansion:\n  0.75f == Approx( 0.875 )", "0.75", ""},
      {"assertion `left == right` failed\n  left: 12.5\n right: 12.25", "12.5", ""},
      {"Expected: 3.5\nReceived: 3.25", "3.25", ""},
      {"Actual double:\n    0.75\nExpected double:\n    0.5", "0.75", ""},
      {"  dw[3]\n    Which is: 1.5\n  want[3]\n    Which is: 1.75", "1.5", ""},
      {"isapprox(0.75f0, 0.5f0; rtol = 1f-4)", "0.75", "1e-4"},
      {"with expansion:\n  0.75f is within 0.125 of 0.5f", "0.75", "0.125"},
      {"assert 0.75 == 0.5 ± 1.0e-06", "0.75", "1.0e-06"},
      {"index 3: host 7.5 device 7.25", "7.5", ""},
      {"X and Y are not equal to 4 ULP (max is 129)", "129", "4"},
      {"not close lhs = [0.75]\nnot close dif = [0.25]", "0.25", ""},
      {"grad norm is 3.5 where on the GPU it is 1.75", "3.5", ""},
      {"dw error: 0.25", "0.25", ""},
      {"conv_test.go:7: dw[4] = 2.5, want 2.25 (tol 1e-05)", "2.5", "1e-05"},
      {"expected: <0.125> but was: <0.25>", "0.25", ""},
      {"failed: (\"0.5\") is not equal to (\"0.25\") +/- (\"0.01\")", "0.5", "0.01"},
      {"failed: mismatch 12 / 288 (4.2%)", "12", ""},
      {"grad_input: 37 of 4096 elements differ, worst at (1, 0, 7, 7)", "37", ""},
      {"grad_weight sum: 1023.5 vs 1187.25 (npu vs cpu)", "1023.5", ""},
      {"grad check 2025-06-18 at 3: -1023.5 vs 1187.25", "-1023.5", ""},
      {"the weight gradient is 2.5% off everywhere", "2.5%", ""},
      {"max error up to 49.5", "49.5", ""},
      {"ay[0], by[0] diff 0.0725", "0.0725", ""},
      {"first mismatch at (0, 1): computed 12.5 reference 13.0", "12.5", ""},
      {"bias grad: device=12.75 host=13.5", "12.75", ""},
      {"dw is 0.125 on webgl: 0.125, cpu: 0.25", "0.125", ""},
      {"wgrad: worst element is 9 ulps away from the reference", "9", ""},
      {"layer conv1 PSNR 18.5 dB", "18.5", ""},
      {"conv2d_bprop_filter: SQNR = 22.5 dB (expected > 40)", "22.5", "40"},
      {"grad_weight mean relative error = 18.5%", "18.5%", ""},
      {"NPU 结果 1.375，CPU 结果 1.5", "1.375", ""},
      {"expected gradWeight 2.5 got 5", "5", ""},
      {"weight.grad contains 128 NaN values in fp16", "", ""},
  };
  for (const Said& said : all) {
    const auto read = reading_of(said.line);
    ASSERT_TRUE(read && read->differences.all.size() == 1) << said.line;
    EXPECT_EQ(read->differences.all[0].value, said.value) << said.line;
    EXPECT_EQ(read->differences.all[0].limit, said.limit) << said.line;
    EXPECT_THAT(read->kinds, Contains(LogKind::Precision)) << said.line;
  }
}

TEST(Differences, OfNaNAndInfinityAreNoRounding) {
  for (const char* text :
       {"conv1.weight.grad: nan", "step 7: loss nan", "grad norm: inf",
        "conv.weight grad contains inf (max abs 65504)", "torch.isnan(g).any() -> True",
        "dW of conv3 is all nan", "ConvolutionBackward0 returned nan values in its 1th output"}) {
    const auto read = reading_of(text);
    ASSERT_TRUE(read && read->differences.all.size() == 1) << text;
    EXPECT_EQ(read->differences.all[0].measure, not_finite) << text;
    EXPECT_THAT(read->next, Contains(HasSubstr("no rounding"))) << text;
    EXPECT_THAT(read->next, Not(Contains(HasSubstr("rtol and atol")))) << text;
  }
  const auto beyond =
      reading_of("loss nan in float16\n>>> g.abs().max()\ntensor(70000., device='npu:0')");
  EXPECT_THAT(beyond->next, Contains(HasSubstr("70000 is beyond FLOAT16's largest number")));
  EXPECT_EQ(beyond->differences.all.size(), 1U);  // a greatest value is no difference
}

TEST(Differences, OfTwoBytesAreSaidInUnitsOfTheLastPlace) {
  const auto read = reading_of(
      "The difference between expected[i] and actual[i] is 0.03125, which exceeds tol, where\n"
      "expected[i] evaluates to 5.5,\nactual[i] evaluates to 5.53125, and\n"
      "tol evaluates to 0.01.\nbfloat16 dW");
  ASSERT_EQ(read->differences.all.size(), 1U);
  EXPECT_EQ(read->differences.all[0].measure, "difference of one element");
  EXPECT_EQ(read->differences.all[0].limit, "0.01");
  EXPECT_EQ(read->differences.all[0].gradient, "gradWeight");
  EXPECT_THAT(read->next, Contains(HasSubstr("is 1 units in the last place of BFLOAT16")));
  EXPECT_THAT(read->next, Contains(HasSubstr("the limit is below that unit")));
  EXPECT_THAT(reading_of("half\nout[1] != ref[1]: 3 != 3.00390625")->next,
              Contains(HasSubstr("is 2 units in the last place of FLOAT16")));
  EXPECT_THAT(reading_of("out[1] != ref[1]: 3 != 3.00390625")->next,
              Not(Contains(HasSubstr("last place"))));
}

TEST(Differences, AreOfTheGradientThatIsNamedWithThem) {
  const std::pair<const char*, const char*> all[] = {
      {"conv.weight.grad max diff = 0.5", "gradWeight"},
      {"dx\nMismatched elements: 3 / 8", "gradInput"},
      {"bias.grad: max abs diff 0.25", "gradBias"},
      {"idx of dw and dx: max diff = 0.5", ""},
      {"max diff = 0.5", ""}};
  for (const auto& [text, gradient] : all)
    EXPECT_EQ(reading_of(text)->differences.all[0].gradient, gradient) << text;
}

TEST(Differences, KeepALoneLimitForARelativeOne) {
  const auto read = reading_of("错误阈值限制: 0.001\n最大绝对误差: 0.5\n最大相对误差: 0.25");
  ASSERT_EQ(read->differences.all.size(), 2U);
  EXPECT_EQ(read->differences.all[0].limit, "");
  EXPECT_EQ(read->differences.all[1].limit, "0.001");
}

TEST(Differences, OfAnAnswerAreThoseOfTheQuestionBefore) {
  EXPECT_EQ(reading_of(">>> torch.allclose(a, b)\nFalse")->differences.all.size(), 1U);
  EXPECT_EQ(reading_of("print(torch.equal(a, b))\nFalse")->differences.all.size(), 1U);
  EXPECT_EQ(reading_of("print(a.requires_grad)\nFalse")->differences.all.size(), 0U);
}

TEST(Differences, AreNotReadWhereNothingIsCompared) {
  for (const char* line :
       {"expected input[2, 4, 8, 8] to have 3 channels, but got 4",
        "Parameter verification failed.", "call aclnnAdd failed, error code is 561103",
        "2 tests failed", "different shapes: 3 and 4", "FAILED (failures=2)",
        "gradient of the loss", "max_pool2d(3)", "grad norm 3.5 but lr 0.5",
        "assertion failed\n  left: 3\n right: 4", "crop:\n  left: 0.5\n right: 0.25",
        "Expected: 0.5\n\n\n\n\nReceived: 0.25", "Actual: 0.5\nExpected: 0.50"}) {
    EXPECT_THAT(reading_of(line)->differences.all, testing::IsEmpty()) << line;
  }
}

TEST(Differences, AreNotClaimedOfNumbersThatKeepTheirLimits) {
  for (const char* text :
       {"test_dw max abs diff 6.0e-06 (tol 1e-05) PASSED", "max diff: 0.0", "cosine 0.9999 > 0.999",
        "PASS grad_input: max err 1.0e-07", "| name | max_abs | gate |\n| dw | 3e-4 | ok |",
        "print('max abs diff:', (g0 - g1).abs().max())", "we gate on max_abs <= 5e-4"}) {
    const auto read = reading_of(text);
    EXPECT_THAT(read->differences.all, testing::IsEmpty()) << text;
    EXPECT_THAT(read->kinds, Not(Contains(LogKind::Precision))) << text;
  }
  EXPECT_THAT(reading_text(*reading_of("max abs diff 6.0e-06 (tol 1e-05)")),
              HasSubstr("1 comparisons agree: nothing differs there"));
}

TEST(Differences, AreReadRowByRowOfATable) {
  const auto read = reading_of(
      "| 张量 | 余弦相似度 | 最大绝对误差 |\n|---|---|---|\n| grad_input | 0.999987 | 3.1e-03 |\n"
      "| grad_weight | 0.971244 | 8.4e-01 |\n\n门限是余弦相似度 > 0.999");
  ASSERT_EQ(read->differences.all.size(), 1U);
  EXPECT_EQ(read->differences.all[0].value, "0.971244");
  EXPECT_EQ(read->differences.all[0].limit, "0.999");
  EXPECT_EQ(read->differences.all[0].place, "grad weight");
  const auto verdicts = reading_of(
      "| layer | max_abs | RMSE | gate |\n|---|---|---|---|\n| conv1 | 3e-4 | 6e-5 | ok |\n"
      "| conv2 | 7.5e-3 | 9e-4 | FAIL |\nlimit of max_abs <= 5e-4");
  ASSERT_EQ(verdicts->differences.all.size(), 1U);
  EXPECT_EQ(verdicts->differences.all[0].value, "7.5e-3");
  EXPECT_EQ(verdicts->differences.agreeing, 1U);
}

TEST(Differences, OfARowWhoseNameHasOneBlankBehindItAreItsOwn) {
  const auto read = reading_of(
      "layer  cos_sim  max_abs  max_rel\ndw3.weight 0.75  4.5  8.5\nfc.weight 1.000  0.5  0.25\n");
  ASSERT_EQ(read->differences.all.size(), 5U);
  EXPECT_EQ(read->differences.all[0].place, "dw3.weight");
  EXPECT_EQ(read->differences.all[0].value, "0.75");
  EXPECT_EQ(read->differences.all[1].value, "4.5");
  EXPECT_EQ(read->differences.agreeing, 1U);  // a cosine of 1
}

TEST(Differences, OfBitsAreNoGradientCheck) {
  const auto read = reading_of(
      "GradcheckError: Backward is not reentrant, i.e., running backward with same input multiple "
      "times gives different values, although analytical gradient matches numerical gradient.");
  ASSERT_EQ(read->differences.all.size(), 1U);
  EXPECT_EQ(read->differences.all[0].measure, "bits differ from run to run");
  EXPECT_FALSE(read->differences.check.is_there);
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
                           "aclnnConvolutionBackward_2_Conv2DBackpropFilter",
                           "aclnnConvolutionBackward_ReduceSum_ReduceSum"}) {
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

TEST(CannsWords, OfTorchNpuNameTheOperatorThatFailed) {
  const std::string where =
      ":build/CMakeFiles/torch_npu.dir/compiler_depend.ts:41 NPU function "
      "error: bad\n[ERROR] ERR01003 OPS invalid value";
  const auto other = reading_of("RuntimeError: group_norm" + where);
  ASSERT_FALSE(other->operators.empty());
  EXPECT_EQ(other->operators[0].name, "group_norm");
  EXPECT_THAT(other->kinds, Contains(LogKind::OtherOperator));
  EXPECT_THAT(reading_of("conv3d" + where)->kinds, Not(Contains(LogKind::OtherOperator)));
}

TEST(CannsWords, OfAKernelOfThisOperatorAreOurs) {
  const auto read = reading_of(
      "Aicore kernel execute failed, fault kernel_name=ConvolutionBackward_1a2b_Conv3D_9f_0, "
      "507015");
  ASSERT_FALSE(read->operators.empty());
  EXPECT_EQ(read->operators[0].name, "ConvolutionBackward");
  EXPECT_EQ(read->operators[0].relation, Relation::GraphGradient);
  EXPECT_THAT(term_text("507033").value(), HasSubstr("container"));
}

TEST(CannsWords, OfRanksAreNoParameter) {
  const auto read =
      reading_of("EI0002: The wait execution of the Notify register times out. remote rank:[3]");
  EXPECT_THAT(read->kinds, testing::ElementsAre(LogKind::Communication));
  EXPECT_THAT(read->next, Contains(HasSubstr("remote rank")));
  EXPECT_THAT(read->lacking, Not(Contains("shapes")));
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
