// Mistakes that users make often: named, with a change that mends them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "properties/advice/explain/call_from_texts.h"
#include "properties/advice/explain/explanation.h"
#include "tests/properties/explain/explained_call.h"
#include "tests/spec/examples.h"

namespace gradproof::advice {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;

CallTexts masked(CallTexts words, const char* mask) {
  words.mask = mask;
  return words;
}

struct UserError {
  const char* name;
  std::function<CallTexts()> words;
  const char* soc;
  const char* rule;
  const char* remedy;  ///< part of a suggestion
};
void PrintTo(const UserError& error, std::ostream* out) { *out << error.name; }

class UserErrors : public testing::TestWithParam<UserError> {};

TEST_P(UserErrors, AreNamedWithAChangeThatMendsThem) {
  const UserError& error = GetParam();
  const auto call = call_from_texts(error.words());
  ASSERT_TRUE(call.has_value()) << call.error();
  Case test_case = *call;
  test_case.soc = error.soc;
  const Explanation answer = explained(test_case);
  EXPECT_FALSE(answer.is_legal());
  EXPECT_THAT(rule_ids(answer), Contains(error.rule));
  EXPECT_THAT(answer.remedies, Contains(Field(&ChangedCall::words, HasSubstr(error.remedy))))
      << explanation_text({answer});
}

INSTANTIATE_TEST_SUITE_P(
    Common, UserErrors,
    testing::Values(
        UserError{"WrongGroups", [] { return changed(plain(), &CallTexts::groups, "2"); },
                  "Ascend910B", "CH-02", "groups 1 instead of 2"},
        UserError{
            "ChannelsLast",
            [] { return changed(shapes("2,10,10,8", "16,3,3,8"), &CallTexts::format, "NHWC"); },
            "Ascend910B", "FMT-01", "format NCHW for every tensor, axes in that order"},
        UserError{"BFloat16OnTheFirstGeneration",
                  [] { return shapes("1,16,10,10", "16,16,3,3", "BF16"); }, "Ascend910", "DTYPE-01",
                  "FLOAT16 instead of BF16 for every tensor"},
        UserError{"StrideOfZero", [] { return strided(plain(), "0,1"); }, "Ascend910B", "STRIDE-01",
                  "stride [1, 1] instead of [0, 1]"},
        UserError{"WeightOfOtherChannels", [] { return shapes("1,16,10,10", "16,8,3,3"); },
                  "Ascend910B", "CH-02", "weight [16, 16, 3, 3]"},
        UserError{"GradOutputTooLong",
                  [] { return changed(plain(), &CallTexts::grad_output, "1,16,9,8"); },
                  "Ascend910B", "SHAPE-02", "gradOutput [1, 16, 8, 8]"},
        UserError{"OutputPaddingWithoutTransposed",
                  [] { return changed(plain(), &CallTexts::output_padding, "1"); }, "Ascend910B",
                  "OPAD-03", "outputPadding [0, 0] instead of"},
        UserError{"NegativePadding", [] { return changed(plain(), &CallTexts::padding, "-1,0"); },
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
                    return changed(strided(transposed(plain()), "2"), &CallTexts::output_padding,
                                   "2,0");
                  },
                  "Ascend910B", "OPAD-02", "outputPadding [0, 0] instead of"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace gradproof::advice
