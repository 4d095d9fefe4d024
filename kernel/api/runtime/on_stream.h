#pragma once

#include "kernel/api/runtime/entry.h"
#include "kernel/device/devices.h"
#include "kernel/device/streams/stream.h"

#include <fmt/core.h>

#include <cstdint>
#include <string_view>

namespace gradproof::kernel::api {

/// The body of an entry point about a stream (null: the default one): `work` on it, given as
/// std::shared_ptr<device::Stream>, or the refusal.
template <class Work>
aclError on_stream(const char* function, aclrtStream stream,
                   std::initializer_list<PointerParameter> non_null, Work work) {
  return entry(function, non_null, [&]() -> aclError {
    const auto found = device::require_stream(function, stream);
    return found == nullptr ? device::last_error() : code_of(work, found);
  });
}

/// The body of an entry point about a device of the machine.
template <class Work>
aclError on_device(const char* function, std::int64_t index,
                   std::initializer_list<PointerParameter> non_null, Work work) {
  return entry(function, non_null, [&]() -> aclError {
    const aclError code = device::require_device(function, index);
    return code != 0 ? code : code_of(work);
  });
}

/// The body of an entry point that needs a current context, which `work` gets.
template <class Work>
aclError in_context(const char* function, std::initializer_list<PointerParameter> non_null,
                    Work work) {
  return entry(function, non_null, [&]() -> aclError {
    const auto context = device::require_context(function);
    return context == nullptr ? device::last_error() : code_of(work, *context);
  });
}

/// Refuses a value of a parameter with `code`: what it is, and what is allowed.
template <class Value>
aclError refuse_value(aclError code, const char* function, std::string_view parameter, Value value,
                      std::string_view allowed) {
  return device::refuse(
      code, fmt::format("EE1001: {}: {} is {}; allowed: {}", function, parameter, value, allowed));
}

}  // namespace gradproof::kernel::api
