// Each notation is translated by its own conventions, which docs/logs.md shows.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "oracle/rules/status_rules.h"
#include "properties/advice/explain/term.h"
#include "properties/advice/logs/call_table.h"
#include "properties/advice/logs/reading.h"

namespace gradproof::advice {
namespace {

using testing::Contains;
using testing::HasSubstr;

struct Translation {
  std::string notation, text, call;
};

const Translation translations[] = {
    {"module", "Conv2d(3, 8, kernel_size=(3, 3), groups=1) got x of torch.Size([2, 3, 9, 9])",
     "input:2,3,9,9 weight:8,3,3,3 groups:1 transposed:no bias:yes"},
    {"module",
     "m = nn.Conv1d(4, 6, 3, stride=2, bias=False); m(torch.zeros(5, 4, 20, dtype=torch.half))",
     "input:5,4,20 weight:6,4,3 stride:2 transposed:no bias:False dtype:torch.half"},
    // Either of two tensors fits; only one leads to the other.
    {"module",
     "m = ConvTranspose2d(4, 4, 2, stride=2)\nx = randn(1, 4, 5, 5)\ng = randn(1, 4, 10, 10)",
     "input:1,4,5,5 weight:4,4,2,2 stride:2 transposed:yes bias:yes"},
    {"cuDNN",
     "I! CuDNN (v8005) function cudnnConvolutionBackwardFilter() called:\n"
     "i!     xDesc: type=cudnnTensorDescriptor_t:\n"
     "i!         dataType: type=cudnnDataType_t; val=CUDNN_DATA_HALF (2);\n"
     "i!         dimA: type=int; val=[4,8,1,32];\n"
     "i!         strideA: type=int; val=[256,32,32,1];\n"
     "i!     dyDesc: type=cudnnTensorDescriptor_t:\n"
     "i!         dimA: type=int; val=[4,6,1,16];\n"
     "i!     convDesc: type=cudnnConvolutionDescriptor_t:\n"
     "i!         mode: type=cudnnConvolutionMode_t; val=CUDNN_CROSS_CORRELATION (1);\n"
     "i!         padA: type=int; val=[0,1];\n"
     "i!         strideA: type=int; val=[1,2];\n"
     "i!         dilationA: type=int; val=[1,1];\n"
     "i!         groupCount: type=int; val=2;\n"
     "i!     dwDesc: type=cudnnFilterDescriptor_t:\n"
     "i!         dimA: type=int; val=[6,4,1,3];\n",
     "input:4,8,1,32 weight:6,4,1,3 grad-output:4,6,1,16 stride:1,2 padding:0,1 dilation:1,1 "
     "groups:2 mask:0,1,0 dtype:FLOAT16"},
    {"ConvolutionParams",
     "ConvolutionParams \n    data_type = CUDNN_DATA_HALF\n    padding = [1, 2, 0]\n"
     "    stride = [2, 1, 0]\n    dilation = [1, 1, 0]\n    groups = 1\n"
     "input: TensorDescriptor 0x1\n    nbDims = 4\n    dimA = 2, 16, 9, 9, \n    strideA = 1, 2, "
     "3, 4, \n"
     "output: TensorDescriptor 0x2\n    dimA = 2, 8, 5, 11, \n"
     "weight: FilterDescriptor 0x3\n    dimA = 8, 16, 3, 3, \n",
     "input:2,16,9,9 weight:8,16,3,3 grad-output:2,8,5,11 stride:2,1 padding:1,2 dilation:1,1 "
     "groups:1 dtype:FLOAT16"},
    {"MIOpen",
     "MIOpen(HIP): miopenStatus_t miopenConvolutionBackwardWeights(miopenHandle_t){\n"
     "dyDesc = 1, 8, 4, 3\ndwDesc = 8, 2, 3, 3\nconvDesc = miopenConvolution, 1, 2, 2, 3, 1, 1, \n"
     "xDesc = 1, 4, 8, 7\n}\n",
     "input:1,4,8,7 weight:8,2,3,3 grad-output:1,8,4,3 stride:2,3 padding:1,2 dilation:1,1 "
     "groups:2 "
     "mask:0,1,0"},
    {"MIOpenDriver",
     "./bin/MIOpenDriver convfp16 -n 4 -c 6 -H 10 -W 12 -k 8 -y 3 -x 5 -p 1 -q 2 -u 2 -v 1 -l 1 -j "
     "1 "
     "-m conv -g 2 -F 4 -t 1",
     "input:4,6,10,12 weight:8,3,3,5 stride:2,1 padding:1,2 dilation:1,1 groups:2 mask:0,1,0 "
     "dtype:FLOAT16"},
    // dh1 is our dilation 2.
    {"oneDNN",
     "onednn_verbose,primitive,exec,cpu,convolution,jit:avx2,backward_weights,src:f32::blocked:"
     "abcd::f0 "
     "wei:f32::blocked:abcd::f0 bia:f32::blocked:a::f0 "
     "dst:f32::blocked:abcd::f0,,alg:convolution_direct,"
     "mb2_ic3oc8_ih20oh16kh3sh1dh1ph0_iw20ow10kw3sw2dw0pw1,0.5",
     "input:2,3,20,20 weight:8,3,3,3 grad-output:2,8,16,10 stride:1,2 padding:0,1 dilation:2,1 "
     "groups:1 bias:yes mask:0,1,1 dtype:f32"},
    // The end is padded by one more.
    {"oneDNN",
     "dnnl_verbose,exec,cpu,convolution,jit,backward_data,src_bf16::blocked:abcd:f0 "
     "wei_bf16::blocked:abcd:f0 dst_f32::blocked:abcd:f0,,alg:convolution_direct,"
     "g2mb1_ic4oc6_ih8oh4kh3sh2dh0ph0_iw9ow4kw3sw2dw0pw0,1",
     "input:1,4,8,9 weight:6,2,3,3 grad-output:1,6,4,4 stride:2,2 padding:0,1,0,0 dilation:1,1 "
     "groups:2 mask:1,0,0 dtype:f32,bf16,bf16"},
    {"oneDNN",
     "onednn_verbose,exec,cpu,deconvolution,jit,backward_data,src_f32::a dst_f32::a wei_f32::a,,,"
     "mb1_ic4oc6_iw5ow11kw3sw2dw0pw0,1",
     "input:1,4,5 weight:4,6,3 grad-output:1,6,11 stride:2 padding:0 dilation:1 groups:1 "
     "transposed:yes mask:1,0,0 dtype:f32"},
    {"benchdnn", "./benchdnn --conv --dir=BWD_WB --dt=bf16 g2ic8iw30oc4ow28kw3pw0n\"a_name\"",
     "input:2,8,30 weight:4,4,3 grad-output:2,4,28 stride:1 padding:0 dilation:1 groups:2 bias:yes "
     "mask:0,1,1 dtype:bf16"},
    {"aten in XLA",
     "%2 = (bf16[2,4,9,9]{3,2,1,0}, bf16[6,4,3,3]{0,1,3,2}, bf16[6]{0}) "
     "aten::convolution_backward_overrideable(%1, %7, %8), num_outputs=3, stride=(1, 1), "
     "padding=(1, 1), dilation=(1, 1), transposed=0, output_padding=(0, 0), groups=1",
     "input:2,4,9,9 weight:6,4,3,3 stride:1,1 padding:1,1 dilation:1,1 output-padding:0,0 groups:1 "
     "transposed:0 bias:yes dtype:bf16"},
    {"HLO",
     "%c = f32[2,10,6,8]{3,2,1,0} convolution(f32[2,20,12,3]{3,2,1,0} %x, f32[3,3,3,8]{3,2,1,0} "
     "%w), "
     "window={size=3x3 stride=2x2 pad=0_1x0_1}, dim_labels=b01f_01io->b01f",
     "input:2,3,20,12 weight:8,3,3,3 grad-output:2,8,10,6 stride:2,2 padding:0,1,0,1 "
     "dtype:f32"},
    {"printed arguments",
     "x: input.shape = (2, 4, 8), weight=(6, 4, 3), stride 2, padding: 1 dilation=[1]",
     "input:2,4,8 weight:6,4,3 stride:2 padding:1 dilation:1"},
};

TEST(Notations, AreTranslated) {
  for (const Translation& translation : translations) {
    const auto read = reading_of(translation.text);
    ASSERT_TRUE(read.has_value()) << translation.text;
    ASSERT_EQ(read->calls.size(), 1U) << translation.text << "\n" << reading_text(*read);
    const FoundCall& call = read->calls[0];
    EXPECT_EQ(call.notation, translation.notation);
    EXPECT_EQ(call.line_of_words(), translation.call) << reading_text(*read);
    EXPECT_TRUE(call.is_complete()) << reading_text(*read);
  }
}

TEST(Notations, LackWhatTheTextDoesNotState) {
  const Translation partial[] = {
      {"CUTLASS", "cutlass_profiler --operation=Conv2d --n=4 --c=6 --h=10 --w=12 --k=8 --r=3 --s=5",
       "--pad_w"},
      {"HLO",
       "%c = f32[2,4,9,9] convolution(f32[2,6,7,7] %x, f32[4,6,3,3] %w), window={size=3x3 "
       "pad=2_2x2_2 "
       "rhs_reversal=1x1}, dim_labels=bf01_oi01->bf01",
       "rhs_reversal"},
      {"cuDNN",
       "I! CuDNN (v8) function cudnnConvolutionForward() called:\ni! xDesc: t:\n"
       "i! dimA: type=int; val=[1,2,4,4];\ni! wDesc: t:\ni! dimA: type=int; val=[2,2,3,3];\n"
       "i! convDesc: t:\ni! mode: t; val=CUDNN_CONVOLUTION (0);\ni! padA: type=int; val=[0,0];\n"
       "i! strideA: type=int; val=[1,1];\ni! dilationA: type=int; val=[1,1];\n",
       "flips the kernel"},
      {"oneDNN",
       "onednn_verbose,exec,cpu,convolution,jit,forward,src_f32 wei_f32 dst_f32,,,"
       "mb1_ic2oc2_id4od4kd3sd1dd0pd0_ih4oh4kh3sh1dh0ph1_iw4ow4kw3sw1dw0pw1,1",
       "at their ends"},
  };
  for (const Translation& one : partial) {
    const auto read = reading_of(one.text);
    ASSERT_TRUE(read && read->calls.size() == 1) << one.text;
    EXPECT_EQ(read->calls[0].notation, one.notation);
    EXPECT_THAT(read->calls[0].lacking, Contains(HasSubstr(one.call))) << reading_text(*read);
  }
}

TEST(Notations, TakeATypedInputForTheLayerThatLacksOne) {
  const Given given{.input = "1,3,16,16"};
  const auto read =
      reading_of("Target module Conv2d(3, 8, kernel_size=(3, 3)) is not supported", given);
  ASSERT_TRUE(read && read->calls.size() == 1);
  EXPECT_TRUE(read->calls[0].is_complete());
  EXPECT_EQ(read->calls[0].words.input, "1,3,16,16");
  const auto two = reading_of("Conv2d(3, 8, 3)\nConv2d(3, 4, 3)", given);
  ASSERT_TRUE(two && two->calls.size() == 2);
  for (const FoundCall& call : two->calls) EXPECT_FALSE(call.is_complete());
}

TEST(Notations, GiveNoLayerATensorOfSeveral) {
  const auto read = reading_of("Conv2d(3, 8, 3)\nConv2d(8, 4, 3)\nx = torch.rand(1, 3, 9, 9)");
  ASSERT_TRUE(read && read->calls.size() == 2);
  for (const FoundCall& call : read->calls) EXPECT_FALSE(call.is_complete());
}

TEST(Notations, TellACallOnceThatIsLoggedAgain) {
  const std::string line = "benchdnn --conv mb1ic2ih5oc2kh3ph0\n";
  const auto read = reading_of(line + line + "benchdnn --conv mb1ic2ih6oc2kh3ph0\n");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->calls.size(), 2U);
}

TEST(Notations, StandOnThePage) {
  std::ifstream stream(std::string(GRADPROOF_SOURCES) + "/docs/logs.md");
  const std::string page(std::istreambuf_iterator<char>(stream), {});
  for (const CallRow& row : call_rows()) {
    EXPECT_THAT(page, HasSubstr(fmt::format("| {} | `{}` |\n", row.notation, row.looks_like)));
  }
  const std::string begin = "| notation |";
  const std::string table =
      page.substr(page.find(begin), page.find("\n\n", page.find(begin)) - page.find(begin));
  EXPECT_EQ(std::ranges::count(table, '\n'), std::ssize(call_rows()) + 1) << table;
}

TEST(Signs, NameRulesThatThereAre) {
  for (const Sign& sign : all_signs()) {
    EXPECT_FALSE(sign.meaning.empty()) << sign.phrases;
    const auto& rules = oracle::all_status_rules();
    const bool is_rule =
        std::ranges::any_of(rules, [&](const auto& rule) { return rule.id == sign.rule; });
    EXPECT_TRUE(sign.rule.empty() || is_rule) << sign.rule;
  }
}

TEST(Statements, SayThatABareAscend910MayBeAnother) {
  const auto read =
      reading_of("device: Ascend910, call aclnnConvolutionBackward failed, status 561103");
  ASSERT_TRUE(read.has_value());
  EXPECT_THAT(reading_text(*read), HasSubstr("which may mean a 910, a 910B or an A3"));
  EXPECT_THAT(read->lacking, Contains("product"));
  const auto board =
      reading_of("on an Atlas 800T A2 server: aclnnConvolutionBackward failed: 161002");
  ASSERT_TRUE(board && board->product);
  EXPECT_EQ(board->product->product, corpus::Product::Ascend910B);
}

TEST(Statements, AreCodesOnlyWhereTheLineSpeaksOfOne) {
  EXPECT_THAT(reading_of("161002 tokens were read")->codes, testing::IsEmpty());
  EXPECT_THAT(reading_of("took 0.161002 ms, err")->codes, testing::IsEmpty());
  EXPECT_THAT(reading_of("[ERROR] (PID:507018, Device:4) failed")->codes, testing::IsEmpty());
  EXPECT_THAT(reading_of("error: JOB 507015 CANCELLED, 207001 bytes cut")->codes,
              testing::IsEmpty());
  EXPECT_THAT(reading_of("ret = 107002, then error code 200001")->codes,
              testing::ElementsAre("107002", "200001"));
  for (const char* code :
       {"161001", "161002", "561103", "507015", "107002", "200001", "EZ1001", "E69999"}) {
    EXPECT_TRUE(name_of_code(code).has_value()) << code;
  }
}

TEST(Signs, AreNoQuestions) {
  const auto asked =
      reading_of("somebody says 507011 is out of memory, is that so?\nstatus 507011");
  EXPECT_THAT(asked->kinds, testing::Not(Contains(LogKind::OutOfMemory)));
  for (const char* said : {"RuntimeError: NPU out of memory. Tried to allocate 2 GiB",
                           "why is it RuntimeError: NPU out of memory?"})
    EXPECT_THAT(reading_of(said)->kinds, Contains(LogKind::OutOfMemory)) << said;
}

TEST(Signs, TellTheGraphEngineWithoutAnOperator) {
  const auto read = reading_of(
      "[ERROR] GE(1,python): GetDNNEngineName: ErrorNo: 1343242282(assign engine failed)");
  ASSERT_TRUE(read.has_value());
  EXPECT_THAT(read->kinds, testing::ElementsAre(LogKind::GraphOperator));
  EXPECT_THAT(read->lacking, Contains("operator"));
}

TEST(Statements, NameTheOperatorThatFailedFirst) {
  const auto read = reading_of(
      "DEBUG aclnnConvolutionBackwardGetWorkspaceSize loaded\ncall aclnnAdd failed, error code "
      "561103");
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->operators.size(), 2U);
  EXPECT_EQ(read->operators[0].name, "aclnnAdd");
  EXPECT_THAT(read->kinds, Contains(LogKind::OtherOperator));
}

TEST(Statements, NameNoRuleOfOursForAnotherOperator) {
  const auto read = reading_of("call aclnnPad failed: 161002, negative padding is not supported");
  ASSERT_TRUE(read.has_value());
  EXPECT_THAT(read->rules, testing::IsEmpty());
}

}  // namespace
}  // namespace gradproof::advice
