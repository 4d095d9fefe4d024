// What streams are and may be told: ids, priorities, flags, attributes, configurations.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/api/runtime/stream_entry.h"
#include "kernel/device/process_record.h"

#include <algorithm>
#include <cstring>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::on_stream;
using api::refuse_value;
using api::require_non_null;
using StreamPointer = std::shared_ptr<device::Stream>;

/// A configuration that the program has not destroyed.
class LiveConfigurations {
 public:
  aclrtStreamConfigHandle* create() {
    auto created = std::make_unique<aclrtStreamConfigHandle>();
    return all_.change([&](auto& all) { return all.emplace_back(std::move(created)).get(); });
  }
  bool destroy(const aclrtStreamConfigHandle* handle) {
    return all_.change([&](auto& all) {
      return std::erase_if(all, [&](const auto& one) { return one.get() == handle; }) > 0;
    });
  }
  /// Calls `work` on the configuration; false if it is not live.
  template <class Work>
  bool with(const aclrtStreamConfigHandle* handle, Work work) {
    return all_.change([&](auto& all) {
      const auto found =
          std::ranges::find_if(all, [&](const auto& one) { return one.get() == handle; });
      if (found != all.end()) work(**found);
      return found != all.end();
    });
  }

 private:
  device::Guarded<std::vector<std::unique_ptr<aclrtStreamConfigHandle>>> all_;
};

LiveConfigurations& live_configurations() {
  static auto& instance = *new LiveConfigurations;
  return instance;
}

aclError refuse_configuration(const char* function, const void* handle) {
  return device::refuse(ACL_ERROR_RT_INVALID_HANDLE,
                        fmt::format("EE1001: {}: handle {} is no live configuration; pass what "
                                    "aclrtCreateStreamConfigHandle gave",
                                    function, handle));
}

/// The place of the attribute in a configuration; no size: no such attribute.
struct AttributePlace {
  std::size_t offset = 0, size = 0;
};

AttributePlace place_of(aclrtStreamConfigAttr attribute) {
  using Handle = aclrtStreamConfigHandle;
  switch (attribute) {
    case ACL_RT_STREAM_WORK_ADDR_PTR:
      return {offsetof(Handle, workptr), sizeof(Handle::workptr)};
    case ACL_RT_STREAM_WORK_SIZE:
      return {offsetof(Handle, workSize), sizeof(Handle::workSize)};
    case ACL_RT_STREAM_FLAG:
      return {offsetof(Handle, flag), sizeof(Handle::flag)};
    case ACL_RT_STREAM_PRIORITY:
      return {offsetof(Handle, priority), sizeof(Handle::priority)};
  }
  return {};
}

constexpr const char* set_attribute = "aclrtSetStreamAttribute";

aclError set_failure_mode(const char* function, device::Stream& stream, std::uint64_t mode) {
  if (mode != ACL_CONTINUE_ON_FAILURE && mode != ACL_STOP_ON_FAILURE) {
    return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "mode", mode,
                        "0 (continue), 1 (stop)");
  }
  stream.queue.stop_on_failure(mode == ACL_STOP_ON_FAILURE);
  stream.properties.change([&](auto& all) { all.stops_on_failure = mode == ACL_STOP_ON_FAILURE; });
  return 0;
}

aclError set_value(device::Stream& stream, aclrtStreamAttr attribute,
                   const aclrtStreamAttrValue& value) {
  switch (attribute) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      return set_failure_mode(set_attribute, stream, value.failureMode);
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      return api::set_overflow_switch(set_attribute, stream, value.overflowSwitch);
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
      stream.properties.change([&](auto& all) { all.custom_tag = value.userCustomTag; });
      return 0;
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      stream.properties.change(
          [&](auto& all) { all.keeps_operator_info = value.cacheOpInfoSwitch; });
      return 0;
    case ACL_STREAM_ATTR_PRIORITY:
      if (value.streamPriority > api::lowest_priority)
        return refuse_value(ACL_ERROR_RT_PARAM_INVALID, set_attribute, "streamPriority",
                            value.streamPriority, "0 to 7");
      stream.properties.change([&](auto& all) { all.priority = value.streamPriority; });
      return 0;
  }
  return refuse_value(ACL_ERROR_RT_PARAM_INVALID, set_attribute, "stmAttrType",
                      static_cast<int>(attribute), "1 to 5");
}

aclError get_value(const device::Stream& stream, aclrtStreamAttr attribute,
                   aclrtStreamAttrValue& value) {
  const device::StreamProperties properties = stream.properties.get();
  aclrtStreamAttrValue found{};
  switch (attribute) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      found.failureMode = properties.stops_on_failure ? ACL_STOP_ON_FAILURE : 0;
      break;
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      found.overflowSwitch = stream.queue.overflow_switch() ? 1 : 0;
      break;
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
      found.userCustomTag = properties.custom_tag;
      break;
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      found.cacheOpInfoSwitch = properties.keeps_operator_info;
      break;
    case ACL_STREAM_ATTR_PRIORITY:
      found.streamPriority = properties.priority;
      break;
    default:
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, "aclrtGetStreamAttribute", "stmAttrType",
                          static_cast<int>(attribute), "1 to 5");
  }
  value = found;
  return 0;
}

}  // namespace

extern "C" {

aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId) {
  return on_stream("aclrtStreamGetId", stream, {{"streamId", streamId}},
                   [&](const auto& found) { *streamId = static_cast<std::int32_t>(found->id()); });
}

aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority) {
  return on_stream("aclrtStreamGetPriority", stream, {{"priority", priority}},
                   [&](const auto& found) { *priority = found->properties.get().priority; });
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
  return on_stream("aclrtStreamGetFlags", stream, {{"flags", flags}},
                   [&](const auto& found) { *flags = found->properties.get().flags; });
}

aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority) {
  return api::in_context("aclrtDeviceGetStreamPriorityRange", {}, [&](const device::Context&) {
    if (leastPriority != nullptr) *leastPriority = api::lowest_priority;
    if (greatestPriority != nullptr) *greatestPriority = 0;
  });
}

aclError aclrtGetStreamAvailableNum(uint32_t* streamCount) {
  return api::in_context(
      "aclrtGetStreamAvailableNum", {{"streamCount", streamCount}}, [&](const auto& context) {
        const auto& soc = *device::current_machine()->devices.at(context.device);
        const std::size_t live = device::streams_of_program(context.device);
        *streamCount =
            static_cast<std::uint32_t>(device::limits_of(soc.product).max_streams - live);
      });
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  return on_stream("aclrtSetStreamFailureMode", stream, {}, [&](const StreamPointer& found) {
    return set_failure_mode("aclrtSetStreamFailureMode", *found, mode);
  });
}

aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  return on_stream(set_attribute, stream, {{"value", value}}, [&](const StreamPointer& found) {
    return set_value(*found, stmAttrType, *value);
  });
}

aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  return on_stream(
      "aclrtGetStreamAttribute", stream, {{"value", value}},
      [&](const StreamPointer& found) { return get_value(*found, stmAttrType, *value); });
}

aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle() {
  aclrtStreamConfigHandle* created = nullptr;
  entry([&] { created = live_configurations().create(); });
  return created;
}

aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle) {
  return entry([&] {
    const char* const function = "aclrtDestroyStreamConfigHandle";
    if (const aclError code = require_non_null(function, {{"handle", handle}})) return code;
    return live_configurations().destroy(handle) ? 0 : refuse_configuration(function, handle);
  });
}

aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr,
                                 const void* attrValue, size_t valueSize) {
  return entry([&] {
    const char* const function = "aclrtSetStreamConfigOpt";
    if (const aclError code =
            require_non_null(function, {{"handle", handle}, {"attrValue", attrValue}}))
      return code;
    const AttributePlace place = place_of(attr);
    if (place.size == 0)
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "attr", static_cast<int>(attr),
                          "0 to 3");
    if (place.size != valueSize)
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "valueSize", valueSize,
                          fmt::format("{} bytes for attr {}", place.size, static_cast<int>(attr)));
    const bool is_live = live_configurations().with(handle, [&](aclrtStreamConfigHandle& found) {
      std::memcpy(reinterpret_cast<std::byte*>(&found) + place.offset, attrValue, place.size);
    });
    return is_live ? 0 : refuse_configuration(function, handle);
  });
}

aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle) {
  return entry([&] {
    const char* const function = "aclrtCreateStreamV2";
    if (const aclError code = require_non_null(function, {{"stream", stream}, {"handle", handle}}))
      return code;
    aclrtStreamConfigHandle chosen{};
    if (!live_configurations().with(handle, [&](const auto& found) { chosen = found; }))
      return refuse_configuration(function, handle);
    return api::create_configured_stream(function, stream, chosen.priority, chosen.flag);
  });
}

aclError aclrtStreamAbort(aclrtStream stream) {
  return on_stream("aclrtStreamAbort", stream, {}, [&](const StreamPointer& found) {
    if (const aclError code = device::refuse_inside_task("aclrtStreamAbort")) return code;
    found->queue.abort(ACL_ERROR_RT_STREAM_ABORT,
                       "EE1001: aclrtStreamAbort: dropped what the stream had not begun");
    return aclError{0};
  });
}

}  // extern "C"
