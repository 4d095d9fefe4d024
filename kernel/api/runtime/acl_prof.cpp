// Profiling: nothing is measured, and programs that ask for it run.

#include "acl/acl_prof.h"
#include "kernel/api/runtime/operator_data.h"

#include <atomic>
#include <string_view>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::require_non_null;

enum class ProfilingObject : std::uint8_t { Configuration, Step, Stamp, Subscription };

api::DataRegistry<ProfilingObject>& profiling_objects() {
  static auto& registry =
      *new api::DataRegistry<ProfilingObject>(device::HandleKind::ProfilingObject);
  return registry;
}

void* create_profiling_object(ProfilingObject kind) {
  return api::create_data<void*>(profiling_objects(), kind);
}

/// Returns 0 for a live object of that kind, else 100000.
aclError check_profiling(const char* function, const void* handle, ProfilingObject kind) {
  return api::on_data(function, profiling_objects(), handle, [&](ProfilingObject& found) {
    if (found == kind) return aclError{0};
    return device::refuse(
        ACL_ERROR_INVALID_PARAM,
        fmt::format("EE1001: {}: {} is another object of acl_prof.h", function, handle));
  });
}

aclError destroy_profiling(const char* function, const void* handle, ProfilingObject kind) {
  const aclError code = check_profiling(function, handle, kind);
  if (code == 0) profiling_objects().remove(handle);
  return code;
}

/// Writes 0 operators, or 0 bytes of their names, of what no model gave.
template <class Number>
aclError answer_none(const char* function, Number* number) {
  return entry(function, {{"the result", number}}, [&] {
    *number = 0;
    return aclError{0};
  });
}

/// An empty text.
aclError answer_empty(const char* function, char* text, std::size_t length) {
  return entry(function, {{"the text", text}}, [&] {
    if (length > 0) *text = '\0';
    return aclError{0};
  });
}

aclError accept_text(const char* function, const char* text) {
  return entry([&] { return require_non_null(function, {{"the text", text}}); });
}

}  // namespace

extern "C" {

aclError aclprofInit(const char* profilerResultPath, size_t) {
  return accept_text("aclprofInit", profilerResultPath);
}
aclError aclprofFinalize() { return 0; }

aclprofConfig* aclprofCreateConfig(uint32_t* deviceIdList, uint32_t deviceNums,
                                   aclprofAicoreMetrics, const aclprofAicoreEvents*, uint64_t) {
  const aclError code = entry([&]() -> aclError {
    if (deviceNums == 0) return 0;
    return require_non_null("aclprofCreateConfig", {{"deviceIdList", deviceIdList}});
  });
  if (code != 0) return nullptr;
  return static_cast<aclprofConfig*>(create_profiling_object(ProfilingObject::Configuration));
}
aclError aclprofDestroyConfig(const aclprofConfig* profilerConfig) {
  return destroy_profiling("aclprofDestroyConfig", profilerConfig, ProfilingObject::Configuration);
}
aclError aclprofStart(const aclprofConfig* profilerConfig) {
  return check_profiling("aclprofStart", profilerConfig, ProfilingObject::Configuration);
}
aclError aclprofStop(const aclprofConfig* profilerConfig) {
  return check_profiling("aclprofStop", profilerConfig, ProfilingObject::Configuration);
}
aclError aclprofSetConfig(aclprofConfigType configType, const char* config, size_t) {
  if (configType > ACL_PROF_ARGS_MIN && configType < ACL_PROF_ARGS_MAX)
    return accept_text("aclprofSetConfig", config);
  return entry([&] {
    return api::refuse_value(ACL_ERROR_INVALID_PARAM, "aclprofSetConfig", "configType",
                             static_cast<int>(configType), "1 to 16");
  });
}

aclprofStepInfo* aclprofCreateStepInfo() {
  return static_cast<aclprofStepInfo*>(create_profiling_object(ProfilingObject::Step));
}
void aclprofDestroyStepInfo(aclprofStepInfo* stepinfo) {
  destroy_profiling("aclprofDestroyStepInfo", stepinfo, ProfilingObject::Step);
}
aclError aclprofGetStepTimestamp(aclprofStepInfo* stepInfo, aclprofStepTag, aclrtStream) {
  return check_profiling("aclprofGetStepTimestamp", stepInfo, ProfilingObject::Step);
}

void* aclprofCreateStamp() { return create_profiling_object(ProfilingObject::Stamp); }
void aclprofDestroyStamp(void* stamp) {
  destroy_profiling("aclprofDestroyStamp", stamp, ProfilingObject::Stamp);
}
aclError aclprofSetStampTraceMessage(void* stamp, const char* msg, uint32_t) {
  const char* const function = "aclprofSetStampTraceMessage";
  const aclError code = check_profiling(function, stamp, ProfilingObject::Stamp);
  return code != 0 ? code : accept_text(function, msg);
}
aclError aclprofMark(void* stamp) {
  return check_profiling("aclprofMark", stamp, ProfilingObject::Stamp);
}
aclError aclprofMarkEx(const char* msg, size_t, aclrtStream) {
  return accept_text("aclprofMarkEx", msg);
}
aclError aclprofPush(void* stamp) {
  return check_profiling("aclprofPush", stamp, ProfilingObject::Stamp);
}
aclError aclprofPop() { return 0; }
aclError aclprofRangeStart(void* stamp, uint32_t* rangeId) {
  static std::atomic<std::uint32_t> ranges = 0;
  const aclError code = check_profiling("aclprofRangeStart", stamp, ProfilingObject::Stamp);
  if (code != 0) return code;
  return entry([&] {
    if (const aclError null = require_non_null("aclprofRangeStart", {{"rangeId", rangeId}}))
      return null;
    *rangeId = ++ranges;
    return aclError{0};
  });
}
aclError aclprofRangeStop(uint32_t) { return 0; }
aclError aclprofRangePushEx(aclprofEventAttributes* attr) {
  return entry([&] { return require_non_null("aclprofRangePushEx", {{"attr", attr}}); });
}
aclError aclprofRangePop() { return 0; }
uint64_t aclprofStr2Id(const char* message) {
  std::uint64_t id = 0xCBF29CE484222325U;
  const std::string_view text = message == nullptr ? std::string_view{} : message;
  for (const char letter : text) id = (id ^ static_cast<unsigned char>(letter)) * 0x100000001B3U;
  return id;
}

aclError aclprofModelSubscribe(uint32_t, const aclprofSubscribeConfig* config) {
  return check_profiling("aclprofModelSubscribe", config, ProfilingObject::Subscription);
}
aclError aclprofModelUnSubscribe(uint32_t) { return 0; }
aclprofSubscribeConfig* aclprofCreateSubscribeConfig(int8_t, aclprofAicoreMetrics, void* fd) {
  if (entry([&] { return require_non_null("aclprofCreateSubscribeConfig", {{"fd", fd}}); }) != 0)
    return nullptr;
  return static_cast<aclprofSubscribeConfig*>(
      create_profiling_object(ProfilingObject::Subscription));
}
aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig* config) {
  return destroy_profiling("aclprofDestroySubscribeConfig", config, ProfilingObject::Subscription);
}
aclError aclprofGetOpDescSize(size_t* opDescSize) {
  return answer_none("aclprofGetOpDescSize", opDescSize);
}
aclError aclprofGetOpNum(const void*, size_t, uint32_t* opNumber) {
  return answer_none("aclprofGetOpNum", opNumber);
}
aclError aclprofGetOpTypeLen(const void*, size_t, uint32_t, size_t* opTypeLen) {
  return answer_none("aclprofGetOpTypeLen", opTypeLen);
}
aclError aclprofGetOpNameLen(const void*, size_t, uint32_t, size_t* opNameLen) {
  return answer_none("aclprofGetOpNameLen", opNameLen);
}
aclError aclprofGetOpType(const void*, size_t, uint32_t, char* opType, size_t opTypeLen) {
  return answer_empty("aclprofGetOpType", opType, opTypeLen);
}
aclError aclprofGetOpName(const void*, size_t, uint32_t, char* opName, size_t opNameLen) {
  return answer_empty("aclprofGetOpName", opName, opNameLen);
}
uint64_t aclprofGetOpStart(const void*, size_t, uint32_t) { return 0; }
uint64_t aclprofGetOpEnd(const void*, size_t, uint32_t) { return 0; }
uint64_t aclprofGetOpDuration(const void*, size_t, uint32_t) { return 0; }
size_t aclprofGetModelId(const void*, size_t, uint32_t) { return 0; }
aclprofSubscribeOpFlag aclprofGetOpFlag(const void*, size_t, uint32_t) {
  return ACL_SUBSCRIBE_NONE;
}
const char* aclprofGetOpAttriValue(const void*, size_t, uint32_t, aclprofSubscribeOpAttri) {
  return nullptr;
}

}  // extern "C"
