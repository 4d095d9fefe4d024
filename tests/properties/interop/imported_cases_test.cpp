// Other tools' case files become cases of ours, and what they cannot say is said.

#include "properties/advice/interop/imported_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "corpus/case_json.h"
#include "tests/properties/interop/foreign_samples.h"
#include "tests/properties/interop/foreign_text.h"

namespace gradproof::tests {
namespace {

using testing::IsEmpty;

std::vector<corpus::Case> published(const std::string& name) {
  const auto cases =
      corpus::read_cases(std::string(GRADPROOF_SOURCES) + "/corpus/cases/published/" + name);
  if (!cases) throw std::runtime_error(cases.error().text());
  return *cases;
}

/// What an import cannot know, left out.
corpus::Case comparable(corpus::Case one) {
  one.id = one.source = "";
  one.soc = "Ascend910B";
  one.expect.reset();
  return one;
}

std::string line_of(const corpus::Case& one) { return corpus::to_json_line(one); }

TEST(Atk, GivesThePublishedCasesBack) {
  const auto cases = published("atk.jsonl");
  Json file = Json::array();
  for (std::size_t i = 0; i < cases.size(); ++i) file.push_back(atk_case(cases[i], i));
  const ImportedCases read = imported(file.dump());
  EXPECT_THAT(read.problems, IsEmpty());
  ASSERT_EQ(read.cases.size(), 215U);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(line_of(comparable(read.cases[i])), line_of(comparable(cases[i])));
  }
}

TEST(Ttk, GivesThePublishedCasesBack) {
  const auto cases = published("ttk.jsonl");
  std::string file = ttk_header;
  for (const corpus::Case& one : cases) file += ttk_row(one);
  const ImportedCases read = imported(file);
  EXPECT_THAT(read.problems, IsEmpty());
  ASSERT_EQ(read.cases.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(line_of(comparable(read.cases[i])), line_of(comparable(cases[i])));
    EXPECT_EQ(read.cases[i].id, cases[i].id);
    EXPECT_EQ(read.cases[i].source, "TTK, FILE:" + std::to_string(i + 2));
  }
}

TEST(Ttk, ReadsCallsOfTorch) {
  const corpus::Case one = imported(sample("ttk.csv")).cases.at(1);
  EXPECT_EQ(one.input->dtype, corpus::DataType::BFloat16);
  EXPECT_FALSE(one.bias_sizes);
  EXPECT_EQ(one.output_mask, (std::vector{true, true, false}));
  EXPECT_EQ(one.stride, (std::vector<std::int64_t>{1}));
  EXPECT_EQ(one.grad_input->shape, one.input->shape);
  EXPECT_FALSE(one.data);
}

TEST(Ttk, PassesOverWhatIsSwitchedOffAndReadsBareBrackets) {
  std::string text = sample("ttk.csv");
  text.replace(text.find("\"(3,4,5)\",\"((-1,1),)\",True"), 26, "(3,4,5),((-1,1),),False");
  EXPECT_EQ(imported("\xEF\xBB\xBF" + text).cases.size(), 1U);  // with a byte order mark
  text.replace(text.find("False\n"), 6, "True\n");
  const ImportedCases read = imported(text);
  ASSERT_EQ(read.cases.size(), 2U);
  EXPECT_EQ(read.cases[0].data->range_high, 1);
}

TEST(Ttk, ReadsViews) {
  const ImportedCases read = imported(
      "testcase_name,api_name,tensor_view_shapes,tensor_dtypes,tensor_view_strides,"
      "tensor_view_offsets,tensor_storage_shapes,attributes\n"
      "view,aclnnConvolutionBackward,\"((1,1,3),(1,1,3),(1,1,1))\",\"('float32',)\","
      "\"((),(6,6,2),())\",\"(0,1,0)\",\"((),(1,1,7),())\",\"{'stride':1,'padding':0,'dilation':1,"
      "'transposed':False,'outputPadding':0,'groups':1,'outputMask':[True,True,False]}\"\n");
  ASSERT_EQ(read.cases.size(), 1U);
  const corpus::TensorCase& input = *read.cases[0].input;
  EXPECT_EQ(input.strides, (std::vector<std::int64_t>{6, 6, 2}));
  EXPECT_EQ(input.offset, 1);
  EXPECT_EQ(input.storage_shape, (std::vector<std::int64_t>{1, 1, 7}));
  EXPECT_FALSE(read.cases[0].weight->strides);
}

TEST(Msprobe, ReadsConvolutionsWithTheirBackwardPass) {
  const ImportedCases read = imported(sample("dump.json"));
  EXPECT_THAT(read.problems, IsEmpty());
  ASSERT_EQ(read.cases.size(), 1U);
  const corpus::Case& one = read.cases[0];
  EXPECT_EQ(one.id, "Functional.conv2d.0");
  EXPECT_EQ(one.stride, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(one.padding, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(one.output_mask, (std::vector{false, true, true}));  // input wants no gradient
  EXPECT_EQ(one.bias_sizes, (std::vector<std::int64_t>{4}));
  EXPECT_EQ(one.grad_output->shape, (std::vector<std::int64_t>{2, 4, 4, 4}));
  EXPECT_EQ(one.data->range_low, -0.25);
  EXPECT_EQ(one.data->range_high, 1.5);
}

TEST(Msprobe, ReadsTransposedConvolutionsInTheirOwnOrder) {
  Json dump = Json::parse(sample("dump.json"));
  Json& data = dump["data"];
  Json record = data["Functional.conv2d.0.forward"];
  data.clear();
  record["input_args"][1]["shape"] = {3, 4, 3, 3};
  Json& arguments = record["input_args"];
  arguments[5] = {{"type", "int"}, {"value", 1}};  // output_padding; groups follow
  record["input_kwargs"] = {{"dilation", {{"type", "tuple"}, {"value", "(2, 1)"}}}};
  data["Functional.conv_transpose2d.7.forward"] = record;
  const ImportedCases read = imported(dump.dump());
  ASSERT_EQ(read.cases.size(), 1U);
  EXPECT_TRUE(read.cases[0].transposed);
  EXPECT_EQ(read.cases[0].output_padding, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(read.cases[0].dilation, (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(read.cases[0].grad_output->shape, (std::vector<std::int64_t>{2, 4, 18, 16}));
}

TEST(ProfilerTrace, ReadsEachCallOnce) {
  const ImportedCases read = imported(sample("trace.json"));
  EXPECT_THAT(read.problems, IsEmpty());
  ASSERT_EQ(read.cases.size(), 1U);
  const corpus::Case& one = read.cases[0];
  EXPECT_EQ(one.id, "traceEvents[1]");
  EXPECT_EQ(one.input->dtype, corpus::DataType::Float16);
  EXPECT_EQ(one.bias_sizes, (std::vector<std::int64_t>{4}));
  EXPECT_EQ(one.output_mask, (std::vector{true, true, true}));
  EXPECT_FALSE(one.transposed);
}

TEST(ProfilerTrace, ReadsStridesAndNone) {
  Json trace = Json::parse(sample("trace.json"));
  Json& arguments = trace["traceEvents"][2]["args"];
  arguments["Input Strides"] = {{64, 16, 4, 1}, {192, 1, 24, 3}, {27, 9, 3, 1}};
  arguments["Concrete Inputs"][3] = "";
  arguments["Concrete Inputs"][10] = "[True, True, False]";
  const ImportedCases read = imported(trace.dump());
  ASSERT_EQ(read.cases.size(), 2U);
  EXPECT_EQ(read.cases[1].input->strides, (std::vector<std::int64_t>{192, 1, 24, 3}));
  EXPECT_FALSE(read.cases[1].weight->strides);
  EXPECT_FALSE(read.cases[1].bias_sizes);
}

}  // namespace
}  // namespace gradproof::tests
