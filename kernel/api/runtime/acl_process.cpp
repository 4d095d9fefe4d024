// Process: beginning, end, version, error texts.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/device/process.h"

#include <fmt/core.h>

#include <string>
#include <vector>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;

/// True if aclrtPeekAtLastError and aclrtGetLastError know the level.
bool is_level(aclrtLastErrLevel level) { return level == ACL_RT_THREAD_LEVEL; }

aclError refuse_level(const char* function, aclrtLastErrLevel level) {
  return device::refuse(ACL_ERROR_INVALID_PARAM,
                        fmt::format("EE1001: {}: level is {}; allowed: 0 (ACL_RT_THREAD_LEVEL)",
                                    function, static_cast<int>(level)));
}

}  // namespace

extern "C" {

aclError aclInit(const char* configPath) {
  return entry([&] { return device::initialise(configPath); });
}

aclError aclFinalize() {
  return entry([] { return device::finalise(); });
}

aclError aclFinalizeReference(uint64_t* refCount) {
  return entry([&] { return device::finalise_reference(refCount); });
}

aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  return entry("aclrtGetVersion",
               {{"majorVersion", majorVersion},
                {"minorVersion", minorVersion},
                {"patchVersion", patchVersion}},
               [&] {
                 *majorVersion = ACL_MAJOR_VERSION;
                 *minorVersion = ACL_MINOR_VERSION;
                 *patchVersion = ACL_PATCH_VERSION;
               });
}

const char* aclGetRecentErrMsg() {
  thread_local std::string message;
  const char* text = nullptr;
  entry([&] {
    const std::vector<std::string> lines = device::take_error_lines();
    if (lines.empty()) return aclError{0};
    message.clear();
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) message += *line + '\n';
    message.pop_back();
    text = message.c_str();
    return aclError{0};
  });
  return text;
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
  return entry([&] {
    return is_level(level) ? device::last_error() : refuse_level("aclrtPeekAtLastError", level);
  });
}

aclError aclrtGetLastError(aclrtLastErrLevel level) {
  return entry([&] {
    if (!is_level(level)) return refuse_level("aclrtGetLastError", level);
    const aclError code = device::last_error();
    device::set_last_error(0);
    return code;
  });
}

aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  return entry("aclrtGetRunMode", {{"runMode", runMode}}, [&] { *runMode = ACL_HOST; });
}

}  // extern "C"
