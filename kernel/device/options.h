#pragma once

#include "acl/acl_rt.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>

namespace gradproof::kernel::device {

/// Values of the system parameter options in one scope, a process or a context. Thread-safe.
class Options {
 public:
  static constexpr int count = ACL_OPT_ENABLE_KERNEL_EARLY_START + 1;

  void set(aclSysParamOpt option, std::int64_t value);
  /// Value of an option; nullopt: never set in this scope.
  std::optional<std::int64_t> value_of(aclSysParamOpt option) const;

 private:
  mutable std::mutex mutex_;
  std::array<std::optional<std::int64_t>, count> values_;
};

/// The options that aclrtSetSysParamOpt sets.
Options& process_options();

bool is_option(aclSysParamOpt option);

/// Largest value that the option takes; 0 is the smallest.
std::int64_t largest_value(aclSysParamOpt option);

/// The determinism level, 0 to 3, that a context (null: none) and the process together ask for. The
/// deprecated option for strong consistency raises level 1 to 2. Source: CANN runtime,
/// aclrtCtxSetSysParamOpt; rules DET-04, DET-08, DET-11.
std::int64_t deterministic_level(const Options* context);

}  // namespace gradproof::kernel::device
