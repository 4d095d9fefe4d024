#include "kernel/device/exceptions.h"

#include "kernel/device/guarded.h"

#include <algorithm>

namespace gradproof::kernel::device {
namespace {

struct ExceptionCallbacks {
  aclrtExceptionInfoCallback single = nullptr;
  std::vector<aclrtExceptionInfoCallback> added;
};

Guarded<ExceptionCallbacks>& exception_callbacks() {
  static auto& callbacks = *new Guarded<ExceptionCallbacks>;
  return callbacks;
}

}  // namespace

void set_exception_callback(aclrtExceptionInfoCallback callback) {
  exception_callbacks().change([&](ExceptionCallbacks& all) { all.single = callback; });
}

void add_exception_callback(aclrtExceptionInfoCallback callback) {
  exception_callbacks().change([&](ExceptionCallbacks& all) { all.added.push_back(callback); });
}

bool remove_exception_callback(aclrtExceptionInfoCallback callback) {
  return exception_callbacks().change([&](ExceptionCallbacks& all) {
    const auto found = std::ranges::find(all.added, callback);
    if (found == all.added.end()) return false;
    all.added.erase(found);
    return true;
  });
}

void tell_of_failed_tasks(int device, std::uint32_t stream_id,
                          const std::vector<StreamQueue::FailedTask>& tasks) {
  if (tasks.empty()) return;
  const ExceptionCallbacks callbacks = exception_callbacks().get();
  for (const StreamQueue::FailedTask& task : tasks) {
    rtExceptionInfo info{static_cast<std::uint32_t>(task.position), stream_id, task.thread,
                         static_cast<std::uint32_t>(device), static_cast<std::uint32_t>(task.code)};
    if (callbacks.single != nullptr) callbacks.single(&info);
    for (const auto callback : callbacks.added) callback(&info);
  }
}

}  // namespace gradproof::kernel::device
