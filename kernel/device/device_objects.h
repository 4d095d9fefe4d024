#pragma once

#include "kernel/device/error_text.h"
#include "kernel/device/registry.h"

#include <fmt/core.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::kernel::device {

/// The object of a handle that a program passes as `parameter`, or nullptr after refusing in the
/// name of `function`: 100000 for null, 107017 for what `maker` did not give or is gone.
template <class Object>
std::shared_ptr<Object> require_object(const Registry<Object>& registry, const char* function,
                                       std::string_view parameter, const void* handle,
                                       std::string_view maker) {
  if (handle == nullptr) {
    refuse(ACL_ERROR_INVALID_PARAM, fmt::format("EE1001: {}: {} is null", function, parameter));
    return nullptr;
  }
  auto found = registry.find(handle);
  if (found == nullptr) {
    refuse(ACL_ERROR_RT_INVALID_HANDLE,
           fmt::format("EE1001: {}: {} {} {}; pass what {} gave", function, parameter, handle,
                       registry.standing(handle), maker));
  }
  return found;
}

/// Removes all objects of the device. Returns a text for each.
template <class Object>
std::vector<std::string> destroy_objects_of(Registry<Object>& registry, int device,
                                            std::string_view name) {
  std::vector<std::string> leftovers;
  for (void* handle :
       registry.handles_where([device](const Object& object) { return object.device == device; })) {
    if (registry.remove(handle) != nullptr)
      leftovers.push_back(fmt::format("{} {} (device {})", name, handle, device));
  }
  return leftovers;
}

}  // namespace gradproof::kernel::device
