// What a text denies, has done, quotes and states of its program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "properties/advice/logs/denial.h"
#include "properties/advice/logs/operator_names.h"
#include "properties/advice/logs/reading.h"

namespace gradproof::advice {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(Denial, KnowsSwitchesThatAreOffAndWordsThatSayNo) {
  for (const char* text :
       {"ALLOW_TF32=False", "allow_tf32: false", "\"allow_tf32\": 0,", "tf32 is disabled",
        "tf32 off", "no tf32", "not in tf32", "NVIDIA_TF32_OVERRIDE=0", "allow_tf32 = 'False'",
        "关闭 tf32", "tf32 未开启", "without tf32", "disabled tf32"}) {
    EXPECT_FALSE(has_undenied(text, "tf32|TF32")) << text;
    EXPECT_THAT(reading_text(*reading_of(text)), Not(HasSubstr("is named"))) << text;
  }
  for (const char* text : {"allow_tf32=True", "tf32 is on", "with tf32 the error is 0.5",
                           "not equal; tf32 was used", "tf32: 0.5 ms", "allow_tf32 默认开启"}) {
    EXPECT_TRUE(has_undenied(text, "tf32|TF32")) << text;
    EXPECT_THAT(reading_text(*reading_of(text)), HasSubstr("TF32 is named")) << text;
  }
}

TEST(Denial, KeepsADtypeThatIsDeniedFromTheText) {
  const std::string check = "gradcheck(f, x, eps=1e-3)\nJacobian mismatch for output 0\n";
  EXPECT_THAT(reading_of(check + "the input is not of double precision")->next,
              Not(Contains(HasSubstr("in double"))));
  EXPECT_THAT(reading_of(check + "the input is of double precision")->next,
              Contains(HasSubstr("in double")));
  const std::string call = "F.conv1d(torch.ones(1, 2, 9), torch.ones(3, 2, 3))\n";
  for (const char* line : {"features: fp16:0", "UserWarning: use bf16 instead", "not in float16"})
    EXPECT_THAT(reading_of(call + line)->calls[0].notes, Contains("dtype is not stated: FLOAT"))
        << line;
}

TEST(Operators, FailInThePhaseThatTheTextNames) {
  const auto phase_one = [](const char* text) { return operators_in(text).at(0).in_phase_one; };
  EXPECT_TRUE(phase_one("aclnnConvolutionBackwardGetWorkspaceSize failed: 161002"));
  EXPECT_FALSE(phase_one("aclnnConvolutionBackwardGetWorkspaceSize returned 0\n"));
  EXPECT_FALSE(
      phase_one("call aclnnConvolutionBackwardGetWorkspaceSize\n"
                "aclnnConvolutionBackward fails with 361001"));
}

TEST(Operators, AreKernelsByTheHashBehindTheirName) {
  const char* line =
      "aicore exception, kernel ext=Conv3DBackpropInputV2_0f3a9c1d2b4e5f60_7_mix_aic";
  EXPECT_THAT(reading_of(line)->kinds, Not(Contains(LogKind::GraphOperator)));
  EXPECT_THAT(reading_of("optype Conv3DBackpropInputV2 failed")->kinds,
              Contains(LogKind::GraphOperator));
}

TEST(Advice, IsOfTheProgram) {
  const std::string fault = "507035 the ub address out of bounds\n";
  const auto blocking = HasSubstr("ASCEND_LAUNCH_BLOCKING");
  EXPECT_THAT(reading_text(*reading_of(fault + "torch_npu")), blocking);
  EXPECT_THAT(reading_text(*reading_of(fault + "(main.cpp:12)")), Not(blocking));
  const std::string twice = "nn.SpatialConvolution(3, 8, 3, 3): gradWeight differs between runs\n";
  EXPECT_THAT(reading_of(twice)->next, Not(Contains(HasSubstr("torch.use_deterministic"))));
  EXPECT_THAT(reading_of("torch.nn.Conv2d: weight.grad differs between runs")->next,
              Contains(HasSubstr("torch.use_deterministic")));
}

TEST(Calls, TakeWhatTheTextStatesOfPrecision) {
  const std::string call = "F.conv1d(torch.ones(1, 2, 9), torch.ones(3, 2, 3))\n";
  const std::pair<const char*, const char*> switches[] = {
      {"print(torch.npu.conv.allow_hf32)  # True", "3"},
      {"torch.npu.conv.allow_hf32 = False", "0"},
      {"torch.npu.conv.allow_hf32 = True\ntorch.npu.conv.allow_fp32_to_fp16 = True", "1"},
      {"allow_fp32_to_fp16: true", "2"}};
  for (const auto& [text, type] : switches)
    EXPECT_EQ(reading_of(call + text)->calls.at(0).words.cube_math_type, type) << text;
  EXPECT_FALSE(reading_of(call + "is conv.allow_hf32 on?")->calls.at(0).words.cube_math_type);
}

TEST(Calls, LackALayoutThatTheyNameAndTheRowDoesNotRead) {
  const std::string call = "F.conv2d(torch.ones(1, 8, 8, 2), torch.ones(3, 2, 3, 3), ";
  const auto order = Contains(HasSubstr("the order of the axes"));
  EXPECT_THAT(reading_of(call + "fmt='nhwc')")->calls.at(0).lacking, order);
  EXPECT_THAT(reading_of(call + "w_fmt=Layout.HWIO)")->calls.at(0).lacking, order);
  EXPECT_THAT(reading_of(call + "fmt='nchw')")->calls.at(0).lacking, Not(order));
  EXPECT_THAT(
      reading_of(
          "paddle.nn.functional.conv2d(paddle.ones([1, 8, 8, 2]), paddle.ones([3, 2, 3, 3]), "
          "data_format=order)")
          ->calls.at(0)
          .lacking,
      order);
}

TEST(Calls, AreNotCountedAgainWhereACommandIsEchoed) {
  const std::string words = "--conv --dir=BWD_W mb2ic4ih8oc6oh8kh3ph1";
  EXPECT_EQ(reading_of("benchdnn --dt=f16 " + words + "\n__REPRO: " + words)->calls.size(), 1U);
  EXPECT_EQ(reading_of("benchdnn --dt=f16 " + words + "\nbenchdnn " + words + "sh2")->calls.size(),
            2U);
}

TEST(Operators, AreNotNamedByFiles) {
  EXPECT_TRUE(operators_in("[convolution_backward.cpp:7] failed").empty());
  EXPECT_EQ(operators_in("aten::convolution_backward(dy, x, w)").size(), 1U);
}

TEST(Calls, AreNotReadWhereTheirArgumentsDoNotFit) {
  for (const char* text :
       {"F.conv2d(vs, 1, 32, 5)", "nn::conv2d(&root, a, b, 5, cfg) // torch",
        "conv2d(x, 64, [3, 3], stride=2) # torch", "conv2d(x, w, b, Conv2dConfig { stride: 2 })"})
    EXPECT_THAT(reading_of(text)->calls,
                Not(Contains(testing::Field(&FoundCall::notation, "PyTorch, functional"))))
        << text;
  EXPECT_EQ(
      reading_of("F::conv2d(torch::ones({1, 2, 5, 5}), torch::ones({3, 2, 3, 3}))")->calls.size(),
      1U);
}

TEST(Calls, HaveNoAttributesOfTheOperatorNextToThem) {
  for (const char* text : {"conv1 is followed by MaxPool2d(kernel_size=3, stride=2, padding=1)",
                           "conv2: Unfold(kernel_size=(3, 3), dilation=1, padding=1, stride=1)",
                           "the conversion has kernel_size=3, stride=2, padding=1"})
    EXPECT_THAT(reading_of(text)->calls, testing::IsEmpty()) << text;
  EXPECT_EQ(reading_of("conv1 has kernel_size=3, stride=2, padding=1")->calls.size(), 1U);
}

TEST(Calls, SayWhichModeIsTakenWhereNoneIsStated) {
  const std::string call = "F.conv1d(torch.ones(1, 2, 9), torch.ones(3, 2, 3))";
  EXPECT_THAT(reading_of(call)->calls[0].notes, Contains("cubeMathType is not stated: 0"));
  // A width that is stated is not left out.
  EXPECT_THAT(reading_text(*reading_of("benchdnn --conv mb2ic4ih9iw9oc8oh7ow7kh3kw3")),
              Not(HasSubstr("a width that is left out")));
}

TEST(Advice, IsForTheProgramAndNotForWhatItHasDone) {
  const std::string fault = "error code is 507035, aicore exception";
  EXPECT_THAT(reading_text(*reading_of(fault)), HasSubstr("ASCEND_LAUNCH_BLOCKING=1"));
  EXPECT_THAT(reading_text(*reading_of("export ASCEND_LAUNCH_BLOCKING=1\n" + fault)),
              Not(HasSubstr("ASCEND_LAUNCH_BLOCKING=1 shows")));
  EXPECT_THAT(reading_text(*reading_of(fault + ", fault kernel_name=Cast_1_0")),
              Not(HasSubstr("shows which operator")));
  EXPECT_THAT(reading_text(*reading_of("paddle: the error code is : 500002")),
              Not(HasSubstr("torch.npu")));
  EXPECT_THAT(reading_text(*reading_of("torch_npu: the error code is : 500002")),
              HasSubstr("torch.npu"));
}

/// What a kernel is called on the device says not who launched it; the graph's compiler and
/// MindSpore's graph do.
TEST(Advice, OfTheGraphIsNotForAKernelAlone) {
  const std::string kernel = "fault kernel_name=Conv2DBackpropInputV2_7c_0, aicore exception";
  EXPECT_THAT(reading_of(kernel)->kinds, testing::ElementsAre(LogKind::DeviceFault));
  EXPECT_THAT(
      reading_of("aicore exception, fault kernel_name=te_conv2d_backprop_input_d_1_0")->kinds,
      Contains(LogKind::GraphOperator));
  EXPECT_THAT(reading_of("optype [Conv2DBackpropInputV2], " + kernel)->kinds,
              Contains(LogKind::GraphOperator));
  const auto node = reading_of(
      "retcode: 507011 ( model execute failed)\nDump node (Gradients/Default/net-Cell/"
      "gradConv2D/Conv2DBackpropInput-op31) task error input/output data");
  ASSERT_EQ(node->operators.size(), 1U);
  EXPECT_EQ(node->operators[0].name, "Conv2DBackpropInput");
  EXPECT_EQ(operators_in("Launch kernel failed: Bprop/gradDense/Reshape-op8")[0].name, "Reshape");
}

/// A column of formats that is left out for one side says nothing of that side's.
TEST(Calls, HaveNoShapesOfAnUnknownFormat) {
  const std::string head = "Name,OP Type,Input Shapes,Input Data Types,Input Formats,Output Shapes";
  const std::string row =
      ",Conv2DBackpropFilter,\"2,1,8,8,16;4;2,1,6,6,16\",FLOAT16;INT32;FLOAT16,";
  EXPECT_THAT(reading_of(head + "\na" + row + "NC1HWC0;ND;NC1HWC0,\"9,1,16,16\"\n")->calls,
              testing::IsEmpty());
  const auto known =
      reading_of(head + ",Output Formats\na" + row + "NC1HWC0;ND;NC1HWC0,\"8,3,3,3\",NCHW\n");
  ASSERT_EQ(known->calls.size(), 1U);
  EXPECT_EQ(known->calls[0].words.weight, "8,3,3,3");
}

TEST(Messages, OfAModelForAnotherProductSayWhich) {
  const auto read = reading_of(
      "load model from file failed\nThe model is compiled for Ascend310P3, this is Ascend910B2");
  EXPECT_THAT(read->next, Contains(HasSubstr("--soc_version")));
  ASSERT_TRUE(read->product.has_value());
  EXPECT_EQ(read->product->word, "Ascend910B2");
}

TEST(Messages, OfAGradientOfAnotherShapeBlameItsKernel) {
  const auto read = reading_of(
      "Function ConvolutionBackward0 returned an invalid gradient at index 1 - got [8, 4, 3, 3] "
      "but "
      "expected shape compatible with [8, 2, 3, 3]");
  ASSERT_EQ(read->meanings.size(), 1U);
  EXPECT_THAT(read->meanings[0].words, HasSubstr("the gradient 1 that a kernel returned"));
  EXPECT_TRUE(read->rules.empty());
}

TEST(Messages, OfTorchNpusWarningsAreSaid) {
  EXPECT_THAT(reading_text(*reading_of("The operator 'aten::x' is not currently supported on the "
                                       "NPU backend and will fall back to run on the CPU")),
              HasSubstr("runs it on the CPU"));
  EXPECT_THAT(reading_of("Check input storage_offset = 0 failed, result is untrustworthy")->next,
              Contains(HasSubstr("x.contiguous()")));
}

TEST(Messages, OfACodeAreQuotedWithTheirParameterAndReason) {
  EXPECT_THAT(reading_text(*reading_of("E10005: Value [abc] for parameter [--input] is invalid. "
                                       "Reason: it is no number")),
              HasSubstr("E10005 says: \"Value [abc] for parameter [--input] is invalid. Reason: it "
                        "is no number\""));
  EXPECT_THAT(reading_text(*reading_of("EE1001: The argument is invalid.Reason: stream=7, valid "
                                       "stream range is [0, 4)")),
              HasSubstr("valid stream range is [0, 4)"));
  EXPECT_THAT(reading_text(*reading_of("EZ9999: pad_top [-1] should be in range [0, 255]")),
              HasSubstr("EZ9999 says: \"pad_top [-1] should be in range [0, 255]\""));
  // A code means the same where it is another operator's.
  EXPECT_THAT(reading_text(*reading_of("call aclnnGather failed, error code is 561003")),
              HasSubstr("561003: there is no kernel for the device"));
}

TEST(Messages, OfMemorySayWhichAdviceApplies) {
  const auto text = [](const char* asked) {
    return std::string("NPU out of memory. Tried to allocate ") + asked +
           " GiB (NPU 0; 60.00 GiB total capacity; 40.00 GiB already allocated; 41.00 GiB current "
           "active; 2.00 GiB free; 52.00 GiB reserved in total by PyTorch)";
  };
  EXPECT_THAT(reading_of(text("20.00"))->next, Contains(HasSubstr("this is no fragmentation")));
  EXPECT_THAT(reading_of(text("20.00"))->next, Not(Contains(HasSubstr("expandable_segments"))));
  EXPECT_THAT(reading_of(text("3.00"))->next, Contains(HasSubstr("expandable_segments")));
  EXPECT_THAT(reading_text(*reading_of(text("3.00"))),
              HasSubstr("3 GiB are asked for, 2 GiB are free, 12 GiB reserved and unused"));
}

TEST(Statements, HaveProductsAndVersionsAsPeopleWriteThem) {
  const std::pair<const char*, const char*> products[] = {
      {"on a 310P3 card", "product: 310P3, Ascend310P\n"},
      {"Atlas 800 A3 node", "product: Atlas 800 A3, Ascend910_93\n"},
      {"Atlas 300I Duo failed", "product: Atlas 300I Duo, Ascend310P\n"}};
  for (const auto& [text, product] : products)
    EXPECT_THAT(reading_text(*reading_of(text)), HasSubstr(product));
  EXPECT_FALSE(reading_of("size 310, 9105 elements")->product.has_value());
  const std::string versions =
      reading_text(*reading_of("MindSpore 2.3.1, TF 2.15, vllm-ascend 0.9.1, jax 0.4.30"));
  for (const char* one : {"MindSpore 2.3.1", "TensorFlow 2.15", "vllm-ascend 0.9.1", "JAX 0.4.30"})
    EXPECT_THAT(versions, HasSubstr(one));
}

TEST(Statements, OfACaptureExplainWhatFollowsFromIt) {
  EXPECT_THAT(reading_text(*reading_of("error code is 507011\nruntime result = 107030")),
              HasSubstr("507011: follows from the graph capture"));
}

}  // namespace
}  // namespace gradproof::advice
