#pragma once

#include "acl/acl_base.h"
#include "kernel/device/error_text.h"

#include <initializer_list>
#include <new>
#include <system_error>
#include <type_traits>
#include <utility>

namespace gradproof::kernel::api {

/// Code that `work` returns; 0 where it returns nothing.
template <class Work, class... Arguments>
aclError code_of(Work& work, Arguments&&... arguments) {
  if constexpr (std::is_void_v<decltype(work(arguments...))>) {
    work(std::forward<Arguments>(arguments)...);
    return 0;
  } else {
    return work(std::forward<Arguments>(arguments)...);
  }
}

/// The body of a C entry point: `work` may throw, what is exported may not.
template <class Work>
aclError entry(Work work) noexcept {
  try {
    return code_of(work);
  } catch (const std::bad_alloc&) {
    device::set_last_error(ACL_ERROR_BAD_ALLOC);
    return ACL_ERROR_BAD_ALLOC;
  } catch (const std::system_error&) {  // the host gives no thread or no lock
    device::set_last_error(ACL_ERROR_RT_MEMORY_ALLOCATION);
    return ACL_ERROR_RT_MEMORY_ALLOCATION;
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

/// `entry`, once the parameters are not null.
template <class Work>
aclError entry(const char* function, std::initializer_list<PointerParameter> non_null,
               Work work) noexcept {
  return entry([&] {
    const aclError code = require_non_null(function, non_null);
    return code != 0 ? code : code_of(work);
  });
}

/// 200001, naming the function.
aclError refuse_unsupported(const char* function);

}  // namespace gradproof::kernel::api
