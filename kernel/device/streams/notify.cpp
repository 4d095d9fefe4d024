#include "kernel/device/streams/notify.h"

#include "kernel/device/device_objects.h"
#include "kernel/device/streams/bounded_wait.h"

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
  return require_object(notifies(), function, "notify", notify, "aclrtCreateNotify");
}

std::vector<std::string> destroy_notifies_of(int device) {
  return destroy_objects_of(notifies(), device, "notify");
}

}  // namespace gradproof::kernel::device
