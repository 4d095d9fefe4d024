// Hints about caches: their ranges are checked, and nothing else is done.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/memory/memory.h"

#include <cstring>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::on_stream;
using api::refuse_value;
using StreamPointer = std::shared_ptr<device::Stream>;

constexpr std::size_t hint_bytes = 64;

/// A described range, as it is kept in device memory.
struct HintDescription {
  char mark[16];
  void* start;
  std::size_t size;
};
constexpr char hint_mark[16] = "gradproof cache";
static_assert(sizeof(HintDescription) <= hint_bytes);

aclError check_hint_kind(const char* function, aclrtCmoType type) {
  if (type >= ACL_RT_CMO_TYPE_PREFETCH && type <= ACL_RT_CMO_TYPE_FLUSH) return 0;
  return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "cmoType", static_cast<int>(type),
                      "0 to 3");
}

/// Returns 0 for a range of one live allocation.
aclError check_range(const char* function, void* start, std::size_t size) {
  if (size > 0 && device::held_view(start, size).bytes != nullptr) return 0;
  return device::refuse(
      ACL_ERROR_RT_PARAM_INVALID,
      fmt::format("EE1001: {}: src {} {}; size {} must lie inside one live allocation", function,
                  start, device::describe_address(start), size));
}

aclError hint(const char* function, void* start, std::size_t size, aclrtCmoType type,
              aclrtStream stream) {
  return on_stream(function, stream, {{"src", start}}, [&](const StreamPointer&) {
    const aclError code = check_hint_kind(function, type);
    return code != 0 ? code : check_range(function, start, size);
  });
}

}  // namespace

extern "C" {

aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType, aclrtStream stream) {
  return hint("aclrtCmoAsync", src, size, cmoType, stream);
}

aclError aclrtCmoAsyncWithBarrier(void* src, size_t size, aclrtCmoType cmoType, uint32_t,
                                  aclrtStream stream) {
  return hint("aclrtCmoAsyncWithBarrier", src, size, cmoType, stream);
}

aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo* taskInfo, aclrtStream stream, uint32_t flag) {
  const char* const function = "aclrtCmoWaitBarrier";
  return on_stream(
      function, stream, {{"taskInfo", taskInfo}}, [&](const StreamPointer&) -> aclError {
        if (flag != 0) return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "flag", flag, "0");
        if (taskInfo->barrierNum >= 1 && taskInfo->barrierNum <= ACL_RT_CMO_MAX_BARRIER_NUM)
          return 0;
        return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "barrierNum",
                            taskInfo->barrierNum, "1 to 6");
      });
}

aclError aclrtCmoGetDescSize(size_t* size) {
  return entry([&] {
    if (const aclError code = api::require_non_null("aclrtCmoGetDescSize", {{"size", size}}))
      return code;
    *size = hint_bytes;
    return aclError{0};
  });
}

aclError aclrtCmoSetDesc(void* cmoDesc, void* src, size_t size) {
  const char* const function = "aclrtCmoSetDesc";
  return entry([&]() -> aclError {
    if (const aclError code = api::require_non_null(function, {{"cmoDesc", cmoDesc}, {"src", src}}))
      return code;
    if (const aclError code = check_range(function, src, size)) return code;
    const device::HeldView view = device::held_view(cmoDesc, hint_bytes);
    if (view.bytes == nullptr) return check_range(function, cmoDesc, hint_bytes);
    HintDescription description{{}, src, size};
    std::memcpy(description.mark, hint_mark, sizeof hint_mark);
    std::memcpy(view.bytes, &description, sizeof description);
    return 0;
  });
}

aclError aclrtCmoAsyncWithDesc(void* cmoDesc, aclrtCmoType cmoType, aclrtStream stream,
                               const void*) {
  const char* const function = "aclrtCmoAsyncWithDesc";
  return on_stream(function, stream, {{"cmoDesc", cmoDesc}}, [&](const StreamPointer&) -> aclError {
    if (const aclError code = check_hint_kind(function, cmoType)) return code;
    const device::HeldView view = device::held_view(cmoDesc, hint_bytes);
    if (view.bytes == nullptr) return check_range(function, cmoDesc, hint_bytes);
    HintDescription description{};
    std::memcpy(&description, view.bytes, sizeof description);
    if (std::memcmp(description.mark, hint_mark, sizeof hint_mark) == 0)
      return check_range(function, description.start, description.size);
    return device::refuse(
        ACL_ERROR_RT_PARAM_INVALID,
        fmt::format("EE1001: {}: cmoDesc was not set; call aclrtCmoSetDesc", function));
  });
}

}  // extern "C"
