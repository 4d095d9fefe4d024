#pragma once

#include <shared_mutex>
#include <span>

#include "properties/targets/target/cann_api.h"
#include "properties/targets/target/library.h"

namespace gradproof::targets {

/// CANN as it is loaded into this process and started: what all threads share of it.
struct Cann {
  CannApi api;
  std::span<const Device> devices;
  /// Held exclusively where the process-wide determinism option is switched and phase one called,
  /// shared by every other phase one: the option is read there and nowhere else.
  std::shared_mutex option_lock = {};
};

}  // namespace gradproof::targets
