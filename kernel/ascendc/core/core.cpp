#include "kernel/ascendc/core/core.h"

#include <algorithm>
#include <string_view>

#include <fmt/core.h>

#include "kernel/device/memory/memory.h"

namespace gradproof::kernel::ascendc {
namespace {

thread_local Core* running_core = nullptr;

}  // namespace

Core::Running::Running(Core& core) { running_core = &core; }
Core::Running::~Running() { running_core = nullptr; }

Core& Core::running(const char* call) {
  if (running_core != nullptr) return *running_core;
  throw Stopped(ACL_ERROR_RT_AICORE_EXCEPTION,
                fmt::format("EZ9999: {}: called outside of a kernel; start one with "
                            "gradproof::launch of kernel_launcher.h",
                            call));
}

bool Core::is_any_running() { return running_core != nullptr; }

std::string Core::text(const char* call, const std::string& what) const {
  return fmt::format("EZ9999: core {} of {}: {}: {}", place_.index, place_.count, call, what);
}

std::string Core::words_of_touch(const void* address) {
  return fmt::format(
      "it reads or writes {} by a plain pointer, which {}; device memory is not the host's: use "
      "GlobalTensor's GetValue and SetValue, or DataCopy",
      address, device::describe_address(address));
}

void Core::stop(const char* call, const std::string& what, aclError code) {
  if (!stopped_) stopped_ = Stopped(code, text(call, what));
  throw *stopped_;
}

void Core::await_turn() {
  if (turns_.await(place_.turn)) return;
  throw Stopped(ACL_ERROR_RT_AICORE_EXCEPTION, text("launch", "a block before this one failed"));
}

void Core::end_operation(const char* name) {
  const auto open = std::ranges::find(open_operations_, std::string_view(name));
  if (open != open_operations_.end()) open_operations_.erase(open);
}

std::optional<Stopped> Core::verdict() const {
  if (stopped_ || open_operations_.empty()) return stopped_;
  return Stopped(ACL_ERROR_RT_AICORE_EXCEPTION,
                 text(open_operations_.front(),
                      fmt::format("leak: {} initialised and not ended when the kernel returned; "
                                  "call End last, once",
                                  open_operations_.size() == 1
                                      ? "an object was"
                                      : fmt::format("{} objects were", open_operations_.size()))));
}

}  // namespace gradproof::kernel::ascendc
