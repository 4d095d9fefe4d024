#pragma once

#include "kernel/device/error_text.h"

namespace gradproof::kernel::api {

/// One line of error text for the calling thread; aclGetRecentErrMsg gives the newest first.
/// Form: "EZ1001 [RULE-ID] what was found; what is allowed (function, parameter)" for aclnn,
/// "EE1001: ..." for the runtime.
using device::report_error;

}  // namespace gradproof::kernel::api
