#pragma once

#include <mutex>
#include <shared_mutex>

#include "properties/targets/session/cann.h"

namespace gradproof::targets {

/// Determinism switched on in both scopes, off again at the end. Others' phase one waits outside.
class DeterminismSwitch {
 public:
  DeterminismSwitch(Cann& cann, bool on) : api_(cann.api), on_(on) {
    if (!on_) {
      shared_ = std::shared_lock(cann.option_lock);
      return;
    }
    exclusive_ = std::unique_lock(cann.option_lock);
    set(1);
  }
  ~DeterminismSwitch() {
    if (on_) set(0);
  }
  DeterminismSwitch(const DeterminismSwitch&) = delete;
  DeterminismSwitch& operator=(const DeterminismSwitch&) = delete;

 private:
  void set(std::int64_t value) {
    if (api_.set_context_option) api_.set_context_option(ACL_OPT_DETERMINISTIC, value);
    if (api_.set_process_option) api_.set_process_option(ACL_OPT_DETERMINISTIC, value);
  }
  const CannApi& api_;
  bool on_;
  std::shared_lock<std::shared_mutex> shared_;
  std::unique_lock<std::shared_mutex> exclusive_;
};

}  // namespace gradproof::targets
