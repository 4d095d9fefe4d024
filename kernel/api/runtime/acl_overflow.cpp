// Overflow by its older names; ids, dumps and other small things.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/memory/memory.h"
#include "kernel/device/process_record.h"

#include <fstream>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::refuse_value;

/// The one check mode that the older functions about overflow know.
aclError check_mode(const char* function, std::uint32_t mode) {
  if (mode == 0) return 0;
  return entry(
      [&] { return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "checkMode", mode, "0"); });
}

}  // namespace

extern "C" {

aclError aclrtCtxGetFloatOverflowAddr(void** overflowAddr) {
  const char* const function = "aclrtCtxGetFloatOverflowAddr";
  return api::in_context(
      function, {{"overflowAddr", overflowAddr}}, [&](const device::Context& context) -> aclError {
        if (device::overflow_mode_of(context.device) != ACL_RT_OVERFLOW_MODE_SATURATION) {
          return device::refuse(
              ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
              fmt::format("EE1001: {}: the device is not in saturation mode", function));
        }
        void* const address = device::overflow_words_of(context.device);
        if (address == nullptr) {
          return device::refuse(
              ACL_ERROR_RT_MEMORY_ALLOCATION,
              fmt::format("EE1001: {}: the device has no 64 bytes left", function));
        }
        *overflowAddr = address;
        return 0;
      });
}

aclError aclrtGetFloatOverflowStatus(void* outputAddr, uint64_t outputSize, aclrtStream stream) {
  return aclrtGetOverflowStatus(outputAddr, outputSize, stream);
}

aclError aclrtResetFloatOverflowStatus(aclrtStream stream) {
  return aclrtResetOverflowStatus(stream);
}

aclError aclrtNpuGetFloatOverFlowStatus(void* outputAddr, uint64_t outputSize, uint32_t checkMode,
                                        aclrtStream stream) {
  const aclError code = check_mode("aclrtNpuGetFloatOverFlowStatus", checkMode);
  return code != 0 ? code : aclrtGetOverflowStatus(outputAddr, outputSize, stream);
}

aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode, aclrtStream stream) {
  const aclError code = check_mode("aclrtNpuClearFloatOverFlowStatus", checkMode);
  return code != 0 ? code : aclrtResetOverflowStatus(stream);
}

aclError aclrtGetThreadLastTaskId(uint32_t* taskId) {
  return entry("aclrtGetThreadLastTaskId", {{"taskId", taskId}},
               [&] { *taskId = device::last_task_of_thread(); });
}

aclError aclrtCheckArchCompatibility(const char* socVersion, int32_t* canCompatible) {
  return entry(
      "aclrtCheckArchCompatibility", {{"socVersion", socVersion}, {"canCompatible", canCompatible}},
      [&] {
        const char* const own_name = aclrtGetSocName();
        const device::Soc* const own = own_name == nullptr ? nullptr : device::soc_named(own_name);
        const device::Soc* const named = device::soc_named(socVersion);
        const auto architecture = [](const device::Soc& soc) {
          return device::limits_of(soc.product).npu_architecture;
        };
        *canCompatible =
            own != nullptr && named != nullptr && architecture(*own) == architecture(*named) ? 1
                                                                                             : 0;
        return aclError{0};
      });
}

aclError aclrtCacheLastTaskOpInfo(const void* const infoPtr, const size_t) {
  return entry([&] {
    return api::require_non_null("aclrtCacheLastTaskOpInfo", {{"infoPtr", infoPtr}});
  });
}

aclError aclrtCacheLastTaskExtendInfo(const char* const extendInfoPtr, const size_t) {
  return entry([&] {
    return api::require_non_null("aclrtCacheLastTaskExtendInfo",
                                 {{"extendInfoPtr", extendInfoPtr}});
  });
}

aclError aclmdlInitDump() {
  return entry([] {
    aclAppLog(ACL_WARNING, "aclmdlInitDump", __FILE__, __LINE__,
              "nothing is dumped: there are no models here");
  });
}

aclError aclmdlSetDump(const char* dumpCfgPath) {
  return entry([&]() -> aclError {
    const char* const function = "aclmdlSetDump";
    if (const aclError code = api::require_non_null(function, {{"dumpCfgPath", dumpCfgPath}}))
      return code;
    if (std::ifstream(dumpCfgPath).good()) return 0;
    return device::refuse(ACL_ERROR_INVALID_FILE,
                          fmt::format("EE1001: {}: {} cannot be read", function, dumpCfgPath));
  });
}

aclError aclmdlFinalizeDump() {
  return entry([] { return aclError{0}; });
}

}  // extern "C"
