#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "corpus/case_json.h"
#include "corpus/words/words.h"
#include "oracle/status/status_oracle.h"
#include "properties/advice/explain/call_from_texts.h"
#include "properties/advice/logs/found_call.h"

namespace gradproof::advice {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Person {
  CallTexts words;
  const char* device = "Ascend910B";
  const char* module = nullptr;
};

std::string json_line(Person person) {
  if (person.module != nullptr) {
    EXPECT_EQ(add_written_call(person.module, person.words), std::nullopt) << person.module;
  }
  auto call = call_from_texts(person.words);
  EXPECT_TRUE(call) << (call ? "" : call.error());
  const auto product = corpus::product_from_words(person.device);
  EXPECT_TRUE(product) << (product ? "" : product.error());
  if (!call || !product) return "";
  call->id = "call";
  call->soc = corpus::name_of(*product);
  return corpus::to_json_line(*call);
}

/// A first layer of ResNet in BF16 with a bias, on an Atlas A2.
CallTexts plain_words() {
  CallTexts words;
  words.input = "2,3,224,224";
  words.weight = "64,3,7,7";
  words.stride = "2";
  words.padding = "3";
  words.dtype = "BF16";
  words.bias = "yes";
  return words;
}

Person with(const std::function<void(CallTexts&)>& change, const char* device = "Ascend910B") {
  Person person{plain_words(), device};
  change(person.words);
  return person;
}

/// The module says all but input's shape and dtype.
Person of_module(const char* module, const char* device) {
  CallTexts words;
  words.input = "torch.Size([2, 3, 224, 224])";
  words.dtype = "torch.bfloat16";
  return {words, device, module};
}

std::vector<Person> people() {
  return {
      with([](CallTexts& call) { call.input = "(2, 3, 224, 224)"; }, "Ascend910B3"),
      with([](CallTexts& call) { call.input = "[2, 3, 224, 224]"; }, "910B"),
      with([](CallTexts& call) { call.input = "torch.Size([2, 3, 224, 224])"; }, "Ascend910B2C"),
      with([](CallTexts& call) { call.input = "2x3x224x224"; }, "Atlas 800T A2"),
      with([](CallTexts& call) { call.input = "2, 3, 224, 224"; }, "ascend910b"),
      with([](CallTexts& call) { call.input = "2 3 224 224"; }, "Atlas A2 training series"),
      with([](CallTexts& call) { call.weight = "shape=(64, 3, 7, 7)"; }, "Ascend910B4-1"),
      with([](CallTexts& call) { call.dtype = "bf16"; }, "Ascend910B1"),
      with([](CallTexts& call) { call.dtype = "bfloat16"; }, "ASCEND910B2"),
      with([](CallTexts& call) { call.dtype = "torch.bfloat16"; }, "910B4"),
      with([](CallTexts& call) { call.dtype = "ACL_BF16"; }, "Atlas 900 A2 PoD"),
      with([](CallTexts& call) { call.dtype = "(DT_BF16, bf16, torch.bfloat16)"; }),
      with([](CallTexts& call) { call.stride = "(2, 2)"; }),
      with([](CallTexts& call) { call.padding = "[3, 3]", call.dilation = "1x1"; }),
      with([](CallTexts& call) { call.bias = "True", call.transposed = "False"; }),
      with([](CallTexts& call) { call.format = "torch.contiguous_format"; }),
      with([](CallTexts& call) { call.mask = "[True, True, True]"; }),
      with([](CallTexts& call) { call.cube_math_type = "KEEP_DTYPE"; }),
      of_module("Conv2d(3, 64, kernel_size=(7, 7), stride=(2, 2), padding=(3, 3))", "910B3"),
      of_module("torch.nn.Conv2d(3, 64, 7, 2, 3, bias=True)", "Ascend910B"),
      of_module("nn.Conv2d(in_channels=3, out_channels=64, kernel_size=7, stride=2, padding=3)",
                "Atlas 800I A2"),
  };
}

TEST(CallTexts, OfTwentyPeopleAreOneCall) {
  const std::string expected = json_line({plain_words()});
  ASSERT_THAT(expected, HasSubstr("\"soc\":\"Ascend910B\""));
  const auto all = people();
  EXPECT_GE(all.size(), 20U);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(json_line(all[i]), expected) << i;
}

TEST(CallLines, SayTheCallOfTheOptions) {
  Person person;
  std::optional<std::string> soc;
  for (const char* line : {"input:(2, 3, 224, 224) weight:64x3x7x7",
                           "stride:2 padding:3 dtype:bf16 bias:yes soc:910B"}) {
    ASSERT_TRUE(is_call_line(line)) << line;
    ASSERT_EQ(add_call_line(line, person.words, soc), std::nullopt) << line;
  }
  EXPECT_EQ(soc, "910B");
  EXPECT_EQ(json_line(person), json_line({plain_words()}));
  EXPECT_FALSE(is_call_line("cases.jsonl"));
  EXPECT_FALSE(is_call_line("C:cases.jsonl"));
  EXPECT_THAT(add_call_line("input:2,3,4 strides:2", person.words, soc).value_or("understood"),
              AllOf(HasSubstr("\"strides\" is no key"), HasSubstr("stride, ")));
}

TEST(CallLines, KeepEveryWordOfACall) {
  const CallTexts every{.api = "aclnnConvolution",
                        .input = "2, 3, 8, 8",
                        .weight = "b",
                        .grad_output = "c",
                        .stride = "d",
                        .padding = "e",
                        .dilation = "f",
                        .output_padding = "g",
                        .groups = "h",
                        .transposed = "i",
                        .bias = "j",
                        .bias_sizes = "k",
                        .mask = "l",
                        .dtype = "m",
                        .format = "n",
                        .cube_math_type = "o"};
  const std::string line = call_line(every, "Ascend950");
  CallTexts words;
  std::optional<std::string> soc;
  ASSERT_EQ(add_call_line(line, words, soc), std::nullopt);
  EXPECT_EQ(words.input, every.input);
  EXPECT_EQ(words.cube_math_type, every.cube_math_type);
  EXPECT_EQ(call_line(words, *soc), line);
  EXPECT_EQ(std::ranges::count(line, ':'), 17);
}

TEST(CallTexts, TakeSizesForABias) {
  const auto with_bias = [](const std::string& bias) {
    CallTexts texts;
    texts.input = "2,3,8,8";
    texts.weight = "4,3,3,3";
    texts.bias = bias;
    return call_from_texts(texts);
  };
  const auto sizes = [&](const std::string& bias) {
    return with_bias(bias).value_or(corpus::Case{}).bias_sizes;
  };
  using Sizes = std::vector<std::int64_t>;
  EXPECT_EQ(sizes("yes"), Sizes{4});
  EXPECT_EQ(sizes("1"), Sizes{4});
  EXPECT_EQ(sizes("(1)"), Sizes{1});
  EXPECT_EQ(sizes("[1]"), Sizes{1});
  EXPECT_EQ(sizes("5"), Sizes{5});
  EXPECT_EQ(sizes("no"), std::nullopt);
  EXPECT_THAT(with_bias("often").error(), HasSubstr("--bias: \"often\""));
}

TEST(CallTexts, PadTheSameAsPyTorch) {
  const auto padding = [](const char* weight, const char* dilation, const char* stride = "1") {
    CallTexts words = plain_words();
    words.weight = weight;
    words.stride = stride;
    words.dilation = dilation;
    words.padding = "same";
    const auto call = call_from_texts(words);
    return call ? call->padding.value() : std::vector<std::int64_t>{};
  };
  using testing::ElementsAre;
  EXPECT_THAT(padding("64,3,7,5", "1"), ElementsAre(3, 2));
  EXPECT_THAT(padding("64,3,3,3", "2"), ElementsAre(2, 2));
  EXPECT_THAT(padding("64,3,4,3", "1"), ElementsAre(1, 2, 1, 1));
  EXPECT_THAT(padding("64,3,7,7", "1", "2"), testing::IsEmpty());
  EXPECT_THAT(padding("64,3,7,7", "9223372036854775807"), testing::IsEmpty());
}

TEST(CallTexts, GiveAllTensorsTheStridesOfChannelsLast) {
  const auto call =
      call_from_texts(with([](CallTexts& words) { words.format = "channels_last"; }).words);
  ASSERT_TRUE(call);
  EXPECT_EQ(call->input->strides, (std::vector<std::int64_t>{150528, 1, 672, 3}));
  EXPECT_EQ(call->input->format, corpus::Format::Nchw);
  EXPECT_EQ(call->grad_output->strides, (std::vector<std::int64_t>{802816, 1, 7168, 64}));
}

TEST(Modules, SayWhatTheyDo) {
  CallTexts words;
  EXPECT_TRUE(is_written_call(" nn.ConvTranspose3d(8, 6, 3, groups=2)"));
  EXPECT_FALSE(is_written_call("conv.jsonl"));
  EXPECT_FALSE(is_written_call("Conv4d(1, 2, 3)"));
  EXPECT_EQ(add_written_call("ConvTranspose3d(8, 6, (2, 3, 4), groups=2, bias=False)", words),
            std::nullopt);
  EXPECT_EQ(words.weight, "8,3,2,3,4");
  EXPECT_EQ(words.transposed, "yes");
  EXPECT_EQ(words.bias, "False");
  const auto problem = [](const char* module) {
    CallTexts none;
    return add_written_call(module, none).value_or("understood");
  };
  EXPECT_THAT(problem("Conv2d(3, 64)"), HasSubstr("kernel_size"));
  EXPECT_THAT(problem("Conv2d(3, 64, 3, groups=2)"), HasSubstr("no multiple of groups=2"));
  EXPECT_THAT(problem("Conv2d(3, 64, 3, strid=2)"), HasSubstr("nearest: stride"));
  EXPECT_THAT(problem("Conv2d(3, 64, 3, padding_mode='reflect')"), HasSubstr("padding_mode"));
}

/// Statuses of a forward call that is pasted, and the rules that it breaks.
std::string ruling_on_pasted(const char* text) {
  CallTexts words;
  EXPECT_EQ(add_written_call(text, words), std::nullopt) << text;
  auto call = call_from_texts(words);
  EXPECT_TRUE(call) << (call ? "" : call.error());
  if (!call) return "";
  call->soc = "Ascend910B";
  const auto ruling = oracle::admissible_statuses(*call, oracle::Profile::Documented);
  std::string rules(corpus::name_of(call->api));
  for (const std::string& rule : ruling.broken_rules) rules += " " + rule;
  return rules;
}

TEST(WrittenCalls, OfForwardOperatorsHaveTheirOwnRules) {
  const std::pair<const char*, const char*> calls[] = {
      {"aclnnConvolution(input=[2, 3, 8, 8], weight=[8, 3, 3, 3], bias=[8], stride=[2, 2])",
       "aclnnConvolution"},
      {"aclnnConvolution(input=[2, 3, 8, 8], weight=[8, 3, 3, 3], bias=[7], stride=[2, 2])",
       "aclnnConvolution FW-BIAS-02"},
      {"aclnnConvolution(input=[1, 2, 9], weight=[4, 2, 3], padding=[1, 2])", "aclnnConvolution"},
      {"aclnnConvolution(input=[1, 2, 9], weight=[4, 2, 3], output=[1, 4, 8])",
       "aclnnConvolution FW-SHAPE-03"},
      {"aclnnConvTbc(self=[9, 2, 4], weight=[3, 4, 6], bias=[6], pad=1)", "aclnnConvTbc"},
      {"aclnnConvTbc(self=[9, 2, 4], weight=[3, 5, 6], bias=[6], pad=1)", "aclnnConvTbc FW-CH-06"},
      {"aclnnConvTbc(self=[9, 2, 4], weight=[3, 4, 6], pad=1)", "aclnnConvTbc FW-NULL-06"},
      {"aclnnConvDepthwise2d(self=[2, 4, 8, 8], weight=[8, 1, 3, 3], kernelSize=[3, 3])",
       "aclnnConvDepthwise2d"},
      {"aclnnConvDepthwise2d(self=[2, 4, 8, 8], weight=[6, 1, 3, 3], kernelSize=[3, 3])",
       "aclnnConvDepthwise2d FW-CH-04"},
      {"aclnnConvolution(input=[1, 2, 9, 9], weight=[4, 2, 3, 3], cubeMathType=9)",
       "aclnnConvolution FW-CUBE-01"},
  };
  for (const auto& [call, rules] : calls) EXPECT_EQ(ruling_on_pasted(call), rules) << call;
  CallTexts words;
  words.api = "aclnnAdd";
  EXPECT_THAT(call_from_texts(words).error(), HasSubstr("\"aclnnAdd\" is none of"));
}

}  // namespace
}  // namespace gradproof::advice
