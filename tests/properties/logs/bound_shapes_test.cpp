// Shapes, dtypes and letters that a text gives away from the call.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "properties/advice/logs/reading.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string line_of(const std::string& text) {
  const auto read = reading_of(text);
  EXPECT_TRUE(read && read->calls.size() == 1) << text;
  return read && read->calls.size() == 1 ? read->calls[0].line_of_words() : "";
}

TEST(BoundShapes, AreOfTheNamesThatTheTextDeclares) {
  const std::pair<const char*, const char*> texts[] = {
      {"g (float16[2,4,9] X, float16[6,4,3] W) => (float16[2,6,7] Y)\nY = Conv <pads = [0, 0]> (X, "
       "W)",
       "input:2,4,9 weight:6,4,3 padding:0 dtype:float16"},
      {"x = tf.keras.Input(shape=(20, 5), batch_size=3)\ny = layers.Conv1D(4, 6, strides=2)(x)",
       "input:3,5,20 weight:4,5,6 stride:2 bias:yes"},
      {"f = lambda a, b: F.conv1d(a, b, stride=3)\nx = torch.ones(2, 3, 9)\nw = torch.ones(4, 3, "
       "2)\njax.grad(lambda k: f(x, k).sum())(w)",
       "input:2,3,9 weight:4,3,2 stride:3"},
      {"aten.convolution.default(p, q, None, [1], [0], [1], False, [0], 1)\n"
       "assert_size_stride(p, (2, 3, 8), (24, 8, 1))\nassert_size_stride(q, (5, 3, 2), (6, 2, 1))",
       "input:2,3,8 weight:5,3,2 stride:1 padding:0 dilation:1 output-padding:0 transposed:False "
       "groups:1"}};
  for (const auto& [text, line] : texts) {
    std::string words = line_of(text);
    for (std::string_view part : parts_between(line, " "))
      EXPECT_THAT(" " + words + " ", HasSubstr(" " + std::string(part) + " ")) << text;
  }
}

TEST(BoundShapes, AreToldOfALayerInASentence) {
  const std::string layer = "Conv2d(8, 8, kernel_size=3, groups=4)\n";
  for (const char* told : {"its input has the shape (2, 8, 7, 9)", "the input shape (2, 8, 7, 9)",
                           "we feed tensors of size [2, 8, 7, 9]"})
    EXPECT_THAT(line_of(layer + told), HasSubstr("input:2,8,7,9")) << told;
  for (const char* other :
       {"its input has the shape (2, 7, 8, 9)", "the output size is (2, 8, 7, 9)",
        "an input of size (2, 8, 7, 9), then one of size (2, 8, 5, 5)"})
    EXPECT_THAT(line_of(layer + other), Not(HasSubstr("input:"))) << other;
  // PyTorch takes a tensor without a batch.
  const auto read = reading_of("m = nn.Conv1d(3, 4, 2)\nm(torch.ones(3, 9))");
  EXPECT_EQ(read->calls[0].words.input, "1,3,9");
  EXPECT_THAT(read->calls[0].notes, Contains("input's batch is not stated: 1"));
}

TEST(BoundShapes, AreReadByTheLettersOfKernels) {
  EXPECT_EQ(line_of("dgrad conv: N=2, C=6, H=W=9, K=4, R=3 S=2, stride=2, pad=1, dilation=1"),
            "input:2,6,9,9 weight:4,6,3,2 stride:2 padding:1 dilation:1");
  EXPECT_THAT(reading_of("conv N=2 C=6 H=9 W=9 K=4 R=3")->calls, IsEmpty());
  EXPECT_EQ(
      line_of("test_conv1d[x_shape=(2, 3, 9)-w_shape=(4, 3, 5)-stride=2-padding=1-dilation=1]"),
      "input:2,3,9 weight:4,3,5 stride:2 padding:1 dilation:1");
  // What a program's own call leaves open is no part of another one.
  EXPECT_THAT(reading_of("x = torch.ones(2, 3, 9)\nw = torch.ones(4, 3, 5)\ny = F.conv1d(f(x), w)")
                  ->calls.at(0)
                  .words.input,
              std::nullopt);
}

TEST(BoundShapes, AreTheDefaultsOfAFunctionThatIsNeverCalled) {
  const std::string head = "def test_one(B=2, C=3, k=(4, 3, 5)):\n    ";
  const std::string body = "F.conv1d(torch.ones(B, C, 9), torch.ones(*k))\n";
  EXPECT_EQ(line_of(head + body), "input:2,3,9 weight:4,3,5");
  EXPECT_THAT(reading_of(head + body + "test_one(*sizes)")->calls, IsEmpty());
  EXPECT_THAT(
      reading_of("def test_one(B, C=3):\n    F.conv1d(torch.ones(B, C, 9), w, stride=C)")->calls,
      IsEmpty());
  EXPECT_THAT(line_of("c = L.Deconvolution1D(2, 3, ksize=3, stride=2, pad=1, outsize=(10,))\n"
                      "c(np.ones((1, 2, 5)))"),
              HasSubstr("output-padding:1"));
}

/// A default is one with blanks around its sign as well; a type is none.
TEST(BoundShapes, AreDefaultsHoweverTheyAreWritten) {
  const std::string body = "):\n    F.conv1d(torch.ones(B, 3, 9), torch.ones(4, 3, 5))\n";
  EXPECT_EQ(line_of("def f(B = 2" + body), "input:2,3,9 weight:4,3,5");
  EXPECT_EQ(line_of("def f(B=2, n = 7" + body), "input:2,3,9 weight:4,3,5");
  EXPECT_THAT(reading_of("def f(B: int" + body)->calls[0].lacking, Contains("input's shape"));
}

/// A profiler lists the shapes of the operands behind the operator.
TEST(BoundShapes, AreOfTheListsBehindAnOperatorsName) {
  EXPECT_EQ(line_of("aten::convolution_backward  1.5ms  3  [[2, 8, 4, 5], [2, 6, 9, 9], "
                    "[8, 3, 3, 2], [], [], []]"),
            "input:2,6,9,9 weight:8,3,3,2 grad-output:2,8,4,5");
  EXPECT_EQ(line_of("  Conv2D :  0.5 ms  [(4, 1, 12, 12), (8, 1, 5, 5)]"),
            "input:4,1,12,12 weight:8,1,5,5");
  EXPECT_THAT(reading_of("aten::convolution  1 ms  [[2, 8], [3, 8], []]")->calls, IsEmpty());
}

/// PyTorch prints the input that a layer refused.
TEST(BoundShapes, OfARefusedInputAreOfTheLayerWithItsWeight) {
  const std::string error =
      "RuntimeError: Given groups=1, weight of size [8, 3, 5, 5], expected input[2, 1, 20, 20] to "
      "have 3 channels, but got 1 channels instead";
  EXPECT_EQ(line_of("self.a = nn.Conv2d(3, 8, 5, stride=2)\n" + error),
            "input:2,1,20,20 weight:8,3,5,5 stride:2 transposed:no bias:yes");
  const auto other = reading_of("self.a = nn.Conv2d(3, 4, 5, stride=2)\n" + error);
  EXPECT_EQ(other->calls.size(), 2U);  // of another layer
}

TEST(BoundShapes, AreOfNcnnsInput) {
  const std::string layer = "\nConvolution c 1 1 data c 0=8 1=3 6=216\n";
  EXPECT_THAT(line_of("Input data 0 1 data 0=20 1=10 2=3" + layer), Not(HasSubstr("input")));
  EXPECT_THAT(line_of("7767517\nInput data 0 1 data 0=20 1=10 2=3" + layer),
              HasSubstr("input:1,3,10,20 "));
  EXPECT_THAT(line_of("7767517\nInput  x  0 1 x 0=7 1=9 2=4" + layer), Not(HasSubstr("input")));
}

TEST(BoundShapes, AreKnownByDirectMLsKeys) {
  const std::string sizes = "InputTensor sizes {1, 4, 8, 8}, FilterTensor sizes {4, 2, 3, 3}";
  const std::string call =
      "DML_CONVOLUTION_OPERATOR_DESC Strides = {2, 2}, StartPadding = {1, 0}, "
      "EndPadding = {1, 0}, GroupCount = 2\n";
  EXPECT_EQ(line_of(call + sizes), "input:1,4,8,8 weight:4,2,3,3 stride:2,2 padding:1,0 groups:2");
  EXPECT_THAT(line_of("Direction = BACKWARD in the convolution: " + call + sizes),
              HasSubstr("transposed:True"));
}

TEST(BoundShapes, AreOfOneLayerAlone) {
  // A class of a program's own is no ONNX, and no call is told twice.
  EXPECT_THAT(reading_of("self.a = Conv(c2, c3, kernel_size=3, stride=1)")->calls, IsEmpty());
  EXPECT_EQ(
      reading_of("op { type: \"Conv\" input: \"X\" input: \"W\" arg { name: \"stride\" i: 2 } }\n"
                 "X shape: (1, 2, 9, 9), W shape: (3, 2, 3, 3)")
          ->calls.size(),
      1U);
  EXPECT_THAT(
      reading_of("Conv(c1, c2, k=3, s=2, groups=2)\nConv(c2, c3, kernel_size=3, stride=1)")->calls,
      IsEmpty());
  EXPECT_THAT(
      line_of("<layer type=\"ConvolutionBackpropData\">\n<data strides=\"2\" pads_begin=\"1\" "
              "pads_end=\"1\" dilations=\"1\"/>\n<port><dim>1</dim><dim>3</dim><dim>8</dim>"
              "</port>\n<port><dim>3</dim><dim>5</dim><dim>4</dim></port>"),
      HasSubstr("transposed:True"));
}

TEST(BoundShapes, HaveTheDtypeAndTheBiasOfTheirLayer) {
  EXPECT_THAT(
      line_of("import mindspore\nc = nn.Conv2d(2, 4, 3, pad_mode='valid').to_float(ms.float16)"
              "\nc(Tensor(np.ones([1, 2, 5, 5]), ms.float32))"),
      HasSubstr("dtype:float16"));
  EXPECT_THAT(line_of("c = nn.Conv2d(2, 4, 3, pad_mode='valid')  # nn.Cell"), HasSubstr("bias:no"));
  EXPECT_THAT(line_of("c = paddle.nn.Conv2D(2, 4, 3, bias_attr=None)"), HasSubstr("bias:yes"));
  EXPECT_THAT(line_of("c = paddle.nn.Conv2D(2, 4, 3, bias_attr=False)"), HasSubstr("bias:False"));
  EXPECT_THAT(line_of("onednn_verbose,exec,cpu,convolution,jit,backward_data,diff_src_f32::blocked "
                      "wei_bf16::blocked diff_dst_bf16::blocked,,,mb1ic2oc3_ih5oh3kh3sh1ph0_iw5ow3"
                      "kw3sw1pw0"),
              HasSubstr("dtype:bf16,f32,bf16"));
}

TEST(Claims, OfDimensionsAreOfTensors) {
  const char* const counts =
      "conv net, rank 3: dims are not equal, rank 0 has 1728 weights and rank 3 has 1729";
  EXPECT_THAT(reading_of(counts)->rules, IsEmpty());
  EXPECT_THAT(reading_of("conv: the dims of gradOutput and input are not equal")->rules,
              Contains(testing::Field(&NamedRule::rule, "RANK-02")));
}

TEST(Claims, SayWhichNumbersDoNotFit) {
  const std::string text = reading_text(*reading_of(
      "For 'Conv2D', 'C_in' of input 'x' shape divided by parameter 'group' must be equal to "
      "'C_in' "
      "of input 'weight' shape: 5, but got 'C_in' of input 'x' shape: 20, and 'group': 2."));
  EXPECT_THAT(text, HasSubstr("20 channels of input over groups=2 are not the weight's 5"));
  EXPECT_THAT(text, HasSubstr("CH-02"));
}

}  // namespace
}  // namespace gradproof::advice
