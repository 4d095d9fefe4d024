#pragma once

#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/guarded.h"
#include "kernel/device/registry.h"

#include <memory>

namespace gradproof::kernel::api {

/// Plain data of the program behind a handle. Looked up and never dereferenced, as all handles are.
template <class Data>
using DataRegistry = device::Registry<device::Guarded<Data>>;

/// A new object, or nullptr when handles give out.
template <class Pointer, class Data>
Pointer create_data(DataRegistry<Data>& registry, Data data) {
  Pointer created = nullptr;
  entry([&] {
    auto object = std::make_shared<device::Guarded<Data>>();
    object->change([&](Data& value) { value = std::move(data); });
    created = static_cast<Pointer>(registry.add(std::move(object)));
    return aclError{0};
  });
  return created;
}

/// Finds the data of a handle; nullptr after refusing with 100000.
template <class Data>
std::shared_ptr<device::Guarded<Data>> require_data(const char* function,
                                                    const DataRegistry<Data>& registry,
                                                    const void* handle) {
  auto found = registry.find(handle);
  if (found == nullptr) {
    device::refuse(ACL_ERROR_INVALID_PARAM,
                   fmt::format("EE1001: {}: {} {}", function, handle,
                               handle == nullptr ? "is null" : registry.standing(handle)));
  }
  return found;
}

/// The body of an entry point: `work` on the data, which may answer a code, or the refusal.
template <class Data, class Work>
aclError on_data(const char* function, const DataRegistry<Data>& registry, const void* handle,
                 Work work) {
  return entry([&]() -> aclError {
    const auto found = require_data(function, registry, handle);
    return found == nullptr ? device::last_error() : found->change(work);
  });
}

/// Returns a member of the data; `otherwise` for what is no live handle.
template <class Result, class Data, class Read>
Result read_data(const char* function, const DataRegistry<Data>& registry, const void* handle,
                 Result otherwise, Read read) {
  on_data(function, registry, handle, [&](Data& data) -> aclError {
    otherwise = read(data);
    return 0;
  });
  return otherwise;
}

}  // namespace gradproof::kernel::api
