// The checks that phase one leaves out where a call cannot break them.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "aclnnop/aclnn_convolution_backward.h"
#include "kernel/api/convolution_rules/parameter_checks.h"
#include "tests/kernel/api/planned_situation.h"
#include "tests/support/drawn_call.h"
#include "tests/support/runtime_fixture.h"

namespace gradproof::kernel::api {
namespace {

/// A change needs what it changes.
bool has_everything(const Call& call) {
  const auto is_there = [](const auto& argument) { return argument.value.has_value(); };
  return is_there(call.grad_output) && is_there(call.input) && is_there(call.weight) &&
         is_there(call.bias_sizes) && is_there(call.stride) && is_there(call.padding) &&
         is_there(call.dilation) && is_there(call.output_padding) && is_there(call.output_mask) &&
         is_there(call.grad_input) && is_there(call.grad_weight) && is_there(call.grad_bias);
}

/// Phase one skips groups of rules that a call cannot break: every rule, asked by itself, must say
/// the same.
TEST(ParameterChecks, SkipNoRuleThatACallBreaks) {
  constexpr device::Product products[] = {
      device::Product::Ascend310,  device::Product::Ascend310P,   device::Product::Ascend910,
      device::Product::Ascend910B, device::Product::Ascend910_93, device::Product::Ascend950};
  Random random(7);
  const std::vector<Change> changes = changes_of_arguments();
  std::int64_t broken = 0;
  for (int round = 0; round < 20'000; ++round) {
    Situation situation = legal_situation(random);
    situation.call.product = products[random.between(0, 5)];
    for (std::int64_t i = random.between(0, 3); i > 0; --i) {
      const auto last = static_cast<std::int64_t>(changes.size()) - 1;
      const Change& change = changes[static_cast<std::size_t>(random.between(0, last))];
      if (has_everything(situation.call)) change.make(situation);
    }
    const std::vector<Breach> all = breaches(situation.call);
    const Verdict verdict = check_parameters(situation.call);
    ASSERT_EQ(verdict.status, status_of(all));
    std::string lines;
    for (const std::string& line : verdict.error_lines) lines += line + "\n";
    std::size_t named = 0;
    for (const Breach& breach : all) {
      if (breach.status == OK) continue;
      ++named;
      ASSERT_NE(lines.find("[" + std::string(breach.rule) + "] " + breach.text), std::string::npos);
    }
    ASSERT_EQ(verdict.error_lines.size(), named);
    broken += named > 0 ? 1 : 0;
  }
  EXPECT_GT(broken, 10'000);
}

}  // namespace
}  // namespace gradproof::kernel::api
