// The twenty kinds of texts that people paste, each written for this test in the form that the
// programs print: what is recognised, what is given, what is lacking, and that no call is invented.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "properties/advice/explain/explanation.h"
#include "properties/advice/logs/reading.h"

namespace gradproof::advice {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAreArray;
using testing::IsSupersetOf;
using enum LogKind;

const fs::path samples = fs::path(GRADPROOF_SOURCES) / "tests/properties/logs/samples";

std::string contents(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct ExpectedCall {
  std::string line;                ///< without what is not asked
  std::vector<std::string> rules;  ///< broken on Ascend910B
  std::string notation;
};

struct Sample {
  const char* file;
  std::vector<LogKind> kinds = {};
  std::string operator_name = {};  ///< empty: none is named
  Relation relation = Relation::Another;
  std::vector<std::string> codes = {}, rules = {};
  std::string product = {}, cann = {};    ///< empty: not stated
  std::vector<ExpectedCall> calls = {};   ///< all complete ones
  std::size_t parts = 0;                  ///< calls that are not complete
  std::vector<std::string> lacking = {};  ///< at least
};

void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.file; }

const std::vector<std::string> whole_call{"shapes", "dtypes",
                                          "attributes (stride, padding, dilation, groups)"};

std::vector<std::string> whole_call_and(std::vector<std::string> more) {
  more.insert(more.end(), whole_call.begin(), whole_call.end());
  return more;
}

const Sample table[] = {
    {.file = "01-graph-filter-format",
     .kinds = {GraphOperator},
     .operator_name = "Conv3DBackpropFilter",
     .relation = Relation::GraphGradient,
     .codes = {"E69999"},
     .product = "Ascend910B2C",
     .cann = "8.0.T41",
     .lacking = whole_call_and({"an aclnn status"})},
    {.file = "02-graph-forward-bf16",
     .kinds = {GraphOperator},
     .operator_name = "Conv3D",
     .relation = Relation::GraphForward,
     .codes = {"500002"},
     .lacking = whole_call_and({"product", "CANN version"})},
    {.file = "03-old-version-groups",
     .kinds = {VersionLimit},
     .operator_name = "aclnnConvolution",
     .relation = Relation::Forward,
     .codes = {"EZ1001"},
     .cann = "8.0.RC3",
     .lacking = whole_call_and({"product"})},
    {.file = "04-graph-channels",
     .kinds = {GraphOperator, Parameter},
     .operator_name = "Conv2DBackpropFilterD",
     .relation = Relation::GraphGradient,
     .rules = {"CH-02"},
     .lacking = whole_call_and({"product"})},
    {.file = "05-device-fault-grouped",
     .kinds = {DeviceFault, Call},
     .codes = {"507015"},
     .calls = {{"input:2,4,9,9 weight:8,4,3,3 stride:1,1 padding:0,0 groups:4",
                {"CH-02"},
                "printed arguments"},
               {"input:2,4,9,9 weight:8,1,3,3 stride:1,1 padding:0,0 groups:4",
                {},
                "printed arguments"}},
     .lacking = {"product", "CANN version", "dtypes"}},
    {.file = "06-crash-phase-one",
     .kinds = {Crash},
     .operator_name = "aclnnConvolutionBackward",
     .relation = Relation::Itself,
     .lacking = whole_call_and({"product", "CANN version"})},
    {.file = "07-other-operator-null",
     .kinds = {OtherOperator},
     .operator_name = "aclnnCausalConv1d",
     .codes = {"161001"},
     .cann = "9.0.0",
     .lacking = {"shapes", "dtypes"}},
    {.file = "08-other-operator-installation",
     .kinds = {OtherOperator, Installation},
     .operator_name = "aclnnInplaceZero",
     .codes = {"561103", "EZ9999"},
     .lacking = {"product", "CANN version"}},
    {.file = "09-product-refused",
     .kinds = {Product},
     .operator_name = "aclnnConvolution",
     .relation = Relation::Forward,
     .codes = {"161002", "EZ1001"},
     .rules = {"PROD-01"},
     .product = "Ascend310B",
     .lacking = whole_call_and({"CANN version"})},
    {.file = "10-out-of-memory", .kinds = {OutOfMemory}, .lacking = {"operator"}},
    // That numbers differ is not in the text: its other facts are.
    {.file = "11-script-transposed",
     .kinds = {Call},
     .calls = {{"input:8,32,40,40 weight:32,32,2,2 stride:2 transposed:yes bias:yes",
                {},
                "Paddle, transposed"}},
     .lacking = {"product", "dtypes"}},
    {.file = "12-graph-dynamic-shape",
     .kinds = {GraphOperator},
     .operator_name = "Conv3DTranspose",
     .relation = Relation::GraphForward,
     .codes = {"E60108"},
     .cann = "8.0.RC1.alpha002",
     .lacking = whole_call_and({"product"})},
    {.file = "13-exact-nonsense",
     .kinds = {Crash, Call},
     .operator_name = "aten::convolution_backward",
     .relation = Relation::Framework,
     .calls = {{"input:2,6,9 weight:2,6,9 grad-output:4,5,3 stride:60000 padding:1 "
                "dilation:268435456 output-padding:939524096 groups:0 transposed:True bias-sizes:1 "
                "mask:0,1,1 dtype:double",
                {"DTYPE-01", "DTYPE-02", "OPAD-02", "GRP-01", "CH-01", "CH-05", "SHAPE-01",
                 "SHAPE-03", "SHAPE-04"},
                "printed arguments"}}},
    {.file = "14-snippet-false-tail",
     .kinds = {Call},
     .calls = {{"input:16,256,14,14 weight:1024,256,1,1 stride:1,1 padding:0,0 dilation:1,1 "
                "groups:1 transposed:no bias:yes dtype:torch.float",
                {},
                "module"}},
     .lacking = {"product"}},
    {.file = "15-channels-last",
     .kinds = {Parameter, Call},
     .rules = {"CH-02"},
     .parts = 1,
     .lacking = {"stride", "padding", "dilation", "dtypes", "product"}},
    {.file = "16-output-padding",
     .kinds = {Parameter, Call},
     .rules = {"OPAD-02"},
     .calls = {{"input:2,5,7 weight:5,6,3 output-padding:1 transposed:yes bias:yes",
                {"OPAD-02", "SHAPE-03"},
                "module"}},
     .lacking = {"product"}},
    {.file = "17-module-alone",
     .kinds = {Framework, Call},
     .parts = 1,
     .lacking = {"the shape of the layer's input (--input N,C,...)", "dtypes", "product"}},
    {.file = "18-graph-dump",
     .kinds = {Call},
     .operator_name = "aten::convolution_backward_overrideable",
     .relation = Relation::Framework,
     .calls = {{"input:64,64,8,1 weight:128,64,2,1 grad-output:64,128,4,1 stride:2,1 padding:0,0 "
                "dilation:1,1 output-padding:0,0 groups:1 transposed:0 bias:yes dtype:f32",
                {},
                "aten in XLA"}},
     .lacking = {"product"}},
    {.file = "19-benchdnn",
     .kinds = {Precision, Call},
     .calls = {{"input:16,6,24,24 weight:5,6,1,1 grad-output:16,5,12,12 stride:2,2 padding:0,0 "
                "dilation:1,1 groups:1 mask:0,1,0 dtype:f32",
                {},
                "benchdnn"},
               {"input:16,6,24,24 weight:5,6,1,1 grad-output:16,5,24,24 stride:1,1 padding:0,0 "
                "dilation:1,1 groups:1 mask:0,1,0 dtype:f32",
                {},
                "benchdnn"}},
     .lacking = {"product"}},
    {.file = "20-api-log",
     .kinds = {Call},
     .calls = {{"input:2,12,1,3 weight:24,12,3,3 grad-output:2,24,1,3 stride:1,1 padding:1,1 "
                "dilation:1,1 mask:1,0,0",
                {},
                "MIOpen"}},
     .lacking = {"dtypes", "product"}},
};

std::vector<std::string> broken_on_910b(const FoundCall& found) {
  auto call = call_from_words(found.words);
  EXPECT_TRUE(call.has_value());
  if (!call) return {};
  call->soc = "Ascend910B";
  std::vector<std::string> ids;
  for (const auto& rule : explanation_of(*call, {}).broken) ids.emplace_back(rule.id);
  return ids;
}

class LogSample : public testing::TestWithParam<Sample> {
 protected:
  void SetUp() override {
    const auto read = reading_of(contents(samples / (std::string(GetParam().file) + ".txt")));
    ASSERT_TRUE(read.has_value()) << read.error();
    reading = *read;
  }

  Reading reading;
};

TEST_P(LogSample, IsOfItsKind) { EXPECT_THAT(reading.kinds, ElementsAreArray(GetParam().kinds)); }

TEST_P(LogSample, StatesWhatItStates) {
  const Sample& sample = GetParam();
  ASSERT_EQ(reading.operators.empty(), sample.operator_name.empty());
  if (!sample.operator_name.empty()) {
    EXPECT_EQ(reading.operators[0].name, sample.operator_name);
    EXPECT_EQ(words_of(reading.operators[0].relation), words_of(sample.relation));
  }
  EXPECT_EQ(reading.product ? reading.product->word : "", sample.product);
  std::string cann;
  for (const StatedVersion& one : reading.versions) cann += one.of == "CANN" ? one.version : "";
  EXPECT_EQ(cann, sample.cann);
  EXPECT_THAT(reading.codes, ElementsAreArray(sample.codes));
}

TEST_P(LogSample, NamesTheRuleThatItsMessageStates) {
  std::vector<std::string> rules;
  for (const NamedRule& named : reading.rules) rules.emplace_back(named.rule);
  EXPECT_THAT(rules, ElementsAreArray(GetParam().rules));
}

TEST_P(LogSample, HoldsItsCallsAndNoOther) {
  const Sample& sample = GetParam();
  std::size_t complete = 0;
  for (const FoundCall& call : reading.calls) {
    if (!call.is_complete()) continue;
    ASSERT_LT(complete, sample.calls.size()) << call.line_of_words();
    const ExpectedCall& expected = sample.calls[complete++];
    EXPECT_EQ(call.line_of_words(), expected.line);
    EXPECT_EQ(call.notation, expected.notation);
    EXPECT_THAT(broken_on_910b(call), ElementsAreArray(expected.rules));
  }
  EXPECT_EQ(complete, sample.calls.size());
  EXPECT_EQ(reading.calls.size() - complete, sample.parts);
}

TEST_P(LogSample, LacksWhatHasToBeAskedFor) {
  EXPECT_THAT(reading.lacking, IsSupersetOf(GetParam().lacking));
}

INSTANTIATE_TEST_SUITE_P(Table, LogSample, testing::ValuesIn(table), [](const auto& info) {
  std::string name = info.param.file;
  std::erase(name, '-');
  return name;
});

TEST(LogSamples, AreTwentyAndAllHaveARow) {
  std::vector<std::string> files, rows;
  for (const auto& entry : fs::directory_iterator(samples)) files.push_back(entry.path().stem());
  for (const Sample& sample : table) rows.emplace_back(sample.file);
  EXPECT_EQ(rows.size(), 20U);
  EXPECT_THAT(files, testing::UnorderedElementsAreArray(rows));
}

}  // namespace
}  // namespace gradproof::advice
