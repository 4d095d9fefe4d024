#include "kernel/device/context.h"

#include "kernel/device/error_text.h"

#include <fmt/core.h>

namespace gradproof::kernel::device {
namespace {

thread_local aclrtContext current = nullptr;

}  // namespace

Registry<Context>& contexts() {
  static auto& registry = *new Registry<Context>(HandleKind::Context);
  return registry;
}

std::shared_ptr<Context> current_context() {
  return current == nullptr ? nullptr : contexts().find(current);
}

std::shared_ptr<Context> require_context(const char* function) {
  auto context = current_context();
  if (context == nullptr) {
    refuse(ACL_ERROR_RT_CONTEXT_NULL,
           fmt::format("EE1001: {}: this thread has no current context; call aclrtSetDevice or "
                       "aclrtSetCurrentContext on "
                       "it first",
                       function));
  }
  return context;
}

void make_current(aclrtContext handle) { current = handle; }

}  // namespace gradproof::kernel::device
