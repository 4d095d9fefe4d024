// The examples of the specification against the rules of Conv3DBackpropInputV2 and
// Conv3DBackpropFilterV2, through their C functions; and what only this simulator refuses.

#include "tests/support/operator_arguments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "kernel/api/graph_rules/rule.h"
#include "tests/kernel/api/graph_operator_rules.h"
#include "tests/spec/examples.h"

namespace gradproof::kernel {
namespace {

using spec::RuleExample;

/// The device of a product; there is one for each that knows other operators.
std::optional<Device> device_of(const std::string& soc) {
  static const std::map<std::string, Device> devices = {{"Ascend910B", On910B},
                                                        {"Ascend910_93", On910_93},
                                                        {"Ascend950", On950},
                                                        {"Ascend310P", On310P},
                                                        {"Ascend910", On910}};
  const auto found = devices.find(soc);
  return found == devices.end() ? std::nullopt : std::optional(found->second);
}

spec::Names graph_rules() {
  spec::Names ids = spec::rules_of(corpus::Api::Conv3DBackpropInputV2);
  for (auto& id : spec::rules_of(corpus::Api::Conv3DBackpropFilterV2)) ids.push_back(id);
  return ids;
}

class GraphOperatorExamples : public GraphOperatorRules,
                              public testing::WithParamInterface<std::string> {
 protected:
  using CallOf = std::optional<corpus::Case> RuleExample::*;

  template <typename Check>
  static void for_each(CallOf call, Check check) {
    for (const RuleExample* example : spec::examples_of(GetParam())) {
      if (!(example->*call)) continue;
      for (const auto& soc : example->products) {
        const auto device = device_of(soc);
        if (!device) continue;
        const auto problem = spec::on(*(example->*call), soc);
        SCOPED_TRACE(spec::title(*example, problem));
        use(*device);
        check(*example, arguments_of(problem));
      }
    }
  }

  static void expect_rules(const RuleExample& example, const std::string& text) {
    const auto list = rules_in(text);
    const std::set<std::string> named(list.begin(), list.end());
    std::set<std::string> due{spec::kernel_id(example)};
    if (example.with) due.insert(example.with->begin(), example.with->end());
    for (const auto& id : example.unsaid) EXPECT_EQ(due.erase(id), 1) << id;
    EXPECT_TRUE(std::ranges::includes(named, due)) << text;
    due.insert(example.may.begin(), example.may.end());
    EXPECT_TRUE(std::ranges::includes(due, named)) << text;
  }
};

TEST_P(GraphOperatorExamples, BreakTheRuleWithTheStatusOfTheSpecification) {
  for_each(&RuleExample::breaks, [](const RuleExample& example, const Arguments& arguments) {
    const PhaseOne broken = asked(arguments);
    EXPECT_EQ(broken.status, *example.codes.documented) << broken.text;
    if (broken.status == accepted) {
      EXPECT_NE(broken.workspace_size, untouched_size);
      return;
    }
    expect_refusal(broken, arguments.kind);
    expect_rules(example, broken.text);
  });
}

TEST_P(GraphOperatorExamples, AreJustMetByACallThatIsAccepted) {
  for_each(&RuleExample::meets, [](const RuleExample&, const Arguments& arguments) {
    const PhaseOne met = asked(arguments);
    EXPECT_EQ(met.status, accepted) << met.text;
  });
}

TEST_P(GraphOperatorExamples, AreJudgedByTheReleasedProfileAsByTheReleasedOperators) {
  initialise({{"GRADPROOF_DEVICES", device_list}, {"GRADPROOF_PROFILE", "released"}});
  for (const CallOf call : {&RuleExample::breaks, &RuleExample::meets}) {
    for_each(call, [&](const RuleExample& example, const Arguments& arguments) {
      if (call == &RuleExample::meets && example.breaks) return;
      const PhaseOne result = asked(arguments);
      EXPECT_TRUE(example.codes.allows_in_released(result.status))
          << result.status << ' ' << result.text;
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Specification, GraphOperatorExamples, testing::ValuesIn(graph_rules()),
                         [](const auto& rule) { return spec::test_name(rule.param); });

TEST_F(GraphOperatorRules, AreThoseOfTheSpecification) {
  using namespace api::graph_checks;
  for (const auto& [kind, api] : {std::pair(input_v2, corpus::Api::Conv3DBackpropInputV2),
                                  std::pair(filter_v2, corpus::Api::Conv3DBackpropFilterV2)}) {
    std::set<std::string> specified = {"HW-01", "LIVE-01"}, known;
    for (const RuleExample& example : spec::rule_examples()) {
      if (spec::api_of(example) == api) specified.insert(spec::kernel_id(example));
    }
    for (const Rules& rules : {pointer_rules(), kind == input_v2 ? input_rules() : filter_rules(),
                               capacity_rules(kind), size_rules()}) {
      for (const auto& rule : rules) known.emplace(rule.id);
    }
    EXPECT_EQ(known, specified);
  }
}

// ---- what no case describes, or only this simulator refuses

TEST_F(GraphOperatorRules, WantSomewhereToPutTheResultOfTheFirstPhase) {
  for (const Operator kind : {input_v2, filter_v2}) {
    const Convolution valid{.kind = kind};
    expect_refused(with(valid, [](Arguments& a) { a.gives_workspace_size = false; }), "NULL",
                   missing);
    expect_refused(with(valid, [](Arguments& a) { a.gives_executor = false; }), "NULL", missing);
  }
}

TEST_F(GraphOperatorRules, RefuseATensorThatWasDestroyed) {
  for (const Operator kind : {input_v2, filter_v2}) {
    const Convolution valid{.kind = kind};
    expect_refused(with(valid, [](Arguments& a) { a.operand().is_destroyed = true; }), "LIVE-01");
    expect_refused(with(valid, [](Arguments& a) { a.result().is_destroyed = true; }), "LIVE-01");
  }
}

TEST_F(GraphOperatorRules, TakeNoSumIn64BitsOnTrust) {
  const auto strided = [](Operator kind, int first) {
    return with({.kind = kind}, [&](Arguments& a) {
      a.out_backprop.strides = Ints{std::int64_t{1} << first, 1, 1, 1, 1 << 20};
    });
  };
  for (const Operator kind : {input_v2, filter_v2}) {
    expect_refused(strided(kind, 62), "HW-01");
    EXPECT_EQ(asked(strided(kind, 50)).status, accepted);
  }
}

}  // namespace
}  // namespace gradproof::kernel
