// Phase one with its cache and without it: nothing but time may tell them apart.

#include "kernel/api/operators/plan_cache.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "aclnnop/aclnn_convolution_backward.h"
#include "tests/kernel/api/planned_situation.h"
#include "tests/support/drawn_call.h"
#include "tests/support/runtime_fixture.h"

namespace gradproof::kernel::api {
namespace {

using Kept = std::shared_ptr<const Decision>;

std::vector<Change> changes_of_the_device() {
  std::vector<Change> changes;
  const auto add = [&](const char* name, auto change) {
    changes.push_back({name, [change](Situation& situation) { change(situation.device); }});
  };
  add("device.id", [](DeviceState& device) { ++device.device_id; });
  add("device.product", [](DeviceState& device) { device.product = device::Product::Ascend950; });
  add("device.soc", [](DeviceState& device) { device.soc_name += "x"; });
  add("device.profile", [](DeviceState& device) { device.profile = device::Profile::Released; });
  add("device.float_products",
      [](DeviceState& device) { device.float_products = device::FloatProducts::Rounded; });
  add("device.hf32_rounding",
      [](DeviceState& device) { device.hf32_rounding = device::Hf32Rounding::NearestAway; });
  add("device.overflow_mode",
      [](DeviceState& device) { device.overflow_mode = ACL_RT_OVERFLOW_MODE_SATURATION; });
  add("device.deterministic", [](DeviceState& device) { device.deterministic = 1; });
  add("device.core_count", [](DeviceState& device) { ++device.core_count; });
  add("device.schedule_seed", [](DeviceState& device) { device.schedule_seed = 7; });
  add("device.path", [](DeviceState& device) { device.path = device::OperatorPath::Plain; });
  add("device.host_threads", [](DeviceState& device) { ++device.host_threads; });
  add("device.spreads", [](DeviceState& device) { device.spreads_every_launch = true; });
  add("device.winograd", [](DeviceState& device) { device.has_winograd = true; });
  return changes;
}

std::vector<Change> all_changes() {
  std::vector<Change> changes = changes_of_arguments();
  for (Change& change : changes_of_the_device()) changes.push_back(std::move(change));
  return changes;
}

// ---- decisions

/// What the cache says, which is what phase one says without it. One that is kept is the same
/// object each time.
Kept as_decided(PlanCache& cache, const Situation& situation) {
  Kept served = cache.decision(situation.call, situation.device);
  const Decision fresh = decided(situation.call, situation.device);
  EXPECT_EQ(served->status, fresh.status);
  EXPECT_EQ(served->error_lines, fresh.error_lines);
  EXPECT_EQ(served->workspace_size, fresh.workspace_size);
  EXPECT_EQ(served->operation == nullptr, fresh.operation == nullptr);
  return served;
}

/// Seen, kept.
Kept keep(PlanCache& cache, const Situation& situation) {
  as_decided(cache, situation);
  return as_decided(cache, situation);
}

TEST(PlanCache, ServesACallFromItsThirdTimeOn) {
  Random random(1);
  const Situation situation = legal_situation(random);
  PlanCache cache;
  const Kept first = as_decided(cache, situation);
  const Kept second = as_decided(cache, situation);
  EXPECT_NE(first, second);
  for (const std::uint64_t hits : {1U, 2U}) {
    EXPECT_EQ(as_decided(cache, situation), second);
    EXPECT_EQ(cache.hits(), hits);
  }
}

TEST(PlanCache, NeverTakesACallForAnotherThatDiffersInOneThing) {
  Random random(2);
  const std::vector<Change> changes = all_changes();
  for (int round = 0; round < 60; ++round) {
    const Situation base = legal_situation(random);
    for (const Change& change : changes) {
      SCOPED_TRACE(change.name);
      Situation changed = base;
      change.make(changed);
      PlanCache cache;
      const Kept of_base = keep(cache, base);
      EXPECT_NE(as_decided(cache, changed), of_base);
      const Kept of_changed = keep(cache, changed);
      EXPECT_NE(of_changed, of_base);
      EXPECT_EQ(as_decided(cache, base), of_base);
      EXPECT_EQ(as_decided(cache, changed), of_changed);
    }
    if (HasFailure()) return;
  }
}

TEST(PlanCache, ServesACallWhoseDataLieElsewhere) {
  Random random(3);
  Situation situation = legal_situation(random);
  PlanCache cache;
  const Kept kept = keep(cache, situation);
  std::byte elsewhere{};
  situation.call.input.value->data = &elsewhere;
  EXPECT_EQ(as_decided(cache, situation), kept);
}

TEST(PlanCache, KeepsNothingWhereItIsSwitchedOff) {
  Random random(4);
  const Situation situation = legal_situation(random);
  PlanCache cache;
  cache.use(false);
  for (int i = 0; i < 4; ++i) as_decided(cache, situation);
  EXPECT_EQ(cache.hits(), 0U);
}

/// What is kept may not grow with what programs pass.
TEST(PlanCache, KeepsNoCallWithALongArray) {
  Random random(5);
  Situation situation = legal_situation(random);
  situation.call.stride.value->assign(9, 1);
  PlanCache cache;
  for (int i = 0; i < 4; ++i) as_decided(cache, situation);
  EXPECT_EQ(cache.hits(), 0U);
}

TEST(PlanCache, ForgetsCallsWhenManyOthersCome) {
  Random random(6);
  const Situation first = legal_situation(random);
  PlanCache cache;
  keep(cache, first);
  Situation other = first;
  other.call.cube_math_type = 0;
  for (int i = 0; i < 20 * static_cast<int>(PlanCache::sets * PlanCache::calls_of_a_set); ++i) {
    other.call.groups = 1000 + i;
    cache.decision(other.call, other.device);
  }
  as_decided(cache, first);
  EXPECT_EQ(cache.hits(), 0U);
}

}  // namespace
}  // namespace gradproof::kernel::api
