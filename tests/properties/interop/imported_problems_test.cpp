// What other tools' files cannot say is named with its place, and the other cases are kept.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "tests/properties/interop/foreign_samples.h"
#include "tests/properties/interop/foreign_text.h"

namespace gradproof::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Spoiled {
  const char* pointer;  ///< of the second case
  Json value;
  const char* key;
  const char* words;
};

TEST(Atk, NamesWhatCannotBeSaidAndKeepsTheOthers) {
  const Spoiled table[] = {
      {"/inputs/0/dtype", "flaot16", "[1].inputs[0] (gradOutput)", "nearest: FLOAT16"},
      {"/inputs/1/shape/2", "x", "[1].inputs[1] (input)", "is no list of integers"},
      {"/inputs/1/shape/0", -1, "[1].inputs[1] (input)", "negative length"},
      {"/inputs/1/shape/0", std::int64_t{1} << 62, "[1].inputs[1] (input)", "overflows 64 bits"},
      {"/inputs/1/range_values", {-1, "inf"}, "[1].inputs[1] (input)", "no range of finite"},
      {"/inputs/1/range_values", {2, 1}, "[1].inputs[1] (input)", "no range of finite"},
      {"/inputs/1/outlier_values", {1e30}, "[1].inputs[1] (input)", "outliers"},
      {"/inputs/2/name", "kernel", "[1].inputs[2]", "\"kernel\" is no argument"},
      {"/inputs/4", atk_attribute("groups", 1), "[1]", "stride is missing"},
      {"/inputs/7/range_values", 2, "[1].inputs[7] (transposed)", "neither true nor false"},
      {"/inputs/9/range_values", 1e12, "[1].inputs[9] (groups)", "is no integer"},
      {"/inputs/12/range_values", "NHCW", "[1].inputs[0] (gradOutput)", "nearest: NCHW"},
      {"/inputs", 5, "[1]", "a list \"inputs\""},
  };
  for (const Spoiled& one : table) {
    Json file = Json::parse(sample("atk.json"));
    file[1][Json::json_pointer(one.pointer)] = one.value;
    const ImportedCases read = imported(file.dump());
    EXPECT_EQ(read.cases.size(), 1U) << one.pointer;
    ASSERT_EQ(read.problems.size(), 1U) << one.pointer;
    EXPECT_EQ(read.problems[0].file, "FILE");
    EXPECT_EQ(read.problems[0].key, one.key);
    EXPECT_THAT(read.problems[0].problem, HasSubstr(one.words)) << one.pointer;
  }
}

TEST(Atk, NamesOtherOperators) {
  Json file = Json::parse(sample("atk.json"));
  file[0]["aclnn_name"] = "Cat";
  const ImportedCases read = imported(file.dump());
  EXPECT_EQ(read.cases.size(), 1U);
  EXPECT_THAT(read.other_operators, ElementsAre("Cat"));
}

TEST(Ttk, NamesLineAndColumnOfWhatCannotBeSaid) {
  struct Row {
    const char *was, *is, *key, *words;
  };
  const Row table[] = {
      {"((2,3,4),", "((2,3,4,", "tensor_view_shapes", "not a Python literal"},
      {"(2,2,5),", "", "tensor_view_shapes", "expected the shapes"},
      {"'bfloat16',", "'bf61',", "gradOutput", "is no dtype"},
      {"'stride':1", "'stride':'fast'", "attributes.stride", "is no list of integers"},
      {"'stride':1", "'strides':1", "attributes.strides", "no argument"},
      {"'groups':1,", "", "", "groups is missing"},
  };
  for (const Row& one : table) {
    std::string text = sample("ttk.csv");
    const std::size_t at = text.rfind(one.was);
    ASSERT_NE(at, std::string::npos) << one.was;
    text.replace(text.find(one.was, text.find("by_torch")), std::string(one.was).size(), one.is);
    const ImportedCases read = imported(text);
    EXPECT_EQ(read.cases.size(), 1U) << one.words;
    ASSERT_EQ(read.problems.size(), 1U) << one.words;
    EXPECT_EQ(read.problems[0].line, 3U);
    EXPECT_EQ(read.problems[0].key, one.key);
    EXPECT_THAT(read.problems[0].problem, HasSubstr(one.words));
  }
}

TEST(Ttk, CountsTheLinesOfQuotedFields) {
  const ImportedCases read =
      imported("testcase_name,api_name\n\"two\nlines\",aclnnCat\n\na,aclnnConvolutionBackward\n");
  ASSERT_EQ(read.problems.size(), 1U);
  EXPECT_EQ(read.problems[0].line, 5U);
}

TEST(Ttk, RefusesWhatHasNoEndAndItsKernelMode) {
  const auto open = advice::imported_cases(ttk_header + "a,\"b\n", "FILE");
  ASSERT_TRUE(open);
  ASSERT_FALSE(*open);
  EXPECT_EQ(open->error().text(), "FILE:2: a quote \" begins here and does not end");
  const auto kernel = advice::imported_cases("testcase_name,op_name\na,Conv3D\n", "FILE");
  ASSERT_TRUE(kernel);
  EXPECT_THAT(kernel->error().text(), HasSubstr("kernel mode are not"));
}

TEST(Msprobe, ReadsPaddingInWordsOnlyWhereItIsNone) {
  Json dump = Json::parse(sample("dump.json"));
  Json& padding = dump["data"]["Functional.conv2d.0.forward"]["input_args"][4];
  padding = {{"type", "str"}, {"value", "valid"}};
  dump["data"].erase("Functional.conv2d.0.backward");
  EXPECT_EQ(imported(dump.dump()).cases.at(0).padding, (std::vector<std::int64_t>{0, 0}));
  padding["value"] = "same";
  const ImportedCases read = imported(dump.dump());
  ASSERT_EQ(read.problems.size(), 1U);
  EXPECT_THAT(read.problems[0].problem, HasSubstr("\"same\": write the padding as numbers"));
}

TEST(Msprobe, SaysThatModulesLackTheirAttributes) {
  Json dump = Json::parse(sample("dump.json"));
  dump["level"] = "L0";
  dump["data"]["Module.conv1.Conv2d.forward.0"] = dump["data"]["Functional.conv2d.0.forward"];
  const ImportedCases read = imported(dump.dump());
  ASSERT_EQ(read.problems.size(), 1U);
  EXPECT_EQ(read.problems[0].key, "data.Module.conv1.Conv2d.forward.0");
  EXPECT_THAT(read.problems[0].problem, HasSubstr("L1 or mix"));
}

TEST(ProfilerTrace, SaysHowToRecordWhatIsLacking) {
  for (const auto& [key, words] : {std::pair{"Input Dims", "record_shapes=True"},
                                   std::pair{"Concrete Inputs", "PyTorch 2.1"}}) {
    Json trace = Json::parse(sample("trace.json"));
    for (Json& event : trace["traceEvents"]) event["args"].erase(key);
    const ImportedCases read = imported(trace.dump());
    EXPECT_THAT(read.cases, IsEmpty());
    ASSERT_EQ(read.problems.size(), 1U);  // said once, of the first
    EXPECT_THAT(read.problems[0].problem, HasSubstr(words));
    EXPECT_EQ(read.problems[0].key, "traceEvents[1]");
  }
}

TEST(ImportedCasesOf, LeaveOtherFilesAlone) {
  for (const char* text :
       {"", "\n", "{\"id\":\"a\"}\n{\"id\":\"b\"}\n", "{\"api\":1}", "plain", "{"}) {
    EXPECT_FALSE(advice::imported_cases(text, "FILE")) << text;
  }
  for (const char* text : {"[", "[1]", "[{\"a\":1}]"}) {
    const auto read = advice::imported_cases(text, "FILE");
    ASSERT_TRUE(read) << text;
    EXPECT_FALSE(*read) << text;
  }
  EXPECT_FALSE(*advice::imported_cases(std::string(100'000, '['), "FILE"));
  EXPECT_FALSE(advice::imported_cases(
      "testcase_nam,api_name,tensor_view_shapes\n" + std::string(100'000, '('), "FILE"));
}

TEST(Ttk, RefusesLiteralsThatAreTooDeep) {
  const ImportedCases read = imported(
      "testcase_name,api_name,tensor_view_shapes\na,"
      "aclnnConvolutionBackward,\"" +
      std::string(100'000, '(') + "\"\n");
  ASSERT_EQ(read.problems.size(), 1U);
  EXPECT_THAT(read.problems[0].problem, HasSubstr("less nested"));
}

}  // namespace
}  // namespace gradproof::tests
