// What programs may change of the simulated machine while they run.

#include "kernel/include/gradproof/machine.h"

#include <fmt/core.h>

#include <optional>
#include <string_view>

#include "kernel/api/runtime/entry.h"
#include "kernel/device/thread_settings.h"

namespace {
using namespace gradproof::kernel;  // the C names below stand outside every namespace
}  // namespace

extern "C" aclError gradproofSetForThread(const char* setting, const char* value) {
  return api::entry([&] {
    constexpr const char* function = "gradproofSetForThread";
    if (const aclError code = api::require_non_null(function, {{"setting", setting}})) return code;
    const auto text = value ? std::optional<std::string_view>(value) : std::nullopt;
    const auto problem = device::set_for_thread(setting, text);
    if (!problem) return aclError{ACL_SUCCESS};
    return device::refuse(ACL_ERROR_INVALID_PARAM,
                          fmt::format("EE1001: {}: {}", function, *problem));
  });
}
