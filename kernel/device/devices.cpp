#include "kernel/device/devices.h"

#include "kernel/device/context.h"
#include "kernel/device/device_notes.h"
#include "kernel/device/error_text.h"
#include "kernel/device/memory/memory.h"
#include "kernel/device/memory/physical_memory.h"
#include "kernel/device/process_record.h"
#include "kernel/device/streams/event.h"
#include "kernel/device/streams/notify.h"
#include "kernel/device/streams/stream.h"

#include <fmt/core.h>

#include <iterator>
#include <mutex>
#include <utility>

namespace gradproof::kernel::device {
namespace {

struct Use {
  int references = 0;
  aclrtContext default_context = nullptr;
};

/// Guards the lifetimes of contexts and the uses; not held while streams are waited for.
struct Devices {
  std::mutex mutex;
  std::vector<Use> uses = std::vector<Use>(1);  // of the default machine
};

Devices& devices() {
  static Devices& instance = *new Devices;
  return instance;
}

void append(std::vector<std::string>& to, std::vector<std::string> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

aclError refuse_uninitialised(const char* function) {
  return refuse(ACL_ERROR_UNINITIALIZE,
                fmt::format("EE1001: {}: aclInit has not been called", function));
}

aclError check_range(const char* function, std::int64_t device, std::size_t count) {
  if (device >= 0 && static_cast<std::uint64_t>(device) < count) return 0;
  return refuse(ACL_ERROR_RT_INVALID_DEVICEID,
                fmt::format("EE1001: {}: deviceId is {}; this machine has devices 0 to {}",
                            function, device, static_cast<std::int64_t>(count) - 1));
}

/// Makes a context; null when handles give out.
std::shared_ptr<Context> make_context(int device, bool is_default) {
  auto context = std::make_shared<Context>();
  context->device = device;
  context->is_default = is_default;
  context->handle = contexts().add(context);
  if (context->handle == nullptr) return nullptr;
  context->default_stream = create_stream(*context, true);
  if (context->default_stream != nullptr) return context;
  contexts().remove(context->handle);
  return nullptr;
}

aclError refuse_for_want_of_handles(const char* function) {
  return refuse(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
                fmt::format("EE1001: {}: no more handles", function));
}

std::vector<std::string> close_context(aclrtContext handle) {
  const auto context = contexts().remove(handle);
  return context == nullptr ? std::vector<std::string>{} : close_streams_of(*context);
}

bool has_contexts(int device) {
  return contexts().count_where(
             [device](const Context& context) { return context.device == device; }) > 0;
}

std::vector<std::string> release_resources(int device) {
  std::vector<std::string> leftovers = destroy_events_of(device);
  append(leftovers, destroy_notifies_of(device));
  append(leftovers, destroy_model_instances_of(device));
  append(leftovers, release_all(device));
  append(leftovers, release_physical_of(device));
  return leftovers;
}

/// Takes one reference away (all, if forced). The default context if it was the last, else null.
aclError drop_reference(int device, bool force, aclrtContext& last) {
  const char* function = force ? "aclrtResetDeviceForce" : "aclrtResetDevice";
  const std::lock_guard lock(devices().mutex);
  if (const aclError code = check_range(function, device, devices().uses.size())) return code;
  Use& use = devices().uses[device];
  if (use.references == 0) {
    return refuse(
        ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
        fmt::format("EE1001: {}: device {} is not set, or was reset already", function, device));
  }
  use.references = force ? 0 : use.references - 1;
  if (use.references == 0) last = std::exchange(use.default_context, nullptr);
  return 0;
}

}  // namespace

aclError set_device(int device) {
  const std::lock_guard lock(devices().mutex);
  if (!is_initialised()) return refuse_uninitialised("aclrtSetDevice");
  if (const aclError code = check_range("aclrtSetDevice", device, devices().uses.size()))
    return code;
  Use& use = devices().uses[device];
  if (use.default_context == nullptr) {
    const auto context = make_context(device, true);
    if (context == nullptr) return refuse_for_want_of_handles("aclrtSetDevice");
    use.default_context = context->handle;
  }
  ++use.references;
  make_current(use.default_context);
  return 0;
}

aclError reset_device(int device, bool force) {
  if (const aclError code = refuse_inside_task("aclrtResetDevice")) return code;
  aclrtContext last = nullptr;
  const aclError code = drop_reference(device, force, last);
  if (code != 0 || last == nullptr) return code;
  std::vector<std::string> leftovers = close_context(last);
  const std::lock_guard lock(devices().mutex);
  // Contexts that the program made, or one that another thread has set meanwhile, still use the
  // device's memory.
  if (!has_contexts(device)) append(leftovers, release_resources(device));
  device_notes(device).has_failed = false;
  note_leftovers(std::move(leftovers));
  return 0;
}

aclError create_context(aclrtContext* context, int device) {
  const std::lock_guard lock(devices().mutex);
  if (!is_initialised()) return refuse_uninitialised("aclrtCreateContext");
  if (const aclError code = check_range("aclrtCreateContext", device, devices().uses.size()))
    return code;
  const auto created = make_context(device, false);
  if (created == nullptr) return refuse_for_want_of_handles("aclrtCreateContext");
  make_current(created->handle);
  *context = created->handle;
  return 0;
}

aclError destroy_context(aclrtContext context) {
  if (const aclError code = refuse_inside_task("aclrtDestroyContext")) return code;
  const auto found = contexts().find(context);
  if (found == nullptr) {
    return refuse(ACL_ERROR_RT_INVALID_HANDLE,
                  fmt::format("EE1001: aclrtDestroyContext: context {} {}", context,
                              contexts().standing(context)));
  }
  if (found->is_default) {
    return refuse(
        ACL_ERROR_RT_PARAM_INVALID,
        fmt::format("EE1001: aclrtDestroyContext: context {} is device {}'s default one, which "
                    "aclrtResetDevice ends",
                    context, found->device));
  }
  close_context(context);
  return 0;
}

aclError require_device(const char* function, std::int64_t device) {
  const std::lock_guard lock(devices().mutex);
  return check_range(function, device, devices().uses.size());
}

bool is_set(int device) {
  const std::lock_guard lock(devices().mutex);
  return devices().uses.at(static_cast<std::size_t>(device)).references > 0;
}

void open_devices(std::size_t count) {
  const std::lock_guard lock(devices().mutex);
  devices().uses.assign(count, Use{});
  clear_device_notes();
}

std::vector<std::string> close_devices() {
  std::vector<std::string> leftovers;
  for (void* handle : contexts().handles_where([](const Context&) { return true; })) {
    append(leftovers, close_context(handle));
  }
  const std::lock_guard lock(devices().mutex);
  for (std::size_t device = 0; device < devices().uses.size(); ++device) {
    append(leftovers, release_resources(static_cast<int>(device)));
  }
  for (Use& use : devices().uses) use = {};
  return leftovers;
}

}  // namespace gradproof::kernel::device
