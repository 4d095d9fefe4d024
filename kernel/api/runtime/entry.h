#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

#include "acl/acl_base.h"
#include "kernel/device/error_text.h"
#include "kernel/device/memory/copy.h"

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

/// Reads a time limit as the API gives it: -1 is for ever (nullopt), anything else must be
/// positive. 0, or 107000 in the name of `function`.
aclError read_timeout(const char* function, std::int32_t milliseconds,
                      std::optional<std::chrono::milliseconds>& limit);

/// Checks the arguments that all copies share, before they look where the pointers live. 100000 for
/// null and for a kind above `last_kind`, 107000 for more bytes than the destination takes.
aclError check_copy(const device::Copy& copy, aclrtMemcpyKind last_kind);

}  // namespace gradproof::kernel::api
