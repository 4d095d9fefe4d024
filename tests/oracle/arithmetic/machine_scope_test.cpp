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
  machine.call = case_of({});
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

}  // namespace
}  // namespace gradproof::oracle
