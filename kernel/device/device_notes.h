#pragma once

#include "acl/acl_rt.h"
#include "kernel/device/guarded.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

namespace gradproof::kernel::device {

/// Numbers of cores of each kind that a launch may use, by aclrtDevResLimitType; nullopt: no limit.
using CoreLimits = std::array<std::optional<std::uint32_t>, 2>;

/// Settings of a device by the program, from one aclInit to the next.
struct DeviceSettings {
  static constexpr std::size_t limit_count = ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE + 1;

  std::set<int> peers;  ///< devices whose memory this one may use
  std::array<std::size_t, limit_count> limits{};
  CoreLimits core_limits;
};

/// Notes on a device while it is used. Thread-safe.
struct DeviceNotes {
  std::atomic<bool> has_failed = false;  ///< a task failed since the device was reset
  Guarded<DeviceSettings> settings;
};

/// Returns the notes on a device of the machine.
DeviceNotes& device_notes(int device);

/// Restores the initial notes of every device.
void clear_device_notes();

}  // namespace gradproof::kernel::device
