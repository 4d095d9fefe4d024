#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "properties/advice/explain/call_from_texts.h"
#include "properties/advice/explain/explanation.h"
#include "properties/advice/explain/term.h"
#include "properties/advice/logs/found_call.h"

namespace gradproof::advice {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

Explanation answer_to(const CallTexts& words, const char* soc = "Ascend910B",
                      const ExplanationSettings& settings = {}) {
  auto call = call_from_texts(words);
  EXPECT_TRUE(call) << (call ? "" : call.error());
  call->soc = soc;
  return explanation_of(*call, settings);
}

CallTexts float_shapes(const char* input, const char* weight, const char* type = "FLOAT") {
  CallTexts words;
  words.input = input;
  words.weight = weight;
  words.dtype = type;
  return words;
}

TEST(Answers, CountTheProductsThatMeet) {
  CallTexts words = float_shapes("1,1,8,8", "1,1,4,4");
  words.stride = "4";
  const auto patches = answer_to(words).computation;
  ASSERT_TRUE(patches);
  EXPECT_EQ(patches->gradients[0].longest_sum, 1);
  EXPECT_EQ(patches->gradients[1].longest_sum, 4);
  words = float_shapes("4096,3,2,14,14", "1280,3,2,14,14", "BF16");
  words.stride = "2,14,14";
  const auto embedding = answer_to(words).computation;
  ASSERT_TRUE(embedding);
  EXPECT_EQ(embedding->gradients[0].longest_sum, 1280);
}

TEST(Answers, SayWhereReleasedLibrariesDiffer) {
  CallTexts words = float_shapes("1,1,8,8", "1,1,3,3", "BF16");
  words.cube_math_type = "2";
  ExplanationSettings settings;
  settings.compares_profiles = true;
  const Explanation differing = answer_to(words, "Ascend910B", settings);
  EXPECT_THAT(explanation_text({differing}),
              AllOf(HasSubstr("161002 ("), HasSubstr("released libraries return 0 (")))
      << explanation_text({differing});
  EXPECT_EQ(nlohmann::json::parse(explanation_json(differing))["released"][0], 0);
  words.cube_math_type = "0";
  EXPECT_THAT(explanation_text({answer_to(words, "Ascend910B", settings)}),
              Not(HasSubstr("released")));
}

TEST(Answers, GiveTolerancesForARange) {
  ExplanationSettings settings;
  settings.data = uniform_law(-2, 2);
  CallTexts words = float_shapes("1,1,4,4", "1,1,2,2", "FLOAT16");
  words.bias = "yes";
  const Explanation answer = answer_to(words, "Ascend910B", settings);
  ASSERT_TRUE(answer.computation);
  const GradientComputation& input = answer.computation->gradients[0];
  const auto [relative, absolute] = input.tolerance(2);
  // Four products of at most 4; FLOAT16 factors are as they are, three additions in FLOAT.
  EXPECT_EQ(relative, 0x1p-11);
  EXPECT_NEAR(absolute, 16 * input.sum_bound + 0x1p-25, 1e-8);
  const auto bias = answer.computation->gradients[2].tolerance(2);
  EXPECT_NEAR(bias.absolute, 9 * 2 * answer.computation->gradients[2].sum_bound + 0x1p-25, 1e-8);
  EXPECT_THAT(explanation_text({answer}),
              AllOf(HasSubstr("data uniform on [-2, 2]: rtol 0.00049, atol "),
                    HasSubstr(" at worst; a right library exceeds 0.00")));
  const auto json = nlohmann::json::parse(explanation_json(answer));
  EXPECT_EQ(json["computation"]["gradients"][0]["rtol"], 0x1p-11);
  EXPECT_EQ(json["computation"]["gradients"][0]["typical"]["rate"], 1e-9);
}

/// Additions that cut, and HF32 whose rounding is unknown, have errors whose mean is not 0.
TEST(Answers, CallNothingTypicalThatIsNotModelled) {
  const auto typical = [](const char* math_type, oracle::Adder adder, oracle::Hf32Rounding hf32) {
    ExplanationSettings settings;
    settings.data = uniform_law(-1, 1);
    settings.judge.adder = adder;
    settings.judge.hf32_rounding = hf32;
    CallTexts words = float_shapes("1,1,8,8", "1,1,3,3");
    words.cube_math_type = math_type;
    return answer_to(words, "Ascend910B", settings).computation->gradients[0].typical;
  };
  using oracle::Adder, oracle::Hf32Rounding;
  const auto in_float = typical("0", Adder::Ieee, Hf32Rounding::NearestEven);
  const auto in_hf32 = typical("3", Adder::Ieee, Hf32Rounding::NearestEven);
  ASSERT_TRUE(in_float && in_hf32);
  EXPECT_GT(in_hf32->error, 100 * in_float->error) << "converting costs more than adding";
  EXPECT_FALSE(typical("0", Adder::Faithful, Hf32Rounding::NearestEven));
  EXPECT_FALSE(typical("0", Adder::Block, Hf32Rounding::NearestEven));
  EXPECT_FALSE(typical("3", Adder::Ieee, Hf32Rounding::Unknown));
  EXPECT_TRUE(typical("0", Adder::Ieee, Hf32Rounding::Unknown));
}

TEST(Answers, CountTheConversionOfBothFactors) {
  CallTexts words = float_shapes("1,1,4,4", "1,1,2,2");
  words.cube_math_type = "2";
  const Explanation answer = answer_to(words);
  ASSERT_TRUE(answer.computation);
  const auto& gradient = answer.computation->gradients[0];
  EXPECT_GT(gradient.tolerance(1).absolute, 4 * 2 * 0x1p-11);
  EXPECT_LT(gradient.tolerance(1).absolute, 4 * 2.1 * 0x1p-11);
}

TEST(Answers, SayWhatToLookAtWhereALegalCallFails) {
  const std::string text = if_it_still_fails(answer_to(float_shapes("1,1,4,4", "1,1,2,2")));
  EXPECT_THAT(text, AllOf(HasSubstr("jit_compile=False"), HasSubstr("allow_internal_format"),
                          HasSubstr("off/off 0, off/on 2, on/off 3, on/on 1; here it is 0")));
  EXPECT_EQ(if_it_still_fails(answer_to(float_shapes("1,1,4,4", "1,2,2,2"))), "");
}

TEST(Answers, RecogniseUnbatchedAndChannelsLastCalls) {
  const auto remedy = [](const char* input, const char* weight) {
    const Explanation answer = answer_to(float_shapes(input, weight));
    return answer.remedies.empty() ? std::string() : answer.remedies.front().words;
  };
  EXPECT_THAT(remedy("3,224,224", "64,3,7,7"),
              HasSubstr("input [1, 3, 224, 224] instead of [3, 224, 224]: it has no batch"));
  EXPECT_THAT(remedy("1,24,20,3", "64,3,3,3"),
              HasSubstr("input [1, 3, 24, 20] instead of [1, 24, 20, 3]: its channels are last"));
  EXPECT_THAT(remedy("2,10,9,8", "16,3,4,8"), HasSubstr("the weight likewise"));
}

TEST(Answers, TryTwoChangesWhereOneDoesNotMend) {
  CallTexts words = float_shapes("1,16,10,10", "16,16,3,3", "FLOAT");
  words.groups = "2";
  const Explanation answer = answer_to(words, "Ascend910");
  ASSERT_THAT(answer.remedies, SizeIs(1));
  EXPECT_TRUE(answer.remedies[0].is_pair);
  EXPECT_THAT(answer.remedies[0].words,
              AllOf(HasSubstr("groups 1"), HasSubstr("; and "), HasSubstr("cubeMathType 1")));
  EXPECT_THAT(explanation_text({answer}), HasSubstr("two changes make it legal: "));
}

TEST(Terms, AreCodesAndRules) {
  EXPECT_THAT(term_text("161002").value(),
              AllOf(HasSubstr("ACLNN_ERR_PARAM_INVALID"), HasSubstr("look at: ")));
  EXPECT_THAT(term_text("ez1001").value(), HasSubstr("parameter"));
  for (const char* code : {"E69999", "E60108", "500002"}) {
    EXPECT_THAT(term_text(code).value(), HasSubstr("jit_compile=False")) << code;
  }
  // An aclnn call's operator prints it too.
  EXPECT_THAT(term_text("E89999").value(),
              AllOf(HasSubstr("the aclnn call that the log names"), Not(HasSubstr("jit_compile"))));
  EXPECT_THAT(term_text("range-03").value(),
              AllOf(HasSubstr("RANGE-03: "), HasSubstr("applies to: "),
                    HasSubstr("list cases --cases 1 --rule RANGE-03")));
  EXPECT_THAT(term_text("RNAGE-03").error(), HasSubstr("nearest: RANGE-03"));
  EXPECT_THAT(term_text("161003").error(), HasSubstr("nearest: 16100"));
  for (const char* word : {"161002", "EZ9999", "CUBE-05"}) EXPECT_TRUE(is_term(word)) << word;
  for (const char* word : {"case.jsonl", "a-1.jsonl", "-", "", "Conv2d", "EXAMPLE"}) {
    EXPECT_FALSE(is_term(word)) << word;
  }
}

}  // namespace
}  // namespace gradproof::advice
