// The examples of the specification against the kernel's rules of aclnnConvTbcBackward, in both
// profiles; and what only this simulator refuses.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "kernel/api/conv_tbc/rule.h"
#include "tests/spec/examples.h"
#include "tests/support/parameter_call.h"

namespace gradproof::kernel::api::conv_tbc {
namespace {

using device::Profile;
using spec::RuleExample;

constexpr Profile profiles[] = {Profile::Documented, Profile::Released};

Call tbc_call_of(const corpus::Case& test_case, Profile profile) {
  Call call;
  call.product = product_named(test_case.soc);
  call.profile = profile;
  pass(test_case.grad_output, call.self);
  pass(test_case.input, call.input);
  pass(test_case.weight, call.weight);
  pass(test_case.bias, call.bias);
  call.pad = test_case.padding->front();
  call.cube_math_type = test_case.cube_math_type;
  pass(test_case.grad_input, call.grad_input);
  pass(test_case.grad_weight, call.grad_weight);
  pass(test_case.grad_bias, call.grad_bias);
  return call;
}

std::set<std::string> ids_of(const Call& call) {
  std::set<std::string> ids;
  for (const Breach& breach : breaches(call)) {
    EXPECT_GT(breach.text.size(), 15U) << breach.rule;
    EXPECT_FALSE(breach.source.empty()) << breach.rule;
    ids.emplace(breach.rule);
  }
  return ids;
}

class ConvTbcRuleExamples : public testing::TestWithParam<std::string> {
 protected:
  using CallOf = std::optional<corpus::Case> RuleExample::*;

  template <typename Check>
  static void for_each(CallOf call, Check check) {
    for (const RuleExample* example : spec::examples_of(GetParam())) {
      if (!(example->*call)) continue;
      for (const auto& soc : example->products) {
        const auto test_case = spec::on(*(example->*call), soc);
        SCOPED_TRACE(spec::title(*example, test_case));
        for (const Profile profile : profiles) check(*example, tbc_call_of(test_case, profile));
      }
    }
  }
};

TEST_P(ConvTbcRuleExamples, BreakTheRuleAndNoOther) {
  for_each(&RuleExample::breaks, [](const RuleExample& example, const Call& call) {
    const auto found = breaches(call);
    if (call.released()) {
      EXPECT_TRUE(example.codes.allows_in_released(status_of(found))) << words_of(found);
      return;
    }
    EXPECT_EQ(status_of(found), *example.codes.documented) << words_of(found);
    std::set<std::string> due(example.with->begin(), example.with->end());
    if (*example.codes.documented != ACLNN_SUCCESS) due.insert(example.rule);
    EXPECT_EQ(ids_of(call), due) << words_of(found);
  });
}

TEST_P(ConvTbcRuleExamples, AreJustMetByAValidCall) {
  for_each(&RuleExample::meets, [](const RuleExample&, const Call& call) {
    EXPECT_TRUE(breaches(call).empty()) << words_of(breaches(call));
  });
}

INSTANTIATE_TEST_SUITE_P(Specification, ConvTbcRuleExamples,
                         testing::ValuesIn(spec::rules_of(corpus::Api::ConvTbcBackward)),
                         [](const auto& rule) { return spec::test_name(rule.param); });

TEST(ConvTbcRules, AreThoseOfTheSpecificationEachOnce) {
  spec::Names ids;
  for (const Rules& rules : {tensor_rules(), relation_rules()}) {
    for (const ConvTbcRule& rule : rules) ids.emplace_back(rule.id);
  }
  std::erase_if(ids, [](const auto& id) { return id == "LIVE-01" || id == "SIZE-01"; });
  EXPECT_EQ(ids, spec::rules_of(corpus::Api::ConvTbcBackward));
}

class ConvTbcCall : public testing::Test {
 protected:
  Call call_ = tbc_call_of(spec::stored_call("legal-tbc-1"), Profile::Documented);
};

TEST_F(ConvTbcCall, NeedsItsOutParameters) {
  for (bool* const given : {&call_.has_workspace_size, &call_.has_executor}) {
    *given = false;
    EXPECT_EQ(ids_of(call_), std::set<std::string>{"TBC-01"});
    EXPECT_EQ(status_of(breaches(call_)), ACLNN_ERR_PARAM_NULLPTR);
    *given = true;
  }
}

TEST_F(ConvTbcCall, MayHaveNoDeadDescriptorAndNoNegativeSize) {
  call_.bias.value.reset();
  EXPECT_EQ(ids_of(call_), std::set<std::string>{"LIVE-01"});
  EXPECT_EQ(status_of(breaches(call_)), ACLNN_ERR_INNER_NULLPTR);
  pass(spec::stored_call("legal-tbc-1").bias, call_.bias);
  call_.bias.value->storage_shape = {-3};
  EXPECT_EQ(ids_of(call_), std::set<std::string>{"SIZE-01"});
  EXPECT_EQ(status_of(breaches(call_)), ACLNN_ERR_PARAM_INVALID);
}

TEST_F(ConvTbcCall, PromotesDifferentDtypesToFloat) {
  EXPECT_EQ(promoted(call_), ACL_FLOAT16);
  call_.weight.value->data_type = ACL_BF16;
  EXPECT_EQ(promoted(call_), ACL_FLOAT);
  call_.input.value->data_type = ACL_INT8;
  EXPECT_EQ(promoted(call_), std::nullopt);
}

}  // namespace
}  // namespace gradproof::kernel::api::conv_tbc
