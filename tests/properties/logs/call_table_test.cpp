// Every row of the table of calls reads calls as its program writes them (calls.txt), and what a
// text does not say is lacking.

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "fuzz/records/stated_numbers.h"
#include "properties/advice/logs/call_table.h"
#include "properties/advice/logs/reading.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

using testing::Contains;
using testing::HasSubstr;

struct Written {
  std::string notation, text, call, lacking;
};

/// Blocks of "== notation", a text, "-> the call in our words", perhaps "-| what is lacking".
std::vector<Written> written_calls() {
  std::ifstream stream(std::string(GRADPROOF_SOURCES) + "/tests/properties/logs/calls.txt");
  std::vector<Written> calls;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("== ")) {
      calls.push_back({.notation = line.substr(3), .text = {}, .call = {}, .lacking = {}});
    } else if (line.starts_with("-> ") || line.starts_with("-| ")) {
      (line[1] == '>' ? calls.back().call : calls.back().lacking) = line.substr(3);
    } else if (!line.empty()) {
      calls.back().text += line + "\n";
    }
  }
  return calls;
}

FoundCall only_call_in(const std::string& text) {
  const auto read = reading_of(text);
  EXPECT_TRUE(read && read->calls.size() == 1) << text;
  return read && read->calls.size() == 1 ? read->calls[0] : FoundCall{};
}

TEST(CallTable, ReadsCallsAsTheyAreWritten) {
  for (const Written& written : written_calls()) {
    const FoundCall call = only_call_in(written.text);
    EXPECT_EQ(call.notation, written.notation) << written.text;
    EXPECT_EQ(call.line_of_words(), written.call) << written.text;
    EXPECT_EQ(fmt::format("{}", fmt::join(call.lacking, "; ")), written.lacking) << written.text;
  }
}

TEST(CallTable, HasTwoExamplesOfEachNotation) {
  std::map<std::string_view, int> examples;
  const auto all = written_calls();
  for (const Written& written : all) ++examples[written.notation];
  for (const CallRow& row : call_rows()) {
    const bool is_of_lines = row.form == Form::Lines;  // notations_test.cpp has them
    EXPECT_TRUE(is_of_lines || examples[row.notation] >= 2) << row.notation;
  }
}

TEST(CallTable, TakesNoTensorOfOtherAxesThanARowHas) {
  const auto call =
      only_call_in("x = randn(9, 8, 4); w = randn(3, 3, 4, 6); y = vl_nnconv(x, w, [], 'pad', 1);");
  EXPECT_EQ(call.line_of_words(), "weight:6,4,3,3 padding:1");
  EXPECT_THAT(call.lacking, Contains("input's shape"));
}

TEST(CallTable, AsksForNoShapesOfAWholeCall) {
  const std::string refusal =
      "RuntimeError: in_channels must be divisible by groups\ny = F.conv2d(x, w, groups=3)\n";
  const auto advises = Contains(HasSubstr("print the shapes"));
  EXPECT_THAT(reading_of(refusal)->next, advises);
  EXPECT_THAT(
      reading_of("x = torch.ones(1, 4, 8, 8)\nw = torch.ones(6, 1, 3, 3)\n" + refusal)->next,
      testing::Not(advises));
}

TEST(CallTable, LacksWhatTheTextDoesNotSay) {
  const std::pair<std::string, std::string> texts[] = {
      {"for stride in [1, 2]:\n    F.conv2d(torch.ones(1, 2, 5, 5), torch.ones(3, 2, 3, 3), "
       "stride=stride)",
       "stride (stride)"},
      {"s = 2\ndef f(x, w, s):\n    return F.conv2d(torch.ones(1, 2, 5, 5), torch.ones(3, 2, 3, "
       "3), stride=s)",
       "stride (s)"},
      {"x = torch.randn(1, 2, 5, 5)\nx = block(x)\nF.conv2d(x, torch.ones(3, 2, 3, 3))",
       "input's shape"},
      {"lax.conv_general_dilated(jnp.ones((1, 2, 5, 5)), jnp.ones((3, 2, 3, 3)), (1, 1), pads)",
       "padding (pads)"},
      {"stablehlo.convolution(%0, %1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = "
       "{reverse = [true]} : (tensor<1x2x9xf32>, tensor<3x2x3xf32>) -> tensor<1x3x7xf32>",
       "not flipped"},
      {"y = nn.Conv(6, (4,))(jnp.zeros((1, 16, 4)))", "the same at both ends"},
      {"nn.Conv2d(2, 4, 3, padding_mode='reflect')(torch.ones(1, 2, 9, 9))", "padding_mode"},
  };
  for (const auto& [text, lacking] : texts) {
    EXPECT_THAT(only_call_in(text).lacking, Contains(HasSubstr(lacking))) << text;
  }
}

TEST(CallTable, ReadsWhatTheTextBindsInItsOwnWay) {
  const std::pair<std::string, std::string> texts[] = {
      {"x = torch.ones(1, 2, 5, 5)\nw = torch.ones(3, 2, 3, 3)\ndef f(x, w):\n    return "
       "F.conv2d(x, w)\ngrad(f)(x, w)",
       "input:1,2,5,5 weight:3,2,3,3"},
      {"k = (5, 3)\nF.conv2d(torch.ones(1, 4, 9, 9), torch.ones(2, 4, *k))",
       "input:1,4,9,9 weight:2,4,5,3"},
      {"%x[FLOAT, 2x3x8x8]\n%w[FLOAT, 4x3x3x3]\n%a = Identity(%x)\n%y = Conv[pads = [1, 0, 2, "
       "3]](%a, %w)",
       "input:2,3,8,8 weight:4,3,3,3 padding:1,2,0,3 dtype:FLOAT"},
      {"torch.ops.aten.convolution_backward.default(t, x, w, [4], [1], [0], [1], False, [0], 1, "
       "[True, True, True])\nt: \"f32[2, 4, 7]\", x: \"f32[2, 3, 9]\", w: \"f32[4, 3, 3]\"",
       "input:2,3,9 weight:4,3,3 grad-output:2,4,7 stride:1 padding:0 dilation:1 output-padding:0 "
       "transposed:False groups:1 bias-sizes:4 mask:1,1,1 dtype:f32"},
      {"x = torch.ones(1, 4, 9)\nw = torch.ones(6, 2, 3)\nrest = (None, [2], [1], [1], False, "
       "[0], 2)\ntorch.ops.aten.convolution(x, w, *rest)",
       "input:1,4,9 weight:6,2,3 stride:2 padding:1 dilation:1 output-padding:0 groups:2 "
       "transposed:False"},
      {"std::vector<int64_t> inShape = {2, 3, 9, 9};\nstd::vector<int64_t> wShape = {4, 3, 3, 3};\n"
       "std::vector<int64_t> one = {1, 1};\nstd::vector<int64_t> none = {0, 0};\n"
       "ret = CreateAclTensor(a, inShape, &p, ACL_FLOAT, &input);\n"
       "ret = CreateAclTensor(b, wShape, &q, ACL_FLOAT, &weight);\n"
       "aclIntArray *ones = aclCreateIntArray(one.data(), 2);\n"
       "aclIntArray *pads = aclCreateIntArray(none.data(), 2);\n"
       "aclnnConvolutionBackwardGetWorkspaceSize(dy, input, weight, nullptr, ones, pads, ones, "
       "false, pads, 1, mask, 0, dx, dw, nullptr, &size, &executor);",
       "input:2,3,9,9 weight:4,3,3,3 stride:1,1 padding:0,0 dilation:1,1 output-padding:0,0 "
       "groups:1 transposed:false cube-math-type:0 dtype:ACL_FLOAT"},
      {"stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f], window = {pad "
       "= "
       "[[2, 3]], lhs_dilate = [2], reverse = [true]} : (tensor<2x7x6xf32>, tensor<3x4x6xf32>) -> "
       "tensor<2x16x4xf32>",
       "input:2,6,7 weight:6,4,3 grad-output:2,4,16 stride:2 padding:0 output-padding:1 "
       "transposed:yes dtype:f32"},
      {"benchdnn --conv --dir=BWD_W --dt=bf16:bf16:f32 mb2ic6ih8oc8oh6kh3ph0",
       "input:2,6,8,8 weight:8,6,3,3 grad-output:2,8,6,6 stride:1,1 padding:0,0 dilation:1,1 "
       "groups:1 mask:0,1,0 dtype:f32,bf16,bf16"},
      {"import tinygrad\nTensor.ones(1, 2, 9, 9).conv2d(Tensor.ones(3, 2, 3, 3), padding=(2, 3, 0, "
       "1))",
       "input:1,2,9,9 weight:3,2,3,3 padding:0,1,2,3"},
  };
  for (const auto& [text, line] : texts) {
    const auto words = [](std::string all) {
      auto parts = parts_between(all, " ");
      std::ranges::sort(parts);
      return std::vector<std::string>(parts.begin(), parts.end());
    };
    EXPECT_EQ(words(only_call_in(text).line_of_words()), words(line)) << text;
  }
}

TEST(CallTable, TakesNoNameForTheLibrarysThatTheTextGivesItself) {
  EXPECT_THAT(reading_of("def conv2d(x, w, stride=2):\n    return x\nconv2d = other(1)\n"
                         "conv2d(torch.ones(1, 2, 5, 5), torch.ones(3, 2, 3, 3))")
                  ->calls,
              testing::IsEmpty());
}

TEST(CallTable, TakesNoCallOfAnotherLibraryForTorchs) {
  const std::string ones = "(torch.ones(1, 2, 5, 5), torch.ones(3, 2, 3, 3))";
  for (const std::string& text : {"slim.conv2d" + ones, "layers.conv2d" + ones,
                                  std::string("import tensorflow as tf\nconv2d(f, [3, 3, 2, 4])")})
    EXPECT_THAT(reading_of(text)->calls, testing::IsEmpty()) << text;
  for (const std::string& text :
       {"F.conv2d" + ones, "conv2d" + ones, "import torch.nn.functional as tnf\ntnf.conv2d" + ones})
    EXPECT_EQ(only_call_in(text).notation, "PyTorch, functional") << text;
}

TEST(CallTable, TakesTheOnlyDtypeThatATextNames) {
  const std::string call = "F.conv1d(torch.ones(1, 2, 9), torch.ones(3, 2, 3))\n";
  for (const char* one : {"we train in bfloat16", "autocast(dtype=torch.bfloat16)",
                          "bf16, not fp64", "against a double reference: bf16"}) {
    EXPECT_THAT(only_call_in(call + one).words.dtype.value_or(""), testing::HasSubstr("bf")) << one;
    EXPECT_THAT(only_call_in(call + one).notes, Contains(HasSubstr("names one dtype"))) << one;
  }
  // Of two none is taken; a part of it and a processor's instructions are no dtype.
  for (const char* other :
       {"bf16 against fp32", "fp16, then bf16", "DT_FLOAT is not DT_FLOAT16 here"})
    EXPECT_EQ(only_call_in(call + other).words.dtype, std::nullopt) << other;
  for (const char* none : {"half of the runs", "the other half", "flags: avx512_bf16 amx_bf16"})
    EXPECT_THAT(only_call_in(call + none).notes, Contains("dtype is not stated: FLOAT")) << none;
  EXPECT_EQ(only_call_in(call + "in half precision").words.dtype, "half");
}

TEST(CallTable, CountsTenThousandCalls) {
  std::string text;
  for (int i = 0; i < 10000; ++i)
    text += "benchdnn --conv mb" + std::to_string(i + 1) + "ic2ih5oc2kh3ph0\n";
  EXPECT_EQ(reading_of(text)->further_calls, 10000 - most_calls);
  EXPECT_TRUE(reading_of(text)->counts_all_calls);
}

TEST(CallTable, FollowsNamesToWhereTheyAreBound) {
  EXPECT_EQ(only_call_in("N, C = 2, 3\nk = 2 * C - 1\nx = torch.zeros((N, C, k * 2, 9)).half()\n"
                         "m = nn.Conv2d(C, C * 8, kernel_size=k, padding=k // 2)\nm(x)")
                .line_of_words(),
            "input:2,3,10,9 weight:24,3,5,5 padding:2 transposed:no bias:yes dtype:torch.half");
  EXPECT_EQ(only_call_in("x = torch.ones(2, 3, 8)\nw = torch.ones(4, 3, 3)\ny = F.conv1d(x, w)\n"
                         "x = torch.ones(5, 3, 9)")
                .words.input,
            "2,3,8");
}

TEST(CallTable, TakesParametersFromTheCallsOfTheirFunction) {
  const std::string made = "a = torch.ones(2, 3, 8)\nb = torch.ones(4, 3, 3)\n";
  const std::string calls = made + "def f(x, w, s=2):\n    return F.conv1d(x, w, stride=s)\n";
  EXPECT_EQ(only_call_in(calls + "f(a, b)").line_of_words(), "input:2,3,8 weight:4,3,3 stride:2");
  EXPECT_EQ(only_call_in(calls + "grad(f, 0)(a, b, s=3)").line_of_words(),
            "input:2,3,8 weight:4,3,3 stride:3");
  EXPECT_EQ(only_call_in(calls + "grad(lambda v: f(v, b).sum())(a)").words.input, "2,3,8");
  // Two calls that differ, or none, say nothing.
  for (const char* more : {"f(a, b)\nf(b, b)", "f(*all)", ""})
    EXPECT_THAT(reading_of(calls + more)->calls, testing::IsEmpty()) << more;
}

TEST(CallTable, GivesALayerTheTensorThatItIsAppliedTo) {
  const std::string made =
      "class Net(nn.Module):\n  def __init__(self):\n    self.a = nn.Conv1d(2, "
      "6, 3)\n    self.b = nn.Conv1d(6, 2, 5)\n  def forward(self, x):\n    "
      "return self.b(self.a(x))\n";
  const auto read = reading_of(made + "net = Net()\nnet(torch.ones(3, 2, 20))");
  ASSERT_EQ(read->calls.size(), 2U);
  EXPECT_EQ(read->calls[0].words.input, "3,2,20");
  EXPECT_EQ(read->calls[1].words.input, std::nullopt);
  // The first of several, by the one tensor that fits no other.
  const std::string printed =
      "(0): Conv1d(2, 6, kernel_size=(3,))\n(1): Conv1d(6, 4, kernel_size=(3,))\n"
      "x.shape: torch.Size([3, 2, 20])\n";
  EXPECT_EQ(reading_of(printed)->calls[0].words.input, "3,2,20");
  EXPECT_EQ(reading_of(printed)->calls[1].words.input, std::nullopt);
  EXPECT_EQ(reading_of("(0): Conv1d(2, 2, kernel_size=(3,))\n" + printed)->calls[0].words.input,
            std::nullopt);
}

TEST(CallTable, ReadsOptionsThatStandElsewhere) {
  for (const char* options :
       {"c = dict(kernel_size=3, stride=2)", "c = {'kernel_size': 3, 'stride': 2}"})
    EXPECT_EQ(
        only_call_in(std::string(options) + "\nm = nn.Conv1d(2, 4, **c)\nm(torch.ones(1, 2, 9))")
            .line_of_words(),
        "input:1,2,9 weight:4,2,3 stride:2 transposed:no bias:yes")
        << options;
  EXPECT_EQ(only_call_in("torch.operator \"onnx.Conv\"(%0, %1) {torch.onnx.group = 2 : si64, "
                         "torch.onnx.pads = [1 : si64, 1 : si64]} : (!torch.vtensor<[1,4,9],f32>, "
                         "!torch.vtensor<[6,2,3],f32>) -> !torch.vtensor<[1,6,9],f32>")
                .line_of_words(),
            "input:1,4,9 weight:6,2,3 grad-output:1,6,9 padding:1 groups:2 dtype:f32");
}

TEST(CallTable, SaysWhichElementsNoOutputReads) {
  const FoundCall call =
      only_call_in("F.conv1d(torch.ones(1, 1, 16), torch.ones(1, 1, 3), stride=4)");
  EXPECT_THAT(call.notes, Contains(HasSubstr("last 1 elements of input")));
  EXPECT_THAT(only_call_in("F.conv1d(torch.ones(1, 1, 15), torch.ones(1, 1, 3), stride=4)").notes,
              testing::Not(Contains(HasSubstr("no output"))));
}

/// A text with pieces cut out, doubled, exchanged, or a number in place of another.
std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return random() % std::max<std::size_t>(limit, 1); };
  for (std::size_t edits = 1 + below(3); edits > 0 && !text.empty(); --edits) {
    const std::size_t begin = below(text.size()), length = 1 + below(12);
    const std::string piece = text.substr(begin, length);
    const std::size_t kind = below(4), digit = text.find_first_of("0123456789", begin);
    if (kind == 0) text.erase(begin, length);
    if (kind == 1) text.insert(below(text.size()), piece);
    if (kind == 2) text = text.substr(begin) + text.substr(0, begin);
    if (kind == 3 && digit != text.npos) text.replace(digit, 1, std::to_string(below(40)));
  }
  return text;
}

TEST(CallTable, ClaimsNoLengthThatATextDoesNotState) {
  const auto written = written_calls();
  std::mt19937 random(1);
  std::size_t calls = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::string text = mutated(written[random() % written.size()].text, random);
    const auto read = reading_of(text);
    if (!read) continue;
    for (const FoundCall& call : read->calls) {
      EXPECT_EQ(fuzz::unstated_number(call, text), "") << text << "\n" << call.line_of_words();
      ++calls;
    }
  }
  EXPECT_GT(calls, 3000U);
}

TEST(CallTable, IsHeldToTheLengthsOfATextByATestThatCanFail) {
  FoundCall call;
  call.words.input = "2,3,97,8";
  EXPECT_EQ(fuzz::unstated_number(call, "input 2, 3, 8"), "97");
  EXPECT_EQ(fuzz::unstated_number(call, "input 2, 3, 8, 97"), "");
  EXPECT_EQ(fuzz::unstated_number(call, "input 2, 3, 8, 90 + 7"), "");
}

}  // namespace
}  // namespace gradproof::advice
