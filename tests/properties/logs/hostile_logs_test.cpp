// A log is untrusted: what is in it is neither run nor shown as it is, and costs no more than its
// length.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>

#include "properties/advice/logs/log_text.h"
#include "properties/advice/logs/reading.h"

namespace gradproof::advice {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string problem_of(const std::string& text) {
  const auto read = reading_of(text);
  return read ? "" : read.error();
}

bool is_plain(const std::string& text) {
  return std::ranges::all_of(text, [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return letter == '\n' || (byte >= 0x20 && byte != 0x7f);
  });
}

TEST(HostileLog, IsRefusedWhereItIsNoText) {
  EXPECT_THAT(problem_of(""), HasSubstr("is empty"));
  EXPECT_THAT(problem_of(" \r\n\t\n"), HasSubstr("is empty"));
  EXPECT_THAT(problem_of(std::string("161002\0failed", 13)), HasSubstr("NUL bytes"));
  EXPECT_THAT(problem_of(std::string(200, '\x02') + "161002"), HasSubstr("binary"));
  EXPECT_THAT(problem_of(std::string(largest_log_bytes + 1, 'a')), HasSubstr("more than 12 MiB"));
  EXPECT_EQ(problem_of(std::string(largest_log_bytes, 'a')), "");
}

TEST(HostileLog, IsReadInTheEncodingsOfWindows) {
  const std::string line = "negative padding is not supported (conv2d)\n";
  std::string little = "\xff\xfe", big;
  for (const char letter : line) {
    little += {letter, '\0'};
    big += {'\0', letter};
  }
  for (const std::string& text : {little, big, std::string("\xbe\xed\xbb\xfd ") + line}) {
    const auto read = reading_of(text);
    ASSERT_TRUE(read && read->rules.size() == 1);
    EXPECT_EQ(read->rules[0].rule, "PAD-01");
  }
  EXPECT_THAT(reading_of("\xbe\xed\xbb\xfd: negative padding is not supported")->rules[0].quote,
              HasSubstr("卷积"));
}

TEST(HostileLog, ShowsNoControlCharacters) {
  const std::string line =
      "support for ascend310B \x1b]0;title\x07 \x1b[2J is not implemented \xe2\x80\xae \xc2\x9b"
      "31m \xff \x7f\n";
  const auto read = reading_of("call aclnnConvolutionGetWorkspaceSize failed: 161002 " + line);
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->rules.size(), 1U);
  for (const std::string& text : {reading_text(*read), reading_json(*read)}) {
    EXPECT_TRUE(is_plain(text)) << text;
    EXPECT_THAT(text, Not(HasSubstr("\xe2\x80\xae")));
    EXPECT_THAT(text, Not(HasSubstr("\xc2\x9b")));
    EXPECT_THAT(text, HasSubstr("title"));
  }
  EXPECT_THAT(reading_text(*read), HasSubstr("\\x1b]0;title\\x07"));
}

TEST(HostileLog, KeepsTheLettersOfAllLanguages) {
  EXPECT_EQ(shown("卷积 é"), "卷积 é");
  EXPECT_EQ(shown("a\tb\nc"), "a\\x09b\\x0ac");
  EXPECT_EQ(shown("\xc0\x80"), "\\xc0\\x80") << "an overlong NUL";
  EXPECT_EQ(shown("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half a pair";
  EXPECT_EQ(shown("abcdef", 3), "abc...");
}

TEST(HostileLog, IsReadThroughATerminalsColours) {
  const auto read =
      reading_of("\x1b[31mcall aclnnConvolution\x1b[0mBackward failed\x1b[0m: 161002\r\n");
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->operators.size(), 1U);
  EXPECT_EQ(read->operators[0].name, "aclnnConvolutionBackward");
}

TEST(HostileLog, InventsNoCallFromNumbersAndProse) {
  for (const char* text :
       {"input size 3, weight 7, stride 2, padding 3", "the input (3) and weight (7) of layer 2",
        "input=[1, N, 8, 8], weight=[4, N, 3, 3], stride=[1], padding=[0]",
        "input=[1,2] weight=[3,4] stride=[1,1] padding=[0,0]",
        "Conv2d(in_channels, out_channels, kernel_size)", "Conv2d(3, 64",
        "mb1ic3oc64 mb mb7 ic3oc4ih5kh", "MIOpenDriver conv of all sizes",
        "onednn_verbose convolution mb1", "convolution(f32[] %x), dim_labels=, window={",
        "aten::convolution_backward_overrideable(",
        "convDesc = miopenConvolution, 1, 1, 1, 1, 1, 1,",
        "ConvolutionParams\npadding = [1, 1, 0]"}) {
    const auto read = reading_of(text);
    ASSERT_TRUE(read.has_value()) << text;
    for (const FoundCall& call : read->calls) EXPECT_FALSE(call.is_complete()) << text;
  }
}

TEST(HostileLog, DoesNotOverflow) {
  const std::string huge = "9223372036854775807";
  const std::string texts[] = {
      "benchdnn mb" + huge + "ic" + huge + "oc4ih" + huge + "oh4kh3sh" + huge + "dh" + huge + "ph" +
          huge,
      "benchdnn mb2ic4oc4ih2147483647oh2147483647kh2147483647sh2147483647dh2147483647",
      "MIOpenDriver conv -n " + huge + " -c 4 -H " + huge +
          " -W 4 -k 4 -y 3 -x 3 -p 1 -q 1 -u 1 -v 1",
      "input=[1," + huge + ",8,8] weight=[4," + huge + ",3,3] groups=" + huge +
          " stride=1 padding=1",
      "input=[99999999999999999999,3,8,8] weight=[4,3,3,3] stride=1 padding=1",
      "input: \" \"\ninput_dim: 1\ninput_dim: 3\ninput_dim: 8\n",  // the name of nothing
      "cudnnSetTensor4dDescriptor(d, a, b, x=, 1, 2, 3)",
      "a /* b",
      "[1 2 /*"};
  for (const std::string& text : texts) {
    const auto read = reading_of(text);
    ASSERT_TRUE(read.has_value()) << text;
    EXPECT_FALSE(reading_text(*read).empty());
  }
}

/// One piece again and again, up to an eighth of the largest log.
std::string full_of(const std::string& piece) {
  std::string text;
  while (text.size() + piece.size() <= largest_log_bytes / 8) text += piece;
  return text;
}

TEST(HostileLog, TakesTimeInProportionToItsLength) {
  for (const std::string& piece :
       {std::string("Conv2d(3,4,3) "),
        std::string("Conv2d(((("),
        std::string("rand([[[["),
        std::string("161002 "),
        std::string("input=[1,2,3,4]weight=[1,2,3,4]stride=1padding=1 "),
        std::string("mb1ic1oc1ih1kh1\n"),
        std::string("f32[1,2] = %a convolution(\n"),
        std::string("%a = f32[1]{0} aten::convolution_backward_overrideable(%a)\n"),
        std::string("aclnnA1 "),
        std::string("Ascend910 CANN "),
        std::string("\x1b["),
        std::string("Atlas   "),
        std::string("Ascend999 "),
        std::string("i! a: val=[1]\n"),
        std::string("[[[["),
        std::string("a = a + b; "),
        std::string("x = (((\n"),
        std::string("%a = %b, %c : tensor<1x2xf32>\n"),
        std::string("def f(x):\n"),
        std::string("a = b\nb = a\n"),
        std::string("diff: 1 error: 2 "),
        std::string("F.conv2d(x, w)"),
        std::string("conv -n 1 -c 2 \\\n"),
        std::string("function cudnnConvolution( xDesc: dimA: val=[1,2,3]\n")}) {
    const std::clock_t begin = std::clock();
    const auto read = reading_of(full_of(piece));
    // Of this process alone: what else the machine does tells nothing of the reader.
    const auto seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_LT(seconds, 20) << piece;
    EXPECT_TRUE(!read || read->calls.size() <= most_calls) << piece;
  }
}

TEST(HostileLog, WithoutAnythingKnownSaysSo) {
  const auto read = reading_of("hello, it does not work\n");
  ASSERT_TRUE(read.has_value());
  EXPECT_THAT(read->kinds, testing::ElementsAre(LogKind::Unknown));
  EXPECT_THAT(read->calls, IsEmpty());
  EXPECT_THAT(reading_text(*read), HasSubstr("no kind that is known here"));
}

}  // namespace
}  // namespace gradproof::advice
