// Notifies: flags that one stream sets and another waits for and clears.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/process_record.h"
#include "kernel/device/streams/notify.h"

#include <chrono>
#include <span>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::refuse_value;
using api::require_non_null;
using NotifyPointer = std::shared_ptr<device::Notify>;

/// A number among live notifies.
std::uint32_t number_of(aclrtNotify notify) { return device::Handle::parse(notify)->slot; }

/// One of a notify's waiting tasks while it exists.
std::shared_ptr<void> pending_wait(const NotifyPointer& notify) {
  ++notify->pending_waits;
  return {notify.get(), [notify](void*) { --notify->pending_waits; }};
}

aclError create_notify(aclrtNotify* notify, int index) {
  const auto& soc = *device::current_machine()->devices.at(static_cast<std::size_t>(index));
  const std::size_t limit = device::limits_of(soc.product).max_notifies;
  const std::size_t live = device::notifies().count_where(
      [index](const device::Notify& one) { return one.device == index; });
  const aclrtNotify created =
      live >= limit ? nullptr : device::notifies().add(std::make_shared<device::Notify>(index));
  if (created == nullptr) {
    return device::refuse(
        ACL_ERROR_RT_NO_NOTIFY_RESOURCE,
        fmt::format("EE1001: aclrtCreateNotify: device {} has {} notifies, and its product allows "
                    "{}; destroy some",
                    index, live, limit));
  }
  *notify = created;
  return 0;
}

}  // namespace

extern "C" {

aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t flag) {
  const char* const function = "aclrtCreateNotify";
  return api::in_context(function, {{"notify", notify}}, [&](const auto& context) -> aclError {
    if (flag > ACL_NOTIFY_DEVICE_USE_ONLY)
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "flag", flag, "0, 1");
    return create_notify(notify, context.device);
  });
}

aclError aclrtDestroyNotify(aclrtNotify notify) {
  return entry([&]() -> aclError {
    const auto found = device::require_notify("aclrtDestroyNotify", notify);
    if (found == nullptr) return device::last_error();
    if (found->pending_waits > 0) {
      return device::refuse(ACL_ERROR_RT_PARAM_INVALID,
                            "EE1001: aclrtDestroyNotify: a task still waits for the notify; "
                            "synchronise its stream first");
    }
    if (device::notifies().remove(notify) != nullptr) return 0;
    return device::refuse(ACL_ERROR_RT_INVALID_HANDLE,
                          "EE1001: aclrtDestroyNotify: another thread destroyed the notify");
  });
}

aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream) {
  return entry([&]() -> aclError {
    const auto found = device::require_notify("aclrtRecordNotify", notify);
    if (found == nullptr) return device::last_error();
    const auto found_stream = device::require_stream("aclrtRecordNotify", stream);
    if (found_stream == nullptr) return device::last_error();
    const auto task = [found] {
      found->set();
      return aclError{0};
    };
    return device::enqueue_on("aclrtRecordNotify", *found_stream, task, {});
  });
}

aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout) {
  return entry([&]() -> aclError {
    const char* const function = "aclrtWaitAndResetNotify";
    const auto found = device::require_notify(function, notify);
    if (found == nullptr) return device::last_error();
    const auto found_stream = device::require_stream(function, stream);
    if (found_stream == nullptr) return device::last_error();
    std::optional<std::chrono::seconds> limit;
    if (timeout > 0) limit = std::chrono::seconds{timeout};
    const auto task = [found, limit, pending = pending_wait(found)] {
      return found->wait_as_task(*device::StreamQueue::running(), limit);
    };
    return device::enqueue_on(function, *found_stream, task, {});
  });
}

aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId) {
  return entry("aclrtGetNotifyId", {{"notifyId", notifyId}}, [&]() -> aclError {
    if (device::require_notify("aclrtGetNotifyId", notify) == nullptr) return device::last_error();
    *notifyId = number_of(notify);
    return 0;
  });
}

aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num) {
  return entry([&]() -> aclError {
    const char* const function = "aclrtNotifyBatchReset";
    if (const aclError code = require_non_null(function, {{"notifies", notifies}})) return code;
    if (num == 0)
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "num", num, "at least 1");
    std::vector<NotifyPointer> found;
    for (const aclrtNotify notify : std::span(notifies, num)) {
      found.push_back(device::require_notify(function, notify));
      if (found.back() == nullptr) return device::last_error();
    }
    for (const NotifyPointer& notify : found) notify->clear();
    return 0;
  });
}

}  // extern "C"
