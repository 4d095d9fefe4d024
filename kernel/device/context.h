#pragma once

#include "acl/acl_rt.h"
#include "kernel/device/options.h"
#include "kernel/device/registry.h"

#include <atomic>
#include <memory>

namespace gradproof::kernel::device {

/// Context in which streams are made. A device has one default context, which every thread that
/// sets the device shares; programs can create more.
struct Context {
  int device = 0;
  bool is_default = false;
  aclrtContext handle = nullptr;
  aclrtStream default_stream = nullptr;
  Options options;
  /// Status that has stopped its streams, 0 for nothing.
  std::shared_ptr<std::atomic<aclError>> stop = std::make_shared<std::atomic<aclError>>(0);
};

Registry<Context>& contexts();

/// The calling thread's current context; nullptr when none was ever set or it has been destroyed.
std::shared_ptr<Context> current_context();

/// Returns current_context. When there is none, refuses in the name of `function` with 107002.
std::shared_ptr<Context> require_context(const char* function);

/// Makes the handle current on the calling thread, whether it is live or not.
void make_current(aclrtContext handle);

}  // namespace gradproof::kernel::device
