#include "corpus/machine/machine_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace gradproof::corpus {
namespace {

using testing::HasSubstr;

/// Every field has another value than its default.
Machine full_machine() {
  GradientMachine gradient;
  gradient.gradient = OutputRole::GradWeight;
  gradient.operands = {"HF32", 12, MachineRounding::NearestAway};
  gradient.product = MachineProduct::Rounded;
  gradient.tree = {TreeFamily::Lanes, 8, TreeCombine::Halves, 0, {}};
  gradient.order = {{{"n", false, OrderAxis::Part::Block, 16},
                     {"oh", true, OrderAxis::Part::Whole, 0},
                     {"n", false, OrderAxis::Part::Within, 16}},
                    true};
  gradient.node = {MachineRounding::TowardZero, 25, 2};
  gradient.subnormals = {SubnormalHandling::Flushed, SubnormalHandling::Unknown,
                         SubnormalHandling::Flushed, SubnormalHandling::Unknown};
  gradient.overflow = OverflowHandling::Saturated;
  gradient.specials = {SpecialHandling::Kept, SpecialHandling::Lost, SpecialHandling::Lost};
  gradient.output_formats = {"FLOAT16", "FLOAT"};
  gradient.output_rounding = MachineRounding::Odd;
  gradient.evidence = {3, 100, 1, "0123456789abcdef", {"nothing."}};
  GradientMachine tree;
  tree.tree = {TreeFamily::Explicit, 0, TreeCombine::Sequential, 3, {{0, 2}, {3, 1}}};
  tree.elsewhere = {{{{0, 1, 2}, {0, 1, 3}},
                     {TreeFamily::Explicit, 0, TreeCombine::Sequential, 2, {{0}, {2, 1}}},
                     {{{"kh", true, OrderAxis::Part::Whole, 0}}, false}}};
  Case call;
  call.grad_output = TensorCase{{1, 1, 3}, DataType::Float, Format::Ncl, {}, 0, {}};
  const GradientAlgorithm algorithm{OutputRole::GradWeight, Algorithm::Winograd3x2, true, 64};
  return {"libx.so", "Ascend910B", 2, call, {gradient, tree}, {algorithm}};
}

TEST(MachineJson, GivesTheSameMachineBack) {
  const Machine machine = full_machine();
  const auto read = parse_machine(to_json(machine));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(*read, machine);
}

TEST(MachineJson, NeedsNothingButAlgorithmsOfAPerson) {
  const std::string known =
      R"("algorithms":[{"gradient":"gradInput","algorithm":"winograd_f4x4_3x3"}])";
  const std::string begin = R"({"schema":"gradproof-machine-1",)";
  const auto read = parse_machine(begin + known + "}");
  ASSERT_TRUE(read) << read.error().text();
  ASSERT_EQ(read->algorithms.size(), 1U);
  EXPECT_EQ(read->algorithms[0].algorithm, Algorithm::Winograd4x3);
  EXPECT_FALSE(parse_machine(begin + R"("colour":1,)" + known + "}"));
  EXPECT_FALSE(parse_machine(begin + R"("library":"mine",)" + known + "}"));
}

TEST(MachineJson, NamesWhatIsWrong) {
  const std::string text = to_json(full_machine());
  const auto problem_with = [&](const std::string& old, const std::string& now) {
    std::string changed = text;
    const auto at = changed.find(old);
    if (at == std::string::npos) return "no " + old;
    changed.replace(at, old.size(), now);
    const auto read = parse_machine(changed);
    return read ? std::string("read") : read.error().text();
  };
  EXPECT_THAT(problem_with("gradproof-machine-1", "gradproof-machine-9"), HasSubstr("schema"));
  EXPECT_THAT(problem_with("\"HF32\"", "32"), HasSubstr("gradients[0].operands.format"));
  EXPECT_THAT(problem_with("\"n/16\"", "\"n/x\""), HasSubstr("\"n/x\" is no loop"));
  EXPECT_THAT(problem_with("\"lanes\"", "\"stairs\""), HasSubstr("\"stairs\""));
  EXPECT_THAT(problem_with("\"size\": 8,", ""), HasSubstr("lanes needs a size"));
  EXPECT_THAT(problem_with("\"accumulator_bits\": 25", "\"accumulator_bits\": 99"),
              HasSubstr("accumulator_bits"));
  EXPECT_THAT(problem_with("\"threads\": 2", "\"threads\": 2, \"speed\": 1"), HasSubstr("speed"));
  EXPECT_THAT(problem_with("\"positions\": [", "\"positions\": [7, "),
              HasSubstr("gradients[1].elsewhere[0].positions[0]"));
  EXPECT_THAT(problem_with("\"stride\"", "\"strid\""), HasSubstr("call.strid"));
  EXPECT_THAT(problem_with("winograd_f3x3_2x2", "winograd_f6x6_3x3"),
              HasSubstr("algorithms[0].algorithm: unknown algorithm \"winograd_f6x6_3x3\"; known "
                        "are direct, split_sums, winograd_f3x3_2x2"));
  EXPECT_THAT(problem_with("winograd_f3x3_2x2", "winograd_f2x2_3x3"),
              HasSubstr("winograd_f2x2_3x3 computes gradInput, not gradWeight"));
  EXPECT_THAT(problem_with("\"tiles_anywhere\"", "\"matrices\": [], \"tiles_anywhere\""),
              HasSubstr("algorithms[0].matrices"));
}

TEST(MachineJson, RefusesImpossibleTrees) {
  GradientMachine gradient = full_machine().gradients[1];
  EXPECT_EQ(impossibility(gradient), std::nullopt);
  gradient.tree.nodes = {{0, 2}, {3, 0}};
  EXPECT_THAT(impossibility(gradient).value_or(""), HasSubstr("part 0 is added twice"));
  gradient.tree.nodes = {{0, 4}, {3, 1}};
  EXPECT_THAT(impossibility(gradient).value_or(""), HasSubstr("no earlier node"));
  gradient.tree.nodes = {{0, 1}, {3}};
  EXPECT_THAT(impossibility(gradient).value_or(""), HasSubstr("less than two parts"));
  gradient.tree = {TreeFamily::Explicit, 0, TreeCombine::Sequential, 4, {{0, 1}, {2, 3}}};
  EXPECT_THAT(impossibility(gradient).value_or(""), HasSubstr("no other node adds it"));
  gradient.tree = {};
  EXPECT_EQ(impossibility(gradient), std::nullopt);
  gradient.elsewhere[0].tree.nodes = {{0, 1}, {1, 2}};
  EXPECT_THAT(impossibility(gradient).value_or(""), HasSubstr("elsewhere[0]: tree: part 1"));
}

}  // namespace
}  // namespace gradproof::corpus
