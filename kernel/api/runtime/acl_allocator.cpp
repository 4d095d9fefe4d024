// Allocators of the program's own: descriptions of them, and which stream has which.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/device/error_text.h"
#include "kernel/device/streams/stream.h"

#include <fmt/core.h>

#include <memory>
#include <mutex>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using device::StreamAllocator;

device::Registry<StreamAllocator>& allocator_descriptions() {
  static auto& registry =
      *new device::Registry<StreamAllocator>(device::HandleKind::AllocatorDescription);
  return registry;
}

/// Serialises what changes a description: each change puts a new one in the place of the old.
std::mutex& description_changes() {
  static auto& mutex = *new std::mutex;
  return mutex;
}

/// Finds a description; nullptr after a refusal: 100000 for null, 107017 for no live description.
std::shared_ptr<StreamAllocator> require_description(const char* function,
                                                     aclrtAllocatorDesc description) {
  if (api::require_non_null(function, {{"allocatorDesc", description}}) != 0) return nullptr;
  auto found = allocator_descriptions().find(description);
  if (found == nullptr) {
    device::refuse(
        ACL_ERROR_RT_INVALID_HANDLE,
        fmt::format("EE1001: {}: allocatorDesc {} {}; pass what aclrtAllocatorCreateDesc gave",
                    function, description, allocator_descriptions().standing(description)));
  }
  return found;
}

template <class Value>
aclError set_in_description(const char* function, aclrtAllocatorDesc description,
                            Value StreamAllocator::*member, Value value) {
  return entry([&] {
    const std::lock_guard lock(description_changes());
    const auto found = require_description(function, description);
    if (found == nullptr) return device::last_error();
    auto changed = std::make_shared<StreamAllocator>(*found);
    (*changed).*member = value;
    allocator_descriptions().replace(description, std::move(changed));
    return aclError{0};
  });
}

aclError check_description(const StreamAllocator& allocator) {
  const char* const missing = allocator.object == nullptr       ? "object"
                              : allocator.allocate == nullptr   ? "alloc function"
                              : allocator.free == nullptr       ? "free function"
                              : allocator.address_of == nullptr ? "getAddrFromBlock function"
                                                                : nullptr;
  if (missing == nullptr) return 0;
  return device::refuse(
      ACL_ERROR_INVALID_PARAM,
      fmt::format("EE1001: aclrtAllocatorRegister: the description has no {}; set it first",
                  missing));
}

template <class Value>
void give(Value* out, const Value& value) {
  if (out != nullptr) *out = value;
}

}  // namespace

extern "C" {

aclrtAllocatorDesc aclrtAllocatorCreateDesc() {
  aclrtAllocatorDesc created = nullptr;
  entry([&] { created = allocator_descriptions().add(std::make_shared<StreamAllocator>()); });
  return created;
}

aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc) {
  return entry([&] {
    if (require_description("aclrtAllocatorDestroyDesc", allocatorDesc) == nullptr)
      return device::last_error();
    allocator_descriptions().remove(allocatorDesc);
    return aclError{0};
  });
}

aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator) {
  return set_in_description("aclrtAllocatorSetObjToDesc", allocatorDesc, &StreamAllocator::object,
                            allocator);
}

aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                          aclrtAllocatorAllocFunc func) {
  return set_in_description("aclrtAllocatorSetAllocFuncToDesc", allocatorDesc,
                            &StreamAllocator::allocate, func);
}

aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                         aclrtAllocatorFreeFunc func) {
  return set_in_description("aclrtAllocatorSetFreeFuncToDesc", allocatorDesc,
                            &StreamAllocator::free, func);
}

aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                aclrtAllocatorAllocAdviseFunc func) {
  return set_in_description("aclrtAllocatorSetAllocAdviseFuncToDesc", allocatorDesc,
                            &StreamAllocator::allocate_near, func);
}

aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                     aclrtAllocatorGetAddrFromBlockFunc func) {
  return set_in_description("aclrtAllocatorSetGetAddrFromBlockFuncToDesc", allocatorDesc,
                            &StreamAllocator::address_of, func);
}

aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc) {
  return entry("aclrtAllocatorRegister", {{"stream", stream}}, [&] {
    const auto description = require_description("aclrtAllocatorRegister", allocatorDesc);
    if (description == nullptr) return device::last_error();
    if (const aclError code = check_description(*description)) return code;
    const auto found = device::require_stream("aclrtAllocatorRegister", stream);
    if (found == nullptr) return device::last_error();
    found->properties.change([&](device::StreamProperties& properties) {
      properties.allocator = device::RegisteredAllocator{*description, allocatorDesc};
    });
    return aclError{0};
  });
}

aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc* allocatorDesc,
                                   aclrtAllocator* allocator, aclrtAllocatorAllocFunc* allocFunc,
                                   aclrtAllocatorFreeFunc* freeFunc,
                                   aclrtAllocatorAllocAdviseFunc* allocAdviseFunc,
                                   aclrtAllocatorGetAddrFromBlockFunc* getAddrFromBlockFunc) {
  return entry(
      "aclrtAllocatorGetByStream", {{"stream", stream}, {"allocatorDesc", allocatorDesc}}, [&] {
        const auto found = device::require_stream("aclrtAllocatorGetByStream", stream);
        if (found == nullptr) return device::last_error();
        const auto registered = found->properties.get().allocator;
        if (!registered.has_value()) {
          return device::refuse(
              ACL_ERROR_INVALID_PARAM,
              fmt::format("EE1001: aclrtAllocatorGetByStream: stream {} has no allocator", stream));
        }
        *allocatorDesc = registered->description;
        give(allocator, registered->allocator.object);
        give(allocFunc, registered->allocator.allocate);
        give(freeFunc, registered->allocator.free);
        give(allocAdviseFunc, registered->allocator.allocate_near);
        give(getAddrFromBlockFunc, registered->allocator.address_of);
        return aclError{0};
      });
}

aclError aclrtAllocatorUnregister(aclrtStream stream) {
  return entry("aclrtAllocatorUnregister", {{"stream", stream}}, [&] {
    const auto found = device::require_stream("aclrtAllocatorUnregister", stream);
    if (found == nullptr) return device::last_error();
    found->properties.change(
        [](device::StreamProperties& properties) { properties.allocator.reset(); });
    return aclError{0};
  });
}

}  // extern "C"
