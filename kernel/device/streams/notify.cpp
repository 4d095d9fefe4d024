#include "kernel/device/streams/notify.h"

#include "kernel/device/error_text.h"
#include "kernel/device/streams/bounded_wait.h"

#include <fmt/core.h>

namespace gradproof::kernel::device {

void Notify::set() {
  const std::lock_guard lock(mutex_);
  is_set_ = true;
  changed_.notify_one();
}

void Notify::clear() {
  const std::lock_guard lock(mutex_);
  is_set_ = false;
}

aclError Notify::wait_as_task(const StreamQueue& waiting,
                              std::optional<std::chrono::seconds> timeout) {
  BoundedWait wait("aclrtWaitAndResetNotify", waiting, timeout);
  std::unique_lock lock(mutex_);
  while (!is_set_) {
    lock.unlock();
    const aclError code = wait.ask();
    lock.lock();
    if (is_set_) break;
    if (code != 0) return code;
    changed_.wait_for(lock, BoundedWait::look_interval);
  }
  is_set_ = false;
  return 0;
}

Registry<Notify>& notifies() {
  static auto& registry = *new Registry<Notify>(HandleKind::Notify);
  return registry;
}

std::shared_ptr<Notify> require_notify(const char* function, aclrtNotify notify) {
  if (notify == nullptr) {
    refuse(ACL_ERROR_INVALID_PARAM, fmt::format("EE1001: {}: notify is null", function));
    return nullptr;
  }
  auto found = notifies().find(notify);
  if (found == nullptr) {
    refuse(ACL_ERROR_RT_INVALID_HANDLE,
           fmt::format("EE1001: {}: notify {} {}; pass what aclrtCreateNotify gave", function,
                       notify, notifies().standing(notify)));
  }
  return found;
}

std::vector<std::string> destroy_notifies_of(int device) {
  std::vector<std::string> leftovers;
  for (void* handle : notifies().handles_where(
           [device](const Notify& notify) { return notify.device == device; })) {
    if (notifies().remove(handle) != nullptr)
      leftovers.push_back(fmt::format("notify {} (device {})", handle, device));
  }
  return leftovers;
}

}  // namespace gradproof::kernel::device
