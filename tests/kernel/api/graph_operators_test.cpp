// The examples of the specification against the rules of Conv3DBackpropInputV2 and
// Conv3DBackpropFilterV2, through their C functions; and what only this simulator refuses.

#include "tests/support/operator_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/spec/examples.h"

namespace gradproof::kernel {
namespace {

using spec::RuleExample;
using testing::HasSubstr;

/// The ids in brackets, newest line first.
std::vector<std::string> rules_in(const std::string& text) {
  static const std::regex bracketed(R"(\[([A-Z]+(-[A-Z0-9]+)?)\])");
  std::vector<std::string> ids;
  for (std::sregex_iterator match(text.begin(), text.end(), bracketed), end; match != end;
       ++match) {
    ids.push_back((*match)[1]);
  }
  return ids;
}

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

class GraphOperatorRules : public GraphOperators {
 protected:
  static void expect_refusal(const PhaseOne& broken, Operator kind) {
    EXPECT_EQ(broken.workspace_size, untouched_size);
    EXPECT_EQ(broken.executor, nullptr);
    EXPECT_THAT(broken.text, HasSubstr(kind == input_v2 ? "(Conv3DBackpropInputV2, "
                                                        : "(Conv3DBackpropFilterV2, "));
  }

  /// Refused for this alone, on every product that has the operators.
  static void expect_refused(const Arguments& arguments, const std::string& rule,
                             aclnnStatus status = refused) {
    for (const Device device : every) {
      SCOPED_TRACE(testing::Message() << rule << " on device " << device);
      use(device);
      const PhaseOne broken = asked(arguments);
      EXPECT_EQ(broken.status, status) << broken.text;
      expect_refusal(broken, arguments.kind);
      const auto named = rules_in(broken.text);
      EXPECT_EQ(std::set<std::string>(named.begin(), named.end()), std::set{rule}) << broken.text;
    }
  }
};

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
  for (const auto& [kind, api] : {std::pair(input_v2, corpus::Api::Conv3DBackpropInputV2),
                                  std::pair(filter_v2, corpus::Api::Conv3DBackpropFilterV2)}) {
    std::set<std::string> specified = {"HW-01", "LIVE-01"}, known;
    for (const RuleExample& example : spec::rule_examples()) {
      if (spec::api_of(example) == api) specified.insert(spec::kernel_id(example));
    }
    for (const std::string_view id : api::rule_ids(kind)) known.emplace(id);
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

// ---- any arguments at all

/// A number that sizes, strides and the like should not be, or are at an edge with.
std::int64_t odd_number(std::mt19937_64& random) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  constexpr std::array<std::int64_t, 16> numbers = {-largest - 1,
                                                    -(std::int64_t{1} << 31),
                                                    -1,
                                                    0,
                                                    1,
                                                    2,
                                                    3,
                                                    63,
                                                    64,
                                                    255,
                                                    256,
                                                    511,
                                                    65536,
                                                    2147483646,
                                                    2147483648,
                                                    largest};
  return numbers[random() % numbers.size()];
}

void disturb(std::optional<Ints>& values, std::mt19937_64& random) {
  const auto kind = random() % 8;
  if (kind == 0) {
    values.reset();
  } else if (!values || kind == 1) {
    values = Ints(random() % 8, odd_number(random));
  } else if (!values->empty()) {
    values->at(random() % values->size()) = odd_number(random);
  }
}

void disturb(TensorText& tensor, std::mt19937_64& random) {
  std::optional<Ints> shape = tensor.shape;
  switch (random() % 8) {
    case 0:
      tensor.is_null = true;
      break;
    case 1:
      tensor.is_destroyed = true;
      break;
    case 2:
      tensor.type = static_cast<aclDataType>(static_cast<int>(random() % 45) - 1);
      break;
    case 3:
      tensor.format = static_cast<aclFormat>(static_cast<int>(random() % 60) - 1);
      break;
    case 4:
      tensor.offset = odd_number(random);
      break;
    case 5:
      tensor.strides = row_major(tensor.shape);
      for (std::int64_t& stride : *tensor.strides) {
        if (random() % 3 == 0) stride = odd_number(random);
      }
      break;
    default:
      disturb(shape, random);
      tensor.shape = shape.value_or(Ints{});
      tensor.strides.reset();
  }
}

void disturb(Arguments& arguments, std::mt19937_64& random) {
  switch (random() % 10) {
    case 0:
      return disturb(arguments.size, random);
    case 1:
      return disturb(arguments.strides, random);
    case 2:
      return disturb(arguments.pads, random);
    case 3:
      return disturb(arguments.dilations, random);
    case 4:
      return disturb(arguments.feature, random);
    case 5:
      return disturb(arguments.filter, random);
    case 6:
      return disturb(arguments.out_backprop, random);
    case 7:
      arguments.groups = odd_number(random);
      return;
    case 8:
      arguments.data_format = std::string(random() % 7, 'N');
      return;
    default:
      arguments.enable_hf32 = !arguments.enable_hf32;
  }
}

TEST_F(GraphOperatorRules, SayWhyWheneverTheyRefuse) {
  std::mt19937_64 random(1);
  int accepted_count = 0;
  for (int turn = 0; turn < 20'000; ++turn) {
    Arguments arguments = Convolution{.kind = turn % 2 == 0 ? input_v2 : filter_v2}.arguments();
    for (auto changes = 1 + random() % 3; changes > 0; --changes) disturb(arguments, random);
    use(static_cast<Device>(random() % DeviceCount));
    const PhaseOne result = asked(arguments);
    ASSERT_THAT(result.status, testing::AnyOf(accepted, missing, refused)) << "turn " << turn;
    if (result.status == accepted) {
      ASSERT_NE(result.workspace_size, untouched_size) << "turn " << turn;
      ++accepted_count;
    } else {
      ASSERT_EQ(result.workspace_size, untouched_size) << "turn " << turn;
      ASSERT_THAT(rules_in(result.text), testing::Not(testing::IsEmpty())) << "turn " << turn;
    }
  }
  EXPECT_GT(accepted_count, 100);
}

}  // namespace
}  // namespace gradproof::kernel
