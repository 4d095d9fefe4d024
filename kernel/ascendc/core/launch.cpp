// Blocks of a kernel over the threads of the host, directly or as a task of a stream.

#include "kernel_launcher.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <random>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/core.h>

#include "kernel/ascendc/core/core.h"
#include "kernel/device/context.h"
#include "kernel/device/device.h"
#include "kernel/device/error_text.h"
#include "kernel/device/memory/memory.h"
#include "kernel/device/streams/stream.h"

namespace gradproof {
namespace {

namespace device = kernel::device;
namespace numeric = kernel::numeric;
using kernel::ascendc::Core;
using kernel::ascendc::Stopped;
using Block = std::function<void()>;

constexpr std::uint32_t most_blocks = 65535;

/// Everything of a launch that is decided when the host calls for it.
struct LaunchPlan {
  kernel::ascendc::LaunchSettings settings;
  std::vector<std::uint32_t> order;  // of the blocks: by turn
};

/// The order in which blocks add to memory: by index in deterministic mode, else any; with a
/// schedule seed the same for the same number of blocks, without one another in every launch.
std::vector<std::uint32_t> order_of(std::uint32_t count, const device::DeviceState& state) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  static std::atomic<std::uint64_t> launches = 0;
  const std::uint64_t launch = launches++;
  if (state.deterministic != 0) return order;
  const std::uint64_t run = state.schedule_seed ? count : launch;
  std::mt19937_64 random(state.schedule_seed.value_or(0) * 0x9E3779B97F4A7C15U + run);
  for (std::uint32_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

numeric::OverflowMode overflow_of(aclrtFloatOverflowMode mode) {
  return mode == ACL_RT_OVERFLOW_MODE_SATURATION ? numeric::OverflowMode::Saturation
                                                 : numeric::OverflowMode::InfNan;
}

LaunchPlan plan_of(std::uint32_t count, const device::DeviceState& state) {
  const bool is_away = state.hf32_rounding == device::Hf32Rounding::NearestAway;
  return {{state.product, overflow_of(state.overflow_mode),
           is_away ? numeric::Hf32Rounding::NearestAway : numeric::Hf32Rounding::NearestEven,
           state.float_products == device::FloatProducts::Fused},
          order_of(count, state)};
}

/// One launch while it runs.
class RunningLaunch {
 public:
  RunningLaunch(const LaunchPlan& plan, const Block& block)
      : plan_(plan),
        block_(block),
        turns_(static_cast<std::uint32_t>(plan.order.size())),
        outcomes_(plan.order.size()) {}

  /// The failure of the earliest block that failed: the same one however threads interleave,
  /// because blocks begin in order.
  std::optional<Stopped> run() {
    const std::size_t threads =
        std::min<std::size_t>(std::max(std::thread::hardware_concurrency(), 1U), outcomes_.size());
    std::vector<std::jthread> others;
    try {
      for (std::size_t i = 1; i < threads; ++i) others.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // The host gives no more threads: the existing ones do the work.
    }
    work();
    others.clear();
    for (const auto& outcome : outcomes_) {
      if (outcome) return outcome;
    }
    return std::nullopt;
  }

 private:
  void work() {
    const auto count = static_cast<std::uint32_t>(plan_.order.size());
    while (const auto turn = turns_.begin()) {
      Core core(plan_.settings, {plan_.order[*turn], count, *turn}, turns_);
      outcomes_[*turn] = core.run(block_);
      turns_.end(*turn, outcomes_[*turn].has_value());
    }
  }

  const LaunchPlan& plan_;
  const Block& block_;
  kernel::ascendc::Turns turns_;
  std::vector<std::optional<Stopped>> outcomes_;  // by turn; each written by the thread that ran it
};

aclError run(const LaunchPlan& plan, const Block& block) {
  const auto failure = RunningLaunch(plan, block).run();
  return failure ? device::refuse(failure->code(), failure->what()) : 0;
}

using Uses = std::vector<const void*>;

aclError check(const char* function, std::uint32_t count, const Block& block) {
  if (Core::is_any_running()) {
    return device::refuse(
        ACL_ERROR_RT_PARAM_INVALID,
        fmt::format("EE1001: {}: called by a kernel; a device can't launch", function));
  }
  if (count == 0 || count > most_blocks) {
    return device::refuse(ACL_ERROR_RT_PARAM_INVALID,
                          fmt::format("EE1001: {}: blockCount is {}; it must lie in [1, {}]",
                                      function, count, most_blocks));
  }
  if (!block) {
    return device::refuse(ACL_ERROR_RT_PARAM_INVALID,
                          fmt::format("EE1001: {}: the kernel is null", function));
  }
  return device::require_context(function) == nullptr ? device::last_error() : 0;
}

/// Keeps what the launch uses from being freed; 107000 where that has happened already.
aclError hold(const char* function, const Uses& uses, std::vector<device::MemoryHold>& holds) {
  for (const void* used : uses) {
    device::MemoryHold hold(used);
    if (hold) {
      holds.push_back(std::move(hold));
    } else if (device::is_device_address(used)) {
      return device::refuse(ACL_ERROR_RT_PARAM_INVALID,
                            fmt::format("EE1001: {}: argument {} {}; pass live device memory",
                                        function, used, device::describe_address(used)));
    }
  }
  return 0;
}

}  // namespace

aclError run_blocks(uint32_t blockCount, const Block& block, const Uses& uses) {
  constexpr const char* function = "gradproof::launch";
  if (const aclError code = check(function, blockCount, block)) return code;
  std::vector<device::MemoryHold> holds;
  if (const aclError code = hold(function, uses, holds)) return code;
  const auto state = device::current_device_state();
  return run(plan_of(blockCount, state.value_or(device::DeviceState{})), block);
}

aclError enqueue_blocks(uint32_t blockCount, aclrtStream stream, Block block, const Uses& uses) {
  constexpr const char* function = "gradproof::launch_on";
  if (const aclError code = check(function, blockCount, block)) return code;
  const auto found = device::require_stream(function, stream);
  if (found == nullptr) return device::last_error();
  std::vector<device::MemoryHold> holds;
  if (const aclError code = hold(function, uses, holds)) return code;
  const auto state = device::current_device_state();
  LaunchPlan plan = plan_of(blockCount, state.value_or(device::DeviceState{}));
  const auto task = [plan = std::move(plan), block = std::move(block)]() mutable {
    plan.settings.overflow = overflow_of(device::running_overflow_mode());
    return run(plan, block);
  };
  return device::enqueue_on(function, *found, task, std::move(holds));
}

}  // namespace gradproof
