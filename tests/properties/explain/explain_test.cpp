#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>

#include "corpus/case_json.h"
#include "oracle/rules/status_rules.h"
#include "properties/explain/call_from_words.h"
#include "properties/explain/call_text.h"
#include "properties/explain/explanation.h"
#include "properties/generators/random_case.h"
#include "properties/session/loaded_library.h"
#include "properties/target/simulated_backend.h"
#include "properties/target/target.h"
#include "tests/spec/examples.h"

namespace gradproof::properties {
namespace {

using corpus::Case;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Case typed(const CallWords& words, const std::string& soc = "Ascend910B") {
  const auto call = call_from_words(words);
  EXPECT_TRUE(call.has_value()) << (call ? "" : call.error());
  if (!call) return {};
  Case problem = *call;
  problem.soc = soc;
  return problem;
}

/// input 1,16,10,10 and weight 16,16,3,3 of FLOAT16 unless said otherwise.
CallWords plain() {
  CallWords words;
  words.input = "1,16,10,10";
  words.weight = "16,16,3,3";
  words.dtype = "FLOAT16";
  return words;
}

Explanation explained(const Case& problem, oracle::Profile profile = oracle::Profile::Documented) {
  ExplanationSettings settings;
  settings.judge.profile = profile;
  return explanation_of(problem, settings);
}

std::vector<int> codes(const Explanation& explanation) {
  std::vector<int> result;
  for (const auto status : explanation.admitted.statuses) result.push_back(corpus::code(status));
  return result;
}

std::vector<std::string> rule_ids(const Explanation& explanation) {
  std::vector<std::string> ids;
  for (const auto& rule : explanation.broken) ids.emplace_back(rule.id);
  return ids;
}

CallWords shapes(const char* input, const char* weight, const char* type = "FLOAT16") {
  CallWords words;
  words.input = input;
  words.weight = weight;
  words.dtype = type;
  return words;
}

CallWords asking_for_bias(CallWords words) {
  words.bias = "yes";
  return words;
}

CallWords transposed(CallWords words) {
  words.transposed = "yes";
  return words;
}

CallWords masked(CallWords words, const char* mask) {
  words.mask = mask;
  return words;
}

CallWords strided(CallWords words, const char* stride) {
  words.stride = stride;
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
      const Case problem = spec::on(*example->breaks, soc);
      SCOPED_TRACE(spec::title(*example, problem));
      const Explanation answer = explained(problem);
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

// ---- what people get wrong

struct UserError {
  const char* name;
  std::function<CallWords()> words;
  const char* soc;
  const char* rule;
  const char* remedy;  ///< part of a suggestion
};
void PrintTo(const UserError& error, std::ostream* out) { *out << error.name; }

CallWords changed(CallWords words, std::optional<std::string> CallWords::*member,
                  const char* value) {
  words.*member = value;
  return words;
}

class UserErrors : public testing::TestWithParam<UserError> {};

TEST_P(UserErrors, AreNamedWithAChangeThatMendsThem) {
  const UserError& error = GetParam();
  const auto call = call_from_words(error.words());
  ASSERT_TRUE(call.has_value()) << call.error();
  Case problem = *call;
  problem.soc = error.soc;
  const Explanation answer = explained(problem);
  EXPECT_FALSE(answer.is_legal());
  EXPECT_THAT(rule_ids(answer), Contains(error.rule));
  EXPECT_THAT(answer.remedies, Contains(Field(&Change::words, HasSubstr(error.remedy))))
      << explanation_text({answer});
}

INSTANTIATE_TEST_SUITE_P(
    Common, UserErrors,
    testing::Values(
        UserError{"WrongGroups", [] { return changed(plain(), &CallWords::groups, "2"); },
                  "Ascend910B", "CH-02", "groups 1 instead of 2"},
        UserError{
            "ChannelsLast",
            [] { return changed(shapes("2,10,10,8", "16,3,3,8"), &CallWords::format, "NHWC"); },
            "Ascend910B", "FMT-01", "format NCHW for every tensor, axes in that order"},
        UserError{"BFloat16OnTheFirstGeneration",
                  [] { return shapes("1,16,10,10", "16,16,3,3", "BF16"); }, "Ascend910", "DTYPE-01",
                  "FLOAT16 instead of BF16 for every tensor"},
        UserError{"StrideOfZero", [] { return strided(plain(), "0,1"); }, "Ascend910B", "STRIDE-01",
                  "stride [1, 1] instead of [0, 1]"},
        UserError{"WeightOfOtherChannels", [] { return shapes("1,16,10,10", "16,8,3,3"); },
                  "Ascend910B", "CH-02", "weight [16, 16, 3, 3]"},
        UserError{"GradOutputTooLong",
                  [] { return changed(plain(), &CallWords::grad_output, "1,16,9,8"); },
                  "Ascend910B", "SHAPE-02", "gradOutput [1, 16, 8, 8]"},
        UserError{"OutputPaddingWithoutTransposed",
                  [] { return changed(plain(), &CallWords::output_padding, "1"); }, "Ascend910B",
                  "OPAD-03", "outputPadding [0, 0] instead of"},
        UserError{"NegativePadding", [] { return changed(plain(), &CallWords::padding, "-1,0"); },
                  "Ascend910B", "PAD-01", "padding [0, 0] instead of [-1, 0]"},
        UserError{"KeepDtypeOnACubeOfHalves",
                  [] { return shapes("1,16,10,10", "16,16,3,3", "FLOAT"); }, "Ascend910", "CUBE-02",
                  "cubeMathType 1"},
        UserError{"StrideListTooShort",
                  [] { return strided(shapes("1,16,4,10,10", "16,16,3,3,3"), "1,1"); },
                  "Ascend910B", "LEN-01", "stride [1, 1, 1] instead of [1, 1]"},
        UserError{"EightBitOnTheSecondGeneration",
                  [] { return masked(shapes("1,16,6,6", "16,16,3,3", "HIFLOAT8"), "1,0,0"); },
                  "Ascend910B", "DTYPE-01", "FLOAT instead of HIFLOAT8 for every tensor"},
        UserError{"TooLargeOutputPadding",
                  [] {
                    return changed(strided(transposed(plain()), "2"), &CallWords::output_padding,
                                   "2,0");
                  },
                  "Ascend910B", "OPAD-02", "outputPadding [0, 0] instead of"}),
    [](const auto& info) { return info.param.name; });

TEST(Explain, AsksForBiasSizes) {
  Case problem = typed(asking_for_bias(plain()));
  problem.bias_sizes.reset();
  const Explanation answer = explained(problem);
  EXPECT_THAT(rule_ids(answer), Contains("NULL-16"));
  EXPECT_THAT(answer.remedies, Contains(Field(&Change::words, HasSubstr("biasSizes [16]"))));
}

// ---- legal calls

TEST(Explain, SaysHowALegalCallIsComputed) {
  CallWords words = shapes("2,3,224,224", "64,3,7,7", "FLOAT");
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

TEST(CallFromWords, NamesTheOptionThatItDoesNotUnderstand) {
  const auto problem = [](const CallWords& words) {
    const auto call = call_from_words(words);
    return call ? std::string("understood") : call.error();
  };
  EXPECT_THAT(problem({}), HasSubstr("--input"));
  EXPECT_THAT(problem(changed(plain(), &CallWords::weight, "3,x")), HasSubstr("--weight: \"3,x\""));
  EXPECT_THAT(problem(changed(plain(), &CallWords::dtype, "FLOAT,FLOAT16")), HasSubstr("--dtype"));
  EXPECT_THAT(problem(changed(plain(), &CallWords::format, "NCWH")), HasSubstr("\"NCWH\""));
  EXPECT_THAT(problem(changed(plain(), &CallWords::mask, "1,2,0")), HasSubstr("--mask"));
  EXPECT_THAT(problem(changed(plain(), &CallWords::groups, "two")), HasSubstr("--groups"));
  EXPECT_THAT(problem(changed(plain(), &CallWords::cube_math_type, "300")),
              HasSubstr("--cube-math-type"));
  EXPECT_THAT(problem(changed(plain(), &CallWords::transposed, "maybe")),
              HasSubstr("--transposed"));
  EXPECT_EQ(problem(plain()), "understood");
}

TEST(CallText, SaysWhatPyTorchCannot) {
  Case problem = typed(plain());
  EXPECT_THAT(python_call(problem), HasSubstr("torch.ops.aten.convolution_backward("));
  problem.padding = std::vector<std::int64_t>{1, 0, 0, 0};
  EXPECT_THAT(python_call(problem), HasSubstr("# PyTorch has one padding per axis"));
  problem.weight.reset();
  EXPECT_THAT(python_call(problem), HasSubstr("weight = None  # a null pointer"));
  EXPECT_THAT(c_call(problem), HasSubstr("aclTensor* weight = NULL;"));
}

// ---- suggestions hold on the kernel, which is another implementation of the rules

/// "a tensor ... instead of null": the words of the first remedy of the call without an argument.
template <typename T>
std::string remedy_without(std::optional<T> Case::*argument) {
  Case problem = typed(plain());
  (problem.*argument).reset();
  const auto found = remedies(problem, oracle::Profile::Documented);
  return found.empty() ? "none" : found.front().words;
}

TEST(Remedies, SupplyWhatIsNull) {
  EXPECT_EQ(remedy_without(&Case::grad_output),
            "a tensor [1, 16, 8, 8] instead of null for gradOutput");
  EXPECT_EQ(remedy_without(&Case::input), "a tensor [1, 16, 10, 10] instead of null for input");
  EXPECT_EQ(remedy_without(&Case::weight), "a tensor [16, 16, 3, 3] instead of null for weight");
}

TEST(Remedies, AreAcceptedByTheKernel) {
  furnish_simulated_machine();
  const auto library = LoadedLibrary::load({});
  ASSERT_TRUE(library.has_value()) << library.error();
  const auto target = (*library)->new_target();
  Selection selection;
  selection.kind = Kind::Invalid;
  selection.max_macs = 2'000;
  const auto source = CaseSource::of(selection);
  std::size_t mended = 0;
  constexpr std::uint64_t cases = 3'000;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Case problem = (*source)(5, i);
    const auto found = remedies(problem, oracle::Profile::Documented);
    mended += found.empty() ? 0 : 1;
    for (const Change& remedy : found) {
      const auto seen = target->run_case(remedy.call, {.status_only = true});
      if (seen.unsupported) continue;
      ASSERT_EQ(seen.phase_one, corpus::Status::Success) << remedy.words << '\n'
                                                         << corpus::to_json_line(remedy.call);
    }
  }
  // Most of these calls have one thing wrong.
  EXPECT_GT(mended, cases * 8 / 10);
}

}  // namespace
}  // namespace gradproof::properties
