// The examples of the specification against the kernel's rules of aclnnConvolutionBackward: a call
// that breaks a rule and nothing else, one that just meets it, on each product it is for and in
// both profiles; the worked decisions; and what only this simulator refuses.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "kernel/api/convolution_rules/rule.h"
#include "kernel/include/aclnn/opdev/op_errno.h"
#include "tests/spec/examples.h"
#include "tests/support/parameter_call.h"
#include "tests/support/status_calls.h"

namespace gradproof::kernel::api {
namespace {

using device::Profile;
using parameter_checks::Call;
using spec::RuleExample;

constexpr aclnnStatus ok = ACLNN_SUCCESS, null_status = ACLNN_ERR_PARAM_NULLPTR,
                      invalid = ACLNN_ERR_PARAM_INVALID, refused = ACLNN_ERR_INNER_NULLPTR;

constexpr Profile profiles[] = {Profile::Documented, Profile::Released};
const spec::Names supported = {"Ascend310P", "Ascend910", "Ascend910B", "Ascend910_93",
                               "Ascend950"};

// LAYOUT-03: unspecified, overlapping outputs; NULL-18: pointers that no case describes, below.
const std::set<std::string> without_example = {"LAYOUT-03", "NULL-18"};
const std::set<std::string> simulators_own = {"LIVE-01", "SIZE-01"};

std::set<std::string> ids_of(const std::vector<Breach>& breaches, bool refusing) {
  std::set<std::string> ids;
  for (const Breach& breach : breaches) {
    if (!refusing || breach.status != ok) ids.emplace(breach.rule);
  }
  return ids;
}

bool states(const spec::StatedCodes& codes, Profile profile, aclnnStatus status) {
  if (profile == Profile::Released) return codes.allows_in_released(status);
  return !codes.documented || status == *codes.documented;
}

std::set<std::string> others_of(const RuleExample& example) {
  std::set<std::string> ids(example.may.begin(), example.may.end());
  if (example.with) ids.insert(example.with->begin(), example.with->end());
  return ids;
}

TEST(ParameterRules, AreThoseOfTheSpecificationEachOnce) {
  std::set<std::string> ids;
  using namespace parameter_checks;
  for (const Rules& rules :
       {null_rules(), product_rules(), dtype_rules(), float8_rules(), format_rules(),
        length_rules(), bound_rules(), math_mode_rules(), channel_rules(), shape_rules(),
        bias_rules(), empty_rules(), memory_rules(), range_rules()}) {
    for (const Rule& rule : rules) EXPECT_TRUE(ids.emplace(rule.id).second) << rule.id;
  }
  for (const std::string& id : simulators_own) EXPECT_EQ(ids.erase(id), 1U) << id;
  for (const std::string& id : without_example) EXPECT_EQ(ids.erase(id), 1U) << id;
  const auto specified = spec::rules_of(corpus::Api::ConvolutionBackward);
  EXPECT_EQ(ids, std::set<std::string>(specified.begin(), specified.end()));
}

/// Runs a check on the call of each example of one rule, on each product and in both profiles, with
/// a trace that names them.
class ParameterRuleExamples : public testing::TestWithParam<std::string> {
 protected:
  using CallOf = std::optional<corpus::Case> RuleExample::*;

  template <typename Check>
  static void for_each(CallOf call, Check check) {
    for (const RuleExample* example : spec::examples_of(GetParam())) {
      if (!(example->*call)) continue;
      for (const auto& soc : example->products) {
        const auto problem = spec::on(*(example->*call), soc);
        for (const Profile profile : profiles) {
          SCOPED_TRACE(spec::title(*example, problem) +
                       (profile == Profile::Documented ? ", documented" : ", released"));
          check(*example, call_of(problem, profile));
        }
      }
    }
  }
};

/// What the rule leads to by itself: where that is not stated, what the call does.
const spec::StatedCodes& own_codes(const RuleExample& example) {
  return example.alone.documented ? example.alone : example.codes;
}

/// The released library reads some rules otherwise and does not find them broken. A permission may
/// go without a word where the example states what other rules are in play.
bool may_be_unnamed(const RuleExample& example, const Call& call) {
  const auto documented = own_codes(example).documented;
  if (documented == ok) return example.with.has_value();
  return call.profile == Profile::Released && own_codes(example).allows_in_released(ok);
}

TEST_P(ParameterRuleExamples, BreakTheRuleAndNoOther) {
  for_each(&RuleExample::breaks, [](const RuleExample& example, const Call& call) {
    const std::string& rule = spec::kernel_id(example);
    const auto found = breaches(call);
    EXPECT_TRUE(ids_of(found, false).contains(rule) || may_be_unnamed(example, call))
        << words_of(found);
    const auto others = others_of(example);
    for (const Breach& breach : found) {
      const bool is_listed = breach.rule == rule || others.contains(std::string(breach.rule));
      EXPECT_TRUE(is_listed || breach.status == ok) << words_of(found);
      if (breach.rule == rule) {
        EXPECT_TRUE(states(own_codes(example), call.profile, breach.status)) << words_of(found);
      }
      EXPECT_GT(breach.text.size(), 15U) << breach.rule;
      EXPECT_FALSE(breach.source.empty()) << breach.rule;
    }
  });
}

TEST_P(ParameterRuleExamples, GetTheStatusOfTheSpecification) {
  for_each(&RuleExample::breaks, [](const RuleExample& example, const Call& call) {
    const auto found = breaches(call);
    EXPECT_TRUE(states(example.codes, call.profile, status_of(found))) << status_of(found) << '\n'
                                                                       << words_of(found);
  });
}

TEST_P(ParameterRuleExamples, AreJustMetByAValidCall) {
  for_each(&RuleExample::meets, [](const RuleExample& example, const Call& call) {
    const auto found = breaches(call);
    EXPECT_EQ(status_of(found), ok) << words_of(found);
    EXPECT_FALSE(ids_of(found, true).contains(example.rule)) << words_of(found);
  });
}

TEST_P(ParameterRuleExamples, StayOnTheProductsTheyAreFor) {
  std::set<std::string> products;
  const auto examples = spec::examples_of(GetParam());
  for (const RuleExample* example : examples) {
    if (example->breaks) products.insert(example->products.begin(), example->products.end());
  }
  for (const RuleExample* example : examples) {
    for (const auto& soc : supported) {
      if (!example->breaks || products.contains(soc)) continue;
      const auto found = breaches(call_of(spec::on(*example->breaks, soc), Profile::Documented));
      EXPECT_FALSE(ids_of(found, true).contains(GetParam())) << soc << '\n' << words_of(found);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Specification, ParameterRuleExamples,
                         testing::ValuesIn(spec::rules_of(corpus::Api::ConvolutionBackward)),
                         [](const auto& rule) { return spec::test_name(rule.param); });

TEST(WorkedDecisions, AreTakenAsSpecifiedInBothProfiles) {
  ASSERT_EQ(spec::worked_decisions().size(), 21U);
  for (const spec::WorkedDecision& decision : spec::worked_decisions()) {
    for (const Profile profile : profiles) {
      const auto found = breaches(call_of(decision.call, profile));
      EXPECT_TRUE(states(decision.codes, profile, status_of(found)))
          << decision.call.id << (profile == Profile::Documented ? " documented" : " released")
          << '\n'
          << words_of(found);
    }
  }
}

// ---- what no case describes, or only this simulator refuses

Call valid(const std::string& soc, Profile profile, oracle::LegalCall kind = {}) {
  kind.soc = soc;
  return call_of(oracle::case_of(kind), profile);
}

using Change = std::function<void(Call&)>;

void expect_alone(const std::string& rule, aclnnStatus status, const Change& change) {
  for (const auto& soc : supported) {
    for (const Profile profile : profiles) {
      Call call = valid(soc, profile);
      change(call);
      const auto found = breaches(call);
      EXPECT_TRUE(ids_of(found, true).contains(rule)) << words_of(found);
      EXPECT_EQ(status_of(found), status) << words_of(found);
    }
  }
}

TEST(ParameterRules, WantSomewhereToPutTheResultOfTheFirstPhase) {
  expect_alone("NULL-18", null_status, [](Call& call) { call.has_workspace_size = false; });
  expect_alone("NULL-18", null_status, [](Call& call) { call.has_executor = false; });
  for (const char* const unsupported : {"Ascend310", "Ascend310B"}) {
    Call call = valid(unsupported, Profile::Released);
    call.has_executor = false;
    EXPECT_EQ(status_of(breaches(call)), null_status);
  }
}

TEST(ParameterRules, RefuseAnArrayThatWasDestroyed) {
  expect_alone("LIVE-01", invalid, [](Call& call) { call.bias_sizes.value.reset(); });
}

TEST(ParameterRules, RefuseNegativeLengthsOfATensorAndOfItsStorage) {
  expect_alone("SIZE-01", invalid, [](Call& call) {
    call.weight.value->view_shape.back() = call.grad_weight.value->view_shape.back() = -3;
  });
  const auto storage = [](std::int64_t length) {
    return [length](Call& call) { call.grad_bias.value->storage_shape = {length}; };
  };
  expect_alone("SIZE-01", invalid, storage(-1));
  Call call = valid("Ascend910B", Profile::Documented);
  storage(1)(call);
  EXPECT_THAT(breaches(call), testing::IsEmpty());
}

/// Elements that all lie in one place take no memory, but are counted.
TEST(ParameterRules, CountTheElementsOfAViewWithoutStrides) {
  const auto repeated = [](std::int64_t times) {
    return [times](Call& call) {
      auto& tensor = *call.input.value;
      tensor.view_shape = {times, times, times, times};
      tensor.strides = {0, 0, 0, 0};
    };
  };
  const auto has_too_many = [&](std::int64_t times) {
    Call call = valid("Ascend910B", Profile::Documented);
    repeated(times)(call);
    return ids_of(breaches(call), false).contains("HW-01");
  };
  EXPECT_FALSE(has_too_many(1 << 14));
  EXPECT_TRUE(has_too_many(1 << 16));
}

TEST(ParameterRules, GiveEveryKindOfValidCallSuccess) {
  for (const auto& soc : supported) {
    const bool has_3d =
        parameter_checks::product_set(product_named(soc)) != parameter_checks::ProductSet::A1;
    for (const Profile profile : profiles) {
      for (const std::size_t rank : {3U, 4U, 5U}) {
        if (rank == 5 && !has_3d) continue;
        for (const bool transposed : {false, true}) {
          for (const int groups : {1, 2}) {
            const Call call =
                valid(soc, profile, {.rank = rank, .transposed = transposed, .groups = groups});
            EXPECT_THAT(breaches(call), testing::IsEmpty()) << words_of(breaches(call));
          }
        }
      }
    }
  }
}

TEST(ParameterRules, NameTheNullPointerFirstThenTheInvalidValueThenTheDevicesLimit) {
  Call call = valid("Ascend910B", Profile::Documented, {.dilation = {300, 1}});
  EXPECT_EQ(status_of(breaches(call)), refused);
  (*call.stride.value)[0] = 0;
  EXPECT_EQ(status_of(breaches(call)), invalid);
  call.weight = {};
  EXPECT_EQ(status_of(breaches(call)), null_status);
}

TEST(ParameterRules, SayWhatWasFoundWhatIsAllowedAndWhere) {
  Call call = valid("Ascend910B", Profile::Documented);
  (*call.stride.value)[1] = 0;
  const auto found = breaches(call);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "STRIDE-01");
  EXPECT_EQ(found[0].text, "stride[1] is 0; every stride must be >= 1");
  EXPECT_EQ(found[0].source, "parameter stride");
}

}  // namespace
}  // namespace gradproof::kernel::api
