#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "corpus/case_json.h"
#include "oracle/rules/status_rules.h"
#include "properties/advice/explain/call_from_texts.h"
#include "properties/advice/explain/call_text.h"
#include "properties/advice/explain/explanation.h"
#include "tests/properties/explain/explained_call.h"
#include "tests/spec/examples.h"

namespace gradproof::advice {
namespace {

using testing::Contains;
using testing::EndsWith;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<int> codes(const Explanation& explanation) {
  std::vector<int> result;
  for (const auto status : explanation.admitted.statuses) result.push_back(corpus::code(status));
  return result;
}

CallTexts asking_for_bias(CallTexts words) {
  words.bias = "yes";
  return words;
}

// ---- the examples of the specification

/// The answer is the code that the documents make due; every refusal says why, and where it is
/// written.
void expect_explained(const Explanation& answer, int status) {
  EXPECT_THAT(codes(answer), testing::ElementsAre(status));
  const std::string text = explanation_text({answer});
  EXPECT_THAT(text, HasSubstr(std::to_string(status)));
  if (status == 0) return;
  EXPECT_FALSE(answer.is_legal());
  ASSERT_THAT(answer.broken, Not(IsEmpty()));
  for (const auto& rule : answer.broken) {
    EXPECT_THAT(text, HasSubstr(std::string(rule.id)));
    EXPECT_THAT(text, HasSubstr(rule.words));
    EXPECT_FALSE(rule.source.empty());
  }
}

TEST(Explain, AnswersTheWorkedDecisions) {
  for (const spec::WorkedDecision& decision : spec::worked_decisions()) {
    SCOPED_TRACE(decision.call.id + " " + decision.note);
    const Explanation answer = explained(decision.call);
    expect_explained(answer, *decision.codes.documented);
    EXPECT_EQ(answer.is_legal(), *decision.codes.documented == 0);
  }
}

class ExplainedRules : public testing::TestWithParam<std::string> {};

TEST_P(ExplainedRules, AreNamedWhereACallBreaksThem) {
  const auto* const rule = oracle::status_rule_named(GetParam());
  ASSERT_NE(rule, nullptr);
  for (const spec::RuleExample* example : spec::examples_of(GetParam())) {
    if (!example->breaks || !example->codes.documented) continue;
    for (const auto& soc : example->products) {
      const Case test_case = spec::on(*example->breaks, soc);
      SCOPED_TRACE(spec::title(*example, test_case));
      const Explanation answer = explained(test_case);
      expect_explained(answer, *example->codes.documented);
      const bool is_named = rule->never_decides.empty() && *example->codes.documented != 0;
      if (is_named) {
        EXPECT_THAT(rule_ids(answer), Contains(GetParam()));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Specification, ExplainedRules,
                         testing::ValuesIn(spec::rules_with_examples()),
                         [](const auto& rule) { return spec::test_name(rule.param); });

TEST(Explain, AsksForBiasSizes) {
  Case test_case = typed(asking_for_bias(plain()));
  test_case.bias_sizes.reset();
  const Explanation answer = explained(test_case);
  EXPECT_THAT(rule_ids(answer), Contains("NULL-16"));
  EXPECT_THAT(answer.remedies, Contains(Field(&ChangedCall::words, HasSubstr("biasSizes [16]"))));
}

// ---- legal calls

TEST(Explain, SaysHowALegalCallIsComputed) {
  CallTexts words = shapes("2,3,224,224", "64,3,7,7", "FLOAT");
  words.stride = "2";
  words.padding = "3";
  words.cube_math_type = "2";
  const Explanation answer = explained(typed(asking_for_bias(words)));
  ASSERT_TRUE(answer.computation);
  const auto& gradients = answer.computation->gradients;
  ASSERT_EQ(gradients.size(), 3U);
  EXPECT_EQ(gradients[0].operands, "FLOAT16");
  EXPECT_EQ(gradients[0].roundings, std::vector<std::string>{"FLOAT16"});  // on its way to FLOAT
  EXPECT_THAT(gradients[1].roundings, IsEmpty());
  EXPECT_EQ(gradients[0].longest_sum, 64 * 4 * 4);
  EXPECT_EQ(gradients[1].longest_sum, 2 * 112 * 112);
  EXPECT_EQ(gradients[2].longest_sum, 2 * 112 * 112);
  EXPECT_EQ(gradients[1].multiply_accumulates, 2ULL * 64 * 112 * 112 * 3 * 49);
  EXPECT_EQ(gradients[2].multiply_accumulates, 2ULL * 64 * 112 * 112);
  // Products of FLOAT16 are exact: K - 1 additions of half a unit each.
  EXPECT_NEAR(gradients[0].sum_bound, (64 * 16 - 1) * 0x1p-24, 1e-7);
  EXPECT_EQ(gradients[0].output_rounding, 0x1p-11);
  EXPECT_EQ(gradients[0].operand_rounding, 0x1p-11);  // FLOAT to FLOAT16
  EXPECT_EQ(gradients[2].operand_rounding, 0);
  EXPECT_EQ(answer.computation->tensor_bytes,
            4ULL * (2 * (2 * 3 * 224 * 224 + 64 * 3 * 49) + 2 * 64 * 112 * 112 + 64));
}

TEST(Explain, SaysTheSameAsJson) {
  const Explanation refused = explained(typed(strided(plain(), "0,1")));
  const auto json = nlohmann::json::parse(explanation_json(refused));
  EXPECT_EQ(json["legal"], false);
  EXPECT_EQ(json["admitted"][0], 161002);
  EXPECT_EQ(json["rules"][0]["id"], "STRIDE-01");
  ASSERT_FALSE(json["remedies"].empty());
  const auto changed = corpus::parse_case(json["remedies"][0]["case"].dump(), 1);
  ASSERT_TRUE(changed.has_value());
  const auto legal = nlohmann::json::parse(explanation_json(explained(typed(plain()))));
  EXPECT_EQ(legal["legal"], true);
  EXPECT_EQ(legal["computation"]["gradients"][0]["longestSum"], 144);
}

TEST(Explain, SaysTheSameOfSeveralProductsOnce) {
  std::vector<Explanation> answers;
  for (const char* soc : {"Ascend310P", "Ascend910", "Ascend910B", "Ascend910_93"}) {
    answers.push_back(explained(typed(shapes("1,16,10,10", "16,16,3,3", "BF16"), soc)));
  }
  const std::string text = explanation_text(answers);
  EXPECT_THAT(text, HasSubstr("161002 (ACLNN_ERR_PARAM_INVALID) on Ascend310P, Ascend910\n"));
  EXPECT_THAT(text, HasSubstr("0 (ACLNN_SUCCESS) on Ascend910B, Ascend910_93\n"));
}

/// Shapes are read as the operator judges them, whatever the format: it alone is wrong.
TEST(Explain, NamesTheFormatAloneOfShapesThatFit) {
  CallTexts plane = shapes("2,8,10,12", "16,8,3,5"), volume = shapes("2,8,4,10,12", "16,8,1,3,5");
  plane.format = "NHWC";
  volume.format = "NDHWC";
  for (CallTexts words : {plane, volume}) {
    words.bias = "yes";
    words.padding = "same";
    const Case test_case = typed(words);
    const Explanation answer = explained(test_case);
    EXPECT_EQ(rule_ids(answer), std::vector<std::string>{"FMT-01"});
    ASSERT_FALSE(answer.remedies.empty());
    EXPECT_THAT(answer.remedies.front().words, EndsWith("for every tensor"));
    EXPECT_EQ(test_case.grad_bias->shape, std::vector<std::int64_t>{16});
  }
  EXPECT_THAT(python_call(typed(plane)), HasSubstr("gradOutput = torch.randn([2, 16, 8, 8])"));
}

TEST(CallFromWords, NamesTheOptionThatItDoesNotUnderstand) {
  const auto test_case = [](const CallTexts& words) {
    const auto call = call_from_texts(words);
    return call ? std::string("understood") : call.error();
  };
  EXPECT_THAT(test_case({}), HasSubstr("--input"));
  EXPECT_THAT(test_case(changed(plain(), &CallTexts::weight, "3,x")),
              HasSubstr("--weight: \"3,x\""));
  EXPECT_THAT(test_case(changed(plain(), &CallTexts::dtype, "FLOAT,FLOAT16")),
              HasSubstr("--dtype"));
  EXPECT_THAT(test_case(changed(plain(), &CallTexts::format, "NCWH")), HasSubstr("\"NCWH\""));
  EXPECT_THAT(test_case(changed(plain(), &CallTexts::mask, "1,2,0")), HasSubstr("--mask"));
  EXPECT_THAT(test_case(changed(plain(), &CallTexts::groups, "two")), HasSubstr("--groups"));
  EXPECT_THAT(test_case(changed(plain(), &CallTexts::cube_math_type, "300")),
              HasSubstr("--cube-math-type"));
  EXPECT_THAT(test_case(changed(plain(), &CallTexts::transposed, "maybe")),
              HasSubstr("--transposed"));
  EXPECT_EQ(test_case(plain()), "understood");
}

TEST(CallText, SaysWhatPyTorchCannot) {
  Case test_case = typed(plain());
  EXPECT_THAT(python_call(test_case), HasSubstr("torch.ops.aten.convolution_backward("));
  test_case.padding = std::vector<std::int64_t>{1, 0, 0, 0};
  EXPECT_THAT(python_call(test_case), HasSubstr("# PyTorch has one padding per axis"));
  test_case.weight.reset();
  EXPECT_THAT(python_call(test_case), HasSubstr("weight = None  # a null pointer"));
  EXPECT_THAT(c_call(test_case), HasSubstr("aclTensor* weight = NULL;"));
}

}  // namespace
}  // namespace gradproof::advice
