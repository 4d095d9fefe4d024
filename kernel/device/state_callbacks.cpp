#include "kernel/device/state_callbacks.h"

#include "kernel/device/error_text.h"
#include "kernel/device/guarded.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

namespace gradproof::kernel::device {
namespace {

template <class Callback>
struct NamedCallback {
  std::string name;
  Callback callback;
  void* args;
};

/// All callbacks of one kind.
template <class Callback>
class NamedCallbacks {
 public:
  aclError set(const char* function, const char* name, Callback callback, void* args) {
    if (name == nullptr)
      return refuse(ACL_ERROR_INVALID_PARAM, fmt::format("EE1001: {}: regName is null", function));
    const bool is_done = all_.change([&](auto& all) {
      const auto found = std::ranges::find(all, name, &NamedCallback<Callback>::name);
      if ((found == all.end()) != (callback != nullptr)) return false;
      if (callback == nullptr) {
        all.erase(found);
      } else {
        all.push_back({name, callback, args});
      }
      return true;
    });
    if (is_done) return 0;
    return refuse(ACL_ERROR_RT_PARAM_INVALID,
                  fmt::format("EE1001: {}: regName \"{}\" is {}", function, name,
                              callback == nullptr ? "not registered" : "registered already"));
  }

  std::vector<NamedCallback<Callback>> all() const { return all_.get(); }

 private:
  Guarded<std::vector<NamedCallback<Callback>>> all_;
};

template <class Callback>
NamedCallbacks<Callback>& callbacks_of_kind() {
  static auto& instance = *new NamedCallbacks<Callback>;
  return instance;
}

}  // namespace

aclError register_stream_callback(const char* name, aclrtStreamStateCallback callback, void* args) {
  return callbacks_of_kind<aclrtStreamStateCallback>().set("aclrtRegStreamStateCallback", name,
                                                           callback, args);
}

aclError register_device_callback(const char* name, aclrtDeviceStateCallback callback, void* args) {
  return callbacks_of_kind<aclrtDeviceStateCallback>().set("aclrtRegDeviceStateCallback", name,
                                                           callback, args);
}

aclError register_abort_callback(const char* name, aclrtDeviceTaskAbortCallback callback,
                                 void* args) {
  return callbacks_of_kind<aclrtDeviceTaskAbortCallback>().set("aclrtSetDeviceTaskAbortCallback",
                                                               name, callback, args);
}

void tell_of_stream(aclrtStream stream, aclrtStreamState state) {
  for (const auto& one : callbacks_of_kind<aclrtStreamStateCallback>().all())
    one.callback(stream, state, one.args);
}

void tell_of_device(int device, aclrtDeviceState state) {
  for (const auto& one : callbacks_of_kind<aclrtDeviceStateCallback>().all())
    one.callback(device, state, one.args);
}

std::int32_t tell_of_abort(int device, aclrtDeviceTaskAbortStage stage, std::uint32_t timeout) {
  std::int32_t first = 0;
  for (const auto& one : callbacks_of_kind<aclrtDeviceTaskAbortCallback>().all()) {
    const std::int32_t answer = one.callback(device, stage, timeout, one.args);
    if (first == 0) first = answer;
  }
  return first;
}

}  // namespace gradproof::kernel::device
