#pragma once

#include "acl/acl_base.h"
#include "kernel/device/error_text.h"

#include <initializer_list>
#include <new>

namespace gradproof::kernel::api {

/// The body of a C entry point: `work` may throw, what is exported may not.
template <class Work>
aclError entry(Work work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    device::set_last_error(ACL_ERROR_BAD_ALLOC);
    return ACL_ERROR_BAD_ALLOC;
  } catch (...) {
    device::set_last_error(ACL_ERROR_INTERNAL_ERROR);
    return ACL_ERROR_INTERNAL_ERROR;
  }
}

/// A pointer parameter by name, for checks.
struct PointerParameter {
  const char* name;
  const void* value;
};

/// Returns 0, or 100000 (ACL_ERROR_INVALID_PARAM) naming the first that is null.
aclError require_non_null(const char* function, std::initializer_list<PointerParameter> parameters);

/// 200001, naming the function.
aclError refuse_unsupported(const char* function);

}  // namespace gradproof::kernel::api
