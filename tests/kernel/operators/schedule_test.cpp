// What a program sees of the schedule: which calls repeat, which vary, and in which gradient.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "gradproof/machine.h"
#include "kernel/api/operators/run_operation.h"
#include "kernel/operators/call/cores.h"
#include "tests/support/runtime_fixture.h"
#include "tests/support/split_call.h"

namespace gradproof::kernel {
namespace {

class Schedules : public OnDevice {
 protected:
  void SetUp() override {
    ::unsetenv("GRADPROOF_SCHEDULE_SEED");
    OnDevice::SetUp();
  }
  void TearDown() override {
    for (const char* setting : {"schedule_seed", "host_threads", "cores", "path"}) {
      EXPECT_EQ(gradproofSetForThread(setting, nullptr), ACL_SUCCESS);
    }
    OnDevice::TearDown();
  }

  static void set(const char* setting, const std::string& value) {
    ASSERT_EQ(gradproofSetForThread(setting, value.c_str()), ACL_SUCCESS) << error_text();
  }
  static void be_deterministic() {
    ASSERT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), ACL_SUCCESS);
  }
  /// One call after another.
  static Patterns of_calls(SplitCall& call, int count) {
    Patterns patterns;
    for (int i = 0; i < count; ++i) patterns.add(call.run());
    return patterns;
  }
  /// Eight seeds, 1, 2 and 4 host threads, two calls each.
  static Patterns of_schedules(SplitCall& call) {
    Patterns patterns;
    for (int seed = 0; seed < 8; ++seed) {
      set("schedule_seed", std::to_string(seed));
      for (const char* threads : {"1", "2", "4"}) {
        set("host_threads", threads);
        patterns.add(call.run());
        patterns.add(call.run());
      }
    }
    return patterns;
  }
};

TEST_F(Schedules, WithASeedRepeatForTheSameCallWhateverRanBefore) {
  open({{"GRADPROOF_SCHEDULE_SEED", "7"}});
  const aclrtStream stream = new_stream();
  SplitCall call(stream);
  SplitCall other(stream, 24);
  const Gradients first = call.run();
  for (int others = 1; others < 6; ++others) {
    of_calls(other, others);
    EXPECT_EQ(call.run(), first) << "after " << others << " other calls";
  }
  Gradients elsewhere;
  std::thread([&] {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    elsewhere = call.run();
  }).join();
  EXPECT_EQ(elsewhere, first);
}

TEST_F(Schedules, WithoutASeedVaryFromCallToCallInGradWeightAlone) {
  SplitCall call(new_stream());
  const Patterns patterns = of_calls(call, 16);
  EXPECT_GE(patterns.grad_weight.size(), 2U);
  EXPECT_EQ(patterns.grad_input.size(), 1U);
  EXPECT_EQ(patterns.grad_bias.size(), 1U);
}

TEST_F(Schedules, OfOtherSeedsShowInGradWeightAlone) {
  for (const char* device : {"Ascend910B1", "Ascend910_9391"}) {
    open({{"GRADPROOF_DEVICES", device}});
    SplitCall call(new_stream());
    const Patterns patterns = of_schedules(call);
    EXPECT_GE(patterns.grad_weight.size(), 2U);
    EXPECT_LE(patterns.grad_weight.size(), 8U);  // threads and repeats change nothing
    EXPECT_EQ(patterns.grad_input.size(), 1U);
    EXPECT_EQ(patterns.grad_bias.size(), 1U);
  }
}

TEST_F(Schedules, ShowInNothingInDeterministicMode) {
  SplitCall call(new_stream());
  be_deterministic();
  const Patterns patterns = of_schedules(call);
  EXPECT_EQ(patterns.grad_weight.size(), 1U);
  EXPECT_EQ(patterns.grad_input.size(), 1U);
  EXPECT_EQ(patterns.grad_bias.size(), 1U);
}

TEST_F(Schedules, ShowInNothingOnAscend950) {
  open({{"GRADPROOF_DEVICES", "Ascend950PR_9589"}});
  SplitCall call(new_stream());
  const Patterns patterns = of_schedules(call);
  EXPECT_EQ(patterns.grad_weight.size(), 1U);
  EXPECT_EQ(patterns.grad_input.size(), 1U);
  EXPECT_EQ(patterns.grad_bias.size(), 1U);
}

/// Deterministic mode promises bits for a number of cores, not for all of them.
TEST_F(Schedules, GiveWayToTheNumberOfCores) {
  SplitCall call(new_stream());
  be_deterministic();
  Patterns patterns;
  for (const char* cores : {"4", "8", "16"}) {
    set("cores", cores);
    patterns.add(call.run());
  }
  EXPECT_EQ(patterns.grad_weight.size(), 3U);
  EXPECT_EQ(patterns.grad_input.size(), 1U);
  EXPECT_EQ(patterns.grad_bias.size(), 1U);
}

/// With one core there is one order of additions, that of the plain loops.
TEST_F(Schedules, LeaveOneCoreThePlainLoopsBits) {
  SplitCall call(new_stream());
  const Gradients shared = call.run();
  set("cores", "1");
  const Gradients alone = call.run();
  set("path", "plain");
  const Gradients plain = call.run();
  EXPECT_EQ(alone, plain);
  EXPECT_NE(shared.grad_weight, plain.grad_weight);
  EXPECT_EQ(gradproofSetForThread("path", nullptr), ACL_SUCCESS);
  EXPECT_EQ(call.run(), alone);
}

/// The seed says nothing in deterministic mode: what depends on the order shows in a repeat.
TEST_F(Schedules, AreNotReplayedInDeterministicMode) {
  device::DeviceState state;
  state.schedule_seed = 5;
  EXPECT_TRUE(api::launch_on(state).is_replayed);
  state.deterministic = 1;
  EXPECT_FALSE(api::launch_on(state).is_replayed);
  state.deterministic = 0;
  state.schedule_seed.reset();
  EXPECT_FALSE(api::launch_on(state).is_replayed);
}

/// The order in which the tasks of a launch begin.
std::vector<std::int64_t> order_of(const operators::Launch& launch, std::int64_t tasks) {
  std::vector<std::int64_t> order;
  EXPECT_TRUE(
      operators::run_on_cores(launch, tasks, 0, [&](std::int64_t task, cube::LocalBuffers&) {
        order.push_back(task);
        return operators::Outcome();
      }));
  return order;
}

TEST_F(Schedules, OfAnotherRunBeginTasksInAnotherOrder) {
  std::set<std::vector<std::int64_t>> orders;
  operators::Launch launch;
  for (launch.run = 0; launch.run < 20; ++launch.run) orders.insert(order_of(launch, 24));
  EXPECT_GE(orders.size(), 15U);
  launch.run = 3;
  EXPECT_EQ(order_of(launch, 24), order_of(launch, 24));
}

TEST_F(Schedules, AreSpreadOverTheThreadsThatAThreadAsksForHoweverSmall) {
  operators::Launch launch;
  launch.host_threads = 4;
  const auto threads_of = [&] {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    EXPECT_TRUE(operators::run_on_cores(launch, 4, 0, [&](std::int64_t, cube::LocalBuffers&) {
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
      return operators::Outcome();
    }));
    return threads;
  };
  EXPECT_EQ(threads_of(), std::set{std::this_thread::get_id()});
  EXPECT_FALSE(device::current_device_state()->spreads_every_launch);
  set("host_threads", "4");
  launch = api::launch_on(*device::current_device_state());
  EXPECT_TRUE(launch.spreads_every_launch);
  EXPECT_EQ(launch.host_threads, 4);
}

/// Tasks that each wait for the others end only where each has a thread of its own.
TEST_F(Schedules, RunTasksAtTheSameTimeWhereTheyAreSpread) {
  operators::Launch launch;
  launch.host_threads = 3;
  launch.spreads_every_launch = true;
  std::atomic<int> begun{0};
  EXPECT_TRUE(operators::run_on_cores(launch, 3, 0, [&](std::int64_t, cube::LocalBuffers&) {
    ++begun;
    while (begun < 3) std::this_thread::yield();
    return operators::Outcome();
  }));
}

class SettingsOfAThread : public Schedules {};

TEST_F(SettingsOfAThread, AreItsOwn) {
  set("cores", "3");
  set("schedule_seed", "18446744073709551615");
  set("path", "plain");
  const auto here = *device::current_device_state();
  EXPECT_EQ(here.core_count, 3);
  EXPECT_EQ(here.schedule_seed, UINT64_MAX);
  EXPECT_EQ(here.path, device::OperatorPath::Plain);
  std::thread([] {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    const auto there = *device::current_device_state();
    EXPECT_EQ(there.core_count, 24);
    EXPECT_EQ(there.schedule_seed, std::nullopt);
    EXPECT_EQ(there.path, device::OperatorPath::Device);
  }).join();
  EXPECT_EQ(gradproofSetForThread("cores", nullptr), ACL_SUCCESS);
  EXPECT_EQ(device::current_device_state()->core_count, 24);
  EXPECT_EQ(device::current_device_state()->path, device::OperatorPath::Plain);
}

TEST_F(SettingsOfAThread, ThatAreNoneAreRefusedInWords) {
  struct Refused {
    const char *setting, *value, *words;
  };
  constexpr Refused calls[] = {
      {nullptr, "1", "setting"},
      {"streams", "eager",
       "setting is \"streams\"; allowed: schedule_seed, host_threads, cores, path, "
       "profile"},
      {"", "1", "setting is \"\""},
      {"cores", "0", "cores is \"0\"; allowed: an integer from 1 to 1024"},
      {"host_threads", "65", "host_threads is \"65\"; allowed: an integer from 1 to 64"},
      {"schedule_seed", "-1", "schedule_seed is \"-1\"; allowed: an integer of 64 bits"},
      {"path", "", "path is \"\"; allowed: device, scalar, plain"}};
  for (const Refused& call : calls) {
    EXPECT_EQ(gradproofSetForThread(call.setting, call.value), ACL_ERROR_INVALID_PARAM);
    EXPECT_NE(error_text().find(call.words), std::string::npos) << call.words;
  }
  EXPECT_EQ(device::current_device_state()->core_count, 24);
}

}  // namespace
}  // namespace gradproof::kernel
