#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "kernel/api/convolution_rules/call.h"
#include "kernel/api/operators/convolution_backward_plan.h"
#include "kernel/device/device.h"

namespace gradproof::kernel::api {

/// Decisions of phase one, kept for calls like them: programs repeat their calls. Nothing but time
/// shows it. A kept decision serves a call only if every argument (shapes, strides, offset,
/// storage, dtype and format of each tensor, each array, each scalar, each null) and the whole
/// state of the device are equal; where data lie decides nothing. A call is kept when it comes for
/// the second time, so that calls that never repeat cost only a number. Bounded. Thread-safe.
class PlanCache {
 public:
  static constexpr std::size_t sets = 64, calls_of_a_set = 4;

  PlanCache();

  /// Returns the result of `decided`, from memory if possible.
  std::shared_ptr<const Decision> decision(const parameter_checks::Call& call,
                                           const device::DeviceState& device);

  /// Gives back all that is kept.
  void forget();

  /// Number of decisions that came from memory.
  std::uint64_t hits() const;

  /// Switches the cache, which is on unless the environment has GRADPROOF_PLAN_CACHE=off.
  void use(bool on) { is_used_ = on; }

 private:
  struct Kept {
    parameter_checks::Call call;
    device::DeviceState device;
    Decision decision;
  };
  /// A call that was seen, by a number that other calls may have too; what was decided if it was
  /// seen twice.
  struct Way {
    std::uint64_t number = 0;
    std::shared_ptr<const Kept> kept;
  };
  struct Set {
    std::array<Way, calls_of_a_set> ways;
    std::size_t oldest = 0;
  };

  std::shared_ptr<const Kept> find(std::uint64_t number, const parameter_checks::Call& call,
                                   const device::DeviceState& device);
  bool was_seen(std::uint64_t number);
  void keep(std::uint64_t number, std::shared_ptr<const Kept> kept);

  std::atomic<bool> is_used_;
  mutable std::mutex mutex_;
  std::array<Set, sets> sets_;
  std::uint64_t hits_ = 0;
};

/// Returns the cache of the process.
PlanCache& plan_cache();

}  // namespace gradproof::kernel::api
