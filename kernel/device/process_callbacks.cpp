#include "kernel/device/process.h"

#include "kernel/device/guarded.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace gradproof::kernel::device {
namespace {

template <class Callback>
struct RegisteredCallback {
  aclRegisterCallbackType type;
  Callback callback;
  void* data;
};

template <class Callback>
using RegisteredCallbacks = Guarded<std::vector<RegisteredCallback<Callback>>>;

template <class Callback>
RegisteredCallbacks<Callback>& registered_callbacks() {
  static auto& instance = *new RegisteredCallbacks<Callback>;
  return instance;
}

template <class Callback>
void add_registered(aclRegisterCallbackType type, Callback callback, void* data) {
  registered_callbacks<Callback>().change([&](auto& all) {
    all.push_back({type, callback, data});
  });
}

template <class Callback>
bool remove_registered(aclRegisterCallbackType type, Callback callback) {
  return registered_callbacks<Callback>().change([&](auto& all) {
    const auto found = std::ranges::find_if(
        all, [&](const auto& one) { return one.type == type && one.callback == callback; });
    if (found == all.end()) return false;
    all.erase(found);
    return true;
  });
}

}  // namespace

void add_initialisation_callback(aclRegisterCallbackType type, aclInitCallbackFunc callback,
                                 void* data) {
  add_registered(type, callback, data);
}

bool remove_initialisation_callback(aclRegisterCallbackType type, aclInitCallbackFunc callback) {
  return remove_registered(type, callback);
}

void add_finalisation_callback(aclRegisterCallbackType type, aclFinalizeCallbackFunc callback,
                               void* data) {
  add_registered(type, callback, data);
}

bool remove_finalisation_callback(aclRegisterCallbackType type, aclFinalizeCallbackFunc callback) {
  return remove_registered(type, callback);
}

aclError call_at_initialisation(const char* config_path) {
  const auto callbacks = registered_callbacks<aclInitCallbackFunc>().get();
  if (callbacks.empty()) return 0;
  std::string text;
  if (config_path != nullptr) {
    std::ifstream file(config_path, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  for (const auto& one : callbacks) {
    const aclError code =
        one.callback(config_path == nullptr ? nullptr : text.c_str(), text.size(), one.data);
    if (code != 0) return code;
  }
  return 0;
}

aclError call_at_finalisation() {
  for (const auto& one : registered_callbacks<aclFinalizeCallbackFunc>().get()) {
    if (const aclError code = one.callback(one.data)) return code;
  }
  return 0;
}

}  // namespace gradproof::kernel::device
