#include "oracle/status/status_oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "oracle/facts/case_facts.h"
#include "tests/oracle/rules/rule_answers.h"
#include "tests/support/random_call.h"
#include "tests/support/status_calls.h"

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Status;
using corpus::TensorCase;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Profile profiles[] = {Profile::Documented, Profile::Released, Profile::Tolerant};

TEST(StatusOracle, AdmitsSuccessAloneForAValidCallAndSaysThatADeviceMayRefuseIt) {
  const Case c = case_of({});
  for (const Profile profile : profiles) {
    const auto answer = admissible_statuses(c, profile);
    EXPECT_THAT(answer.statuses, ElementsAre(Status::Success));
    EXPECT_THAT(answer.broken_rules, IsEmpty());
    EXPECT_THAT(answer.permissions, IsEmpty());
    EXPECT_EQ(answer.may_be_refused, profile == Profile::Tolerant);
    EXPECT_FALSE(answer.not_judged);
  }
}

TEST(StatusOracle, PutsNullBeforeInvalidBeforeInnerWhateverTheOrderOfRules) {
  Case c = case_of({.dilation = {256, 1}});
  EXPECT_EQ(admitted(c, Profile::Documented), Codes{561103});
  c.cube_math_type = 7;
  EXPECT_EQ(admitted(c, Profile::Documented), Codes{161002});
  EXPECT_EQ(admitted(c, Profile::Tolerant), (Codes{161002, 561103}));
  c.grad_bias.reset();
  EXPECT_EQ(admitted(c, Profile::Documented), Codes{161001});
  EXPECT_EQ(admitted(c, Profile::Tolerant), (Codes{161001, 161002, 561103}));
  EXPECT_THAT(admissible_statuses(c, Profile::Documented).broken_rules,
              ElementsAre("NULL-12", "RANGE-08", "CUBE-01"));
}

TEST(StatusOracle, AdmitsSuccessOnlyIfEveryBrokenRuleAcceptsIt) {
  Case c = case_of({});
  c.bias_sizes = {1};
  EXPECT_EQ(admitted(c, Profile::Tolerant), (Codes{0, 161002}));
  c.grad_input->dtype = DataType::Float;
  EXPECT_EQ(admitted(c, Profile::Tolerant), (Codes{0, 161002}));
  c.grad_input->format = Format::Nhwc;
  EXPECT_EQ(admitted(c, Profile::Tolerant), (Codes{161002}));
}

TEST(StatusOracle, TakesTheReleasedOrderOfSeveralCodesOfOneRule) {
  // A range that the device may refuse, and a batch that its tiling does.
  Case c = case_of({.dilation = {256, 1}});
  EXPECT_EQ(admitted(c, Profile::Released), (Codes{0, 561103}));
  c.grad_output->shape[0] += 1;
  EXPECT_EQ(admitted(c, Profile::Released), (Codes{561103}));
  c.stride = {0, 1};
  EXPECT_EQ(admitted(c, Profile::Released), (Codes{161002}));
}

TEST(StatusOracle, AppliesOnUnsupportedChipsOnlyTheNullRulesInAddition) {
  Case c = case_of({.soc = "Ascend310"});
  c.stride = {0, 0};
  EXPECT_THAT(admissible_statuses(c, Profile::Documented).broken_rules, ElementsAre("PROD-01"));
  c.weight.reset();
  EXPECT_EQ(admitted(c, Profile::Documented), Codes{161001});
  EXPECT_EQ(admitted(c, Profile::Released), Codes{161001});
  EXPECT_EQ(admitted(c, Profile::Tolerant), (Codes{161001, 161002, 561103}));
}

TEST(StatusOracle, PairsNoAxesOfTensorsWithUnlikeRanks) {
  Case c = case_of({});
  c.grad_output = tensor_of({9, 9, 9}, DataType::Float16, Format::Ncl);
  c.grad_bias->shape = {9};
  EXPECT_THAT(admissible_statuses(c, Profile::Tolerant).broken_rules, ElementsAre("RANK-02"));
  EXPECT_EQ(admitted(c, Profile::Tolerant), Codes{161002});
}

TEST(StatusOracle, RoundsTheOutputLengthTowardsMinusInfinity) {
  // One short of a single position, stride 2: towards zero this would be 0 / 2 + 1 = 1.
  Case c = case_of({.small = {1, 1}, .kernel = {3, 3}, .stride = {2, 2}});
  EXPECT_EQ(admitted(c, Profile::Documented), Codes{0});
  c.input->shape[2] = 2;
  fit_outputs(c);
  EXPECT_THAT(admissible_statuses(c, Profile::Documented).broken_rules,
              ElementsAre("SHAPE-01", "SHAPE-02"));
}

TEST(StatusOracle, HoldsSizesToTheOldestEditionOnlyOnItsProductsAndDirection) {
  for (const bool transposed : {false, true}) {
    for (const char* soc : {"Ascend910B", "Ascend950", "Ascend910"}) {
      Case c = case_of({.soc = soc, .transposed = transposed, .small = {1, 4}});
      c.stride = {2147483647, 1};
      const bool documented = std::string_view(soc) == "Ascend910B" && !transposed;
      EXPECT_EQ(admissible_statuses(c, Profile::Tolerant).broken_rules,
                transposed && std::string_view(soc) == "Ascend950"
                    ? std::vector<std::string>{"RANGE-04"}
                : documented ? std::vector<std::string>{"RANGE-11"}
                             : std::vector<std::string>{})
          << soc << " " << transposed;
    }
  }
}

TEST(StatusOracle, NamesTheTensorThatIsEmptyOnA1) {
  Case c = case_of({.soc = "Ascend910"});
  c.input->shape[0] = c.grad_input->shape[0] = 0;
  EXPECT_EQ(broken_rules(c).at(0).words,
            "input has shape [0, 8, 6, 6], no element; Ascend910 supports no empty tensors");
}

TEST(StatusOracle, NamesTheAxisOfAnEmptyProblemThatTheKernelDoesNotFit) {
  Case c = case_of({});
  c.input->shape = {0, 8, 6, 2};
  c.grad_output->shape[0] = 0;
  fit_outputs(c);
  EXPECT_EQ(broken_rules(c).at(0).words,
            "input's W 2 with padding 0 and 0 is below the dilated kernel's length: kernel 3, "
            "dilation 1");
}

TEST(StatusOracle, TellsWhatItFoundAndWhatIsAllowed) {
  Case c = case_of({});
  c.stride = {1, 0};
  const auto broken = broken_rules(c);
  ASSERT_EQ(broken.size(), 1U);
  EXPECT_EQ(broken[0].id, "STRIDE-01");
  EXPECT_EQ(broken[0].words, "stride[1] is 0; every stride must be >= 1");
  EXPECT_EQ(broken[0].source, "aclnnConvolutionBackward, parameter stride");
  EXPECT_EQ(broken[0].documented, Status::ParamInvalid);
  c = case_of({.soc = "Ascend950", .rank = 5, .transposed = true, .stride = {1, 64, 1}});
  EXPECT_EQ(broken_rules(c).at(0).words,
            "stride[1] is 64; on Ascend950, transposed, the documented range is [1, 63]");
  c = case_of({.soc = "Ascend310P"});
  c.weight->dtype = DataType::BFloat16;
  EXPECT_EQ(broken_rules(c).at(0).words, "weight has dtype BF16; Ascend310P takes FLOAT, FLOAT16");
  c = case_of({.rank = 5, .padding = {0, 1, 0}});
  c.grad_output->shape[3] = 9;
  EXPECT_EQ(broken_rules(c).at(0).words,
            "gradOutput's H is 9; input's H 4 with padding 1 and 1, kernel 3, dilation 1, stride 1 "
            "lead to 4");
}

TEST(StatusOracle, ListsPermissionsApartFromBrokenRules) {
  Case c = case_of({});
  set_mask(c, true, true, false);
  c.bias_sizes.reset();
  EXPECT_THAT(broken_rules(c), IsEmpty());
  ASSERT_EQ(used_permissions(c).size(), 1U);
  EXPECT_EQ(used_permissions(c)[0].id, "NULL-17");
  EXPECT_THAT(used_permissions(c)[0].tolerant, ElementsAre(Status::Success, Status::ParamNullptr));
}

TEST(StatusOracle, GivesTheStandingToEveryRule) {
  Case c = case_of({});
  c.stride = {0, 1};
  const auto standings = ruling_on(c, Profile::Documented).standings;
  ASSERT_EQ(standings.size(), all_status_rules().size());
  const auto of = [&](std::string_view id) {
    return standings.at(to_size(status_rule_named(id) - all_status_rules().data()));
  };
  EXPECT_EQ(of("STRIDE-01"), Standing::Broken);
  EXPECT_EQ(of("PAD-01"), Standing::Met);
  EXPECT_EQ(of("SHAPE-02"), Standing::Undefined);
  EXPECT_EQ(of("EMPTY-15"), Standing::Undefined);
}

TEST(StatusOracle, JudgesNoUnknownChipAndNoImpossibleTensor) {
  const auto reason = [](const Case& test_case) {
    const auto answer = admissible_statuses(test_case, Profile::Tolerant);
    EXPECT_THAT(answer.statuses, IsEmpty());
    EXPECT_THAT(broken_rules(test_case), IsEmpty());
    EXPECT_THAT(ruling_on(test_case, Profile::Documented).standings, IsEmpty());
    return answer.not_judged.value_or("");
  };
  EXPECT_EQ(reason(case_of({.soc = "8888"})), "no product is called \"8888\"");
  Case c = case_of({});
  c.input->shape[2] = -1;
  EXPECT_THAT(reason(c), HasSubstr("input has a negative length"));
  c = case_of({});
  c.grad_weight->strides = {1, 2};
  EXPECT_THAT(reason(c), HasSubstr("gradWeight has strides of another rank"));
  c = case_of({});
  c.weight->strides = {-1, 1, 1, 1};
  EXPECT_THAT(reason(c), HasSubstr("weight has a negative stride"));
  c = case_of({});
  c.grad_bias->offset = -1;
  EXPECT_THAT(reason(c), HasSubstr("gradBias has a negative offset"));
  c = case_of({});
  c.input->storage_shape = {64, -1};
  EXPECT_THAT(reason(c), HasSubstr("input has a negative length of its storage"));
}

TEST(StatusOracle, SurvivesACaseWithNothingInIt) {
  Case c;
  for (const Profile profile : profiles) {
    EXPECT_THAT(admissible_statuses(c, profile).statuses, ElementsAre(Status::ParamNullptr));
  }
  c.grad_output = c.input = c.weight = c.grad_input = c.grad_weight = c.grad_bias = TensorCase{};
  c.stride = c.padding = c.dilation = c.output_padding = c.bias_sizes = std::vector<std::int64_t>{};
  c.output_mask = {true, true, true};
  EXPECT_EQ(admitted(c, Profile::Documented), Codes{161002});
  EXPECT_FALSE(broken_rules(c).empty());
}

RC_GTEST_PROP(StatusOracle, AnswersTheSameTwice, ()) {
  const Case test_case = random_call(*rc::gen::arbitrary<std::uint64_t>());
  for (const Profile profile : profiles) {
    const auto once = admissible_statuses(test_case, profile);
    const auto twice = admissible_statuses(test_case, profile);
    RC_ASSERT(once.statuses == twice.statuses);
    RC_ASSERT(once.broken_rules == twice.broken_rules);
    RC_ASSERT(once.permissions == twice.permissions);
    RC_ASSERT(once.values_ill_defined == twice.values_ill_defined);
  }
}

}  // namespace
}  // namespace gradproof::oracle
