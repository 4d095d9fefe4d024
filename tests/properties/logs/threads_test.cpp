// Public threads are read for more than calls: that a call differs when it is repeated, what was
// expected, which weight a layer was given, how large its images are.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "properties/advice/explain/term.h"
#include "properties/advice/logs/reading.h"

namespace gradproof::advice {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Words of the only call of a text; empty: it has none, or several.
std::string only_call_of(const std::string& text) {
  const auto read = reading_of(text);
  return read && read->calls.size() == 1 ? read->calls[0].line_of_words() : "";
}

TEST(Threads, SayThatARepetitionDiffers) {
  for (const char* line :
       {"backward called two times, weight grads are not equal",
        "I train several times with one seed and get slightly different gradients",
        "the gradient of this Conv3d is nondeterministic", "同样输入跑多次，dw 结果不一致"}) {
    const auto read = reading_of(std::string("Conv2d on NPU\n") + line);
    ASSERT_EQ(read->differences.all.size(), 1U) << line;
    EXPECT_EQ(read->differences.all[0].measure, "bits differ from run to run") << line;
    EXPECT_THAT(read->next, Contains(HasSubstr("--set repeat=yes"))) << line;
  }
  for (const char* line :
       {"both runs of Conv2d end at the same loss", "we call conv1d twice, once for each channel",
        "two times as many channels give no different result"})
    EXPECT_THAT(reading_of(line)->differences.all, IsEmpty()) << line;
}

TEST(Threads, SayWhatWasExpectedInsteadOfSomething) {
  const auto read = reading_of("I am expecting gradWeight 1.75 instead of 0.25");
  ASSERT_EQ(read->differences.all.size(), 1U);
  EXPECT_EQ(read->differences.all[0].value, "0.25");
  EXPECT_EQ(read->differences.all[0].reference, "1.75");
  // The product is expected, not its second factor.
  EXPECT_THAT(reading_of("Expected: dx[0] = 0.5 * -1.75 instead of 0.25")->differences.all,
              IsEmpty());
}

TEST(Threads, ShowArraysOfTestsThatAreDifferent) {
  const auto read = reading_of(
      "conv2d: a = array([[0.5, 1.25, -2.0]]\nb = array([[0.5, 1.0, -2.0]]\n"
      "msg = 'Mismatched value: a is different from b. '");
  ASSERT_EQ(read->differences.all.size(), 2U);
  EXPECT_EQ(read->differences.all[1].value, "0.25");
}

TEST(Threads, NameAConvolutionWithoutACall) {
  EXPECT_THAT(reading_of("my ConvTranspose3d and F.conv1d in conv2d.py")->names,
              ElementsAre("ConvTranspose3d", "conv1d"));
  EXPECT_THAT(reading_of("lax.conv_general_dilated")->names, ElementsAre("conv_general_dilated"));
  EXPECT_THAT(reading_of("we convert conv layers")->names, IsEmpty());
  EXPECT_THAT(reading_text(*reading_of("Conv3d fails")), HasSubstr("by its name (Conv3d)"));
  EXPECT_THAT(reading_of("Conv3d fails")->lacking, Not(Contains("operator")));
}

TEST(Threads, GiveALayerItsWeight) {
  const std::string layer = "x = torch.ones(2, 3, 9)\nup = nn.ConvTranspose1d(3, 4, 1)\n";
  EXPECT_THAT(only_call_of(layer + "up.weight.data = torch.ones(3, 4, 5)\ny = up(x)"),
              HasSubstr("weight:3,4,5 "));
  // The lengths of a slice are not known.
  EXPECT_THAT(only_call_of(layer + "w = torch.ones(3, 4, 6)\nup.weight = w[:, :, ::2]\ny = up(x)"),
              HasSubstr("weight:3,4,1 "));
  // A weight is no input.
  EXPECT_THAT(only_call_of("k = torch.ones(3, 3)\nm = nn.Conv2d(1, 1, 3)\n"
                           "m.weight.data = k.view(1, 1, 3, 3)\ny = m(V(image))"),
              Not(HasSubstr("input:")));
}

TEST(Threads, SayShapesInCommentsAndByMethods) {
  EXPECT_THAT(only_call_of("a = p  # size=(2, 3, 9), stride=(27, 9, 1)\n"
                           "b = q.permute(0, 2, 1) # shape: (4, 3, 5)\ny = F.conv1d(a, b)"),
              HasSubstr("input:2,3,9 weight:4,3,5"));
  EXPECT_THAT(only_call_of("x = torch.ones(9, 9).as_strided(size=(2, 3, 8), stride=(9, 3, 1))\n"
                           "w = torch.ones(3, 4, 2).transpose(0, 1)\ny = F.conv1d(x, w)"),
              HasSubstr("input:2,3,8 weight:4,3,2"));
}

TEST(Threads, HaveTheChannelsLastWhereOnlyThatFits) {
  EXPECT_EQ(only_call_of("conv2d x: (1, 9, 8, 5), filter: (3, 2, 5, 7), stride 1"),
            "input:1,5,9,8 weight:7,5,3,2 stride:1");
  EXPECT_EQ(only_call_of("conv2d x: (1, 9, 8, 5), filter: (7, 3, 2, 5), stride 1"),
            "input:1,5,9,8 weight:7,5,3,2 stride:1");
  EXPECT_EQ(only_call_of("NHWC conv2d x: (1, 9, 8, 5), filter: (3, 2, 5, 7), stride 1"),
            "input:1,5,9,8 weight:7,5,3,2 stride:1");
  // Data with its channels last, given to a layer that has them second: a mistake.
  EXPECT_EQ(only_call_of("conv2d x: (1, 9, 8, 3), weight: (7, 3, 3, 3), stride 1"),
            "input:1,9,8,3 weight:7,3,3,3 stride:1");
  EXPECT_EQ(only_call_of("TFLite CONV_2D input (1, 9, 8, 3), filter (7, 3, 3, 3), stride 1"),
            "input:1,3,9,8 weight:7,3,3,3 stride:1");
}

TEST(Threads, StateShapesWithoutBrackets) {
  EXPECT_EQ(only_call_of("RuntimeError: Given groups=1, weight of size 4 3 5 2, expected input[2, "
                         "6, 9, 8] to have 3 channels, but got 6 channels instead\n"
                         "c = nn.Conv2d(3, 4, (5, 2), stride=2)\n"),
            "input:2,6,9,8 weight:4,3,5,2 stride:2 transposed:no bias:yes");
}

TEST(Threads, StateTypesOfSeveralNames) {
  EXPECT_THAT(only_call_of("y = F.conv1d(F.pad(x, (4, 0)), w)\n"
                           "x: torch.Size([2, 3, 9]), w: torch.Size([4, 3, 5])"),
              HasSubstr("input:2,3,13 weight:4,3,5"));
}

TEST(Threads, CompareTwoNumbersOfTwoDevices) {
  EXPECT_THAT(reading_of("conv grads differ between cpu and gpu 0.25")->differences.all,
              Not(Contains(testing::Field(&Difference::reference, "0.25"))));
  EXPECT_EQ(reading_of("conv grad cpu 0.25 gpu 0.5")->differences.all[0].reference, "0.5");
}

TEST(Threads, CallAFunctionWithCopiesToo) {
  const std::string function =
      "def f(a, b):\n  return F.conv1d(a, b)\nx = torch.ones(2, 3, 9)\n"
      "w = torch.ones(4, 3, 2)\nf(x, w)\n";
  EXPECT_THAT(only_call_of(function + "torch.compile(f)(x.clone(), w.detach())"),
              HasSubstr("input:2,3,9 weight:4,3,2"));
  EXPECT_THAT(only_call_of(function + "f(w, w)"), Not(HasSubstr("input:")));
}

TEST(Threads, TakeASizeBackThatPassed) {
  const std::string size = "conv2d max_diff=0.25\n";
  EXPECT_THAT(reading_of(size + "Result: PASS")->differences.all, IsEmpty());
  EXPECT_EQ(reading_of(size + "Result: FAIL")->differences.all.size(), 1U);
  EXPECT_EQ(reading_of(size + "\n\nResult: PASS")->differences.all.size(), 1U);
}

TEST(Threads, CompareTheArraysOfTwoDevicesInChinese) {
  const auto read = reading_of(
      "conv.weight.grad 和 CPU 对不上\nnpu: tensor([[0.5, -0.25]])\ncpu: tensor([[0.5, -0.5]])");
  ASSERT_EQ(read->differences.all.size(), 2U);
  EXPECT_EQ(read->differences.all[1].value, "0.25");
}

TEST(Threads, NameWhatTheHostLacks) {
  const auto has = [](const char* text, LogKind kind) {
    const auto read = reading_of(text);
    return std::ranges::find(read->kinds, kind) != read->kinds.end();
  };
  EXPECT_TRUE(has("conv2d: ASCEND_OPP_PATH is not set", LogKind::Installation));
  EXPECT_TRUE(has("aclrtMalloc failed, error code is 200000", LogKind::OutOfMemory));
  EXPECT_THAT(reading_text(*reading_of("conv2d training: python invoked oom-killer")),
              HasSubstr("the host's memory is used up"));
  EXPECT_THAT(*term_text("507046"), HasSubstr("waiting for a stream"));
  EXPECT_THAT(reading_of("NPU conv: error of request 507018")->codes, IsEmpty());
  EXPECT_EQ(product_in("on Atlas A2 Training")->word, "Atlas A2 Training");
}

TEST(Threads, NameTypesByTorchsOldTensors) {
  const std::string layer = "(4, 3, 8, 8)\nm = nn.Conv2d(3, 2, 3)\ny = m(x)";
  EXPECT_THAT(only_call_of("x = torch.FloatTensor" + layer), HasSubstr("dtype:float32"));
  EXPECT_THAT(only_call_of("x = torch.HalfTensor" + layer), HasSubstr("dtype:float16"));
}

TEST(Threads, SayHowLargeImagesAre) {
  EXPECT_THAT(only_call_of("images of size 20x30 with 5 channels, batch size is 4, go through a "
                           "conv2d with 6 output channels, kernel 3, stride 2, padding 1"),
              HasSubstr("input:4,5,20,30 weight:6,5,3,3 "));
}

TEST(Threads, WriteALayerOfJuliaByItsArrow) {
  EXPECT_THAT(only_call_of("m = Chain(\n  Conv((5, 3), 2 => 4, stride=2)\n)\n"
                           "m(randn(20, 30, 2, 1))"),
              HasSubstr("input:1,2,30,20 weight:4,2,3,5 stride:2"));
  EXPECT_THAT(only_call_of("c = Conv((5, 3), 7=>9)"), HasSubstr("weight:9,7,3,5"));
}

TEST(Threads, LeaveOutTheProgramOfALaterProblem) {
  const auto read = reading_of(
      "benchdnn --conv --dir=BWD_D mb2ic4ih9oc6oh7kh3\n"
      "OMP_NUM_THREADS=1 ... mb2ic4ih8oc6oh6kh3 -> FAILED");
  ASSERT_EQ(read->calls.size(), 2U);
  for (const FoundCall& call : read->calls)
    EXPECT_THAT(call.notes, Not(Contains(HasSubstr("a forward convolution"))));
  EXPECT_THAT(reading_of("benchdnn --conv mb2ic4ih8oc6oh6kh3")->calls[0].notes,
              Contains(HasSubstr("a forward convolution")));
}

TEST(Threads, PrintWithoutAClaim) {
  for (const char* line : {"print(f\"conv: stride must be the same\", dtype)",
                           "conv result of each batch not same False"})
    EXPECT_THAT(reading_of(line)->rules, IsEmpty()) << line;
  EXPECT_EQ(reading_of("batch of gradOutput and input must be the same")->rules[0].rule, "CH-05");
}

}  // namespace
}  // namespace gradproof::advice
