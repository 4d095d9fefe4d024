#pragma once

#include "kernel/device/machine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gradproof::kernel::device {

/// Settings of the machine that one thread has another value of; nullopt: the machine's.
struct ThreadSettings {
  std::optional<std::uint64_t> schedule_seed;
  std::optional<int> cores, host_threads;
  std::optional<OperatorPath> path;
  std::optional<Profile> profile;
};

/// Returns the settings of the calling thread.
const ThreadSettings& thread_settings();

/// Changes one of the calling thread, by its key in a configuration file; no value: the machine's
/// again. Result: what is wrong with key or value, and what is allowed.
std::optional<std::string> set_for_thread(std::string_view key,
                                          std::optional<std::string_view> value);

}  // namespace gradproof::kernel::device
