// Which calls a measured machine says something about.

#include "oracle/arithmetic/machine_scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/status_calls.h"

namespace gradproof::oracle {
namespace {

using corpus::Case;

/// A machine measured with one call, and a call that differs from it.
std::optional<std::string> scope_of(const Change& change) {
  corpus::Machine machine;
  machine.call = case_of(LegalCall{});
  return out_of_scope(machine, corpus::GradientMachine{}, changed(*machine.call, change));
}

TEST(MachineScope, IsTheFunctionProductDtypesAndModeThatWereMeasured) {
  EXPECT_EQ(scope_of([](Case&) {}), std::nullopt);
  EXPECT_EQ(scope_of([](Case& call) {
              call.padding = std::vector<std::int64_t>{1, 1};
            }),
            std::nullopt);
  const auto differs = [](const std::string& text) {
    return testing::Optional(testing::StartsWith("it was measured " + text));
  };
  EXPECT_THAT(scope_of([](Case& call) { call.cube_math_type = 3; }),
              differs("with cubeMathType 0"));
  EXPECT_THAT(scope_of([](Case& call) { call.soc = "Ascend910A"; }), differs("on Ascend910B"));
  EXPECT_THAT(scope_of([](Case& call) { call.weight->dtype = corpus::DataType::Float; }),
              differs("with the dtypes FLOAT16, FLOAT16, FLOAT16"));
}

/// A kernel's loop order of one direction and rank is not that of others.
TEST(MachineScope, IsTheDirectionAndTheAxesThatWereMeasured) {
  const LegalCall flat{.small = {6, 6}, .kernel = {3, 3}};
  corpus::Machine machine;
  machine.call = case_of(flat);
  const auto of = [&](corpus::OutputRole role, const LegalCall& call) {
    corpus::GradientMachine gradient;
    gradient.gradient = role;
    return out_of_scope(machine, gradient, case_of(call));
  };
  const auto has = [](const char* text) { return testing::Optional(testing::HasSubstr(text)); };
  const auto input = corpus::OutputRole::GradInput, weight = corpus::OutputRole::GradWeight;
  EXPECT_EQ(of(input, {.batch = 5, .small = {9, 1}, .kernel = {1, 7}}), std::nullopt);
  EXPECT_EQ(of(input, {.rank = 3, .small = {9}, .kernel = {7}}), std::nullopt);
  LegalCall transposed = flat;
  transposed.transposed = true;
  EXPECT_THAT(of(input, transposed), has("with transposed false"));
  const LegalCall deep{.rank = 5, .small = {2, 6, 6}, .kernel = {2, 3, 3}};
  EXPECT_THAT(of(input, deep), has("with one kd alone"));
  EXPECT_THAT(of(weight, deep), has("with one od alone"));
  EXPECT_EQ(of(input, {.rank = 5, .small = {2, 6, 6}, .kernel = {1, 3, 3}}), std::nullopt);
}

}  // namespace
}  // namespace gradproof::oracle
