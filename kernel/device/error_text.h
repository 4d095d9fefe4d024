#pragma once

#include "acl/acl_base.h"

#include <string>
#include <vector>

namespace gradproof::kernel::device {

/// Adds one line to what aclGetRecentErrMsg gives on this thread. A line names the function, the
/// culprit and what is allowed, e.g. "EE1001: aclrtMalloc: size is 0; it must be positive".
void report_error(std::string line);

/// Reports and returns `code`, which also becomes the thread's last error.
aclError refuse(aclError code, std::string line);

/// The lines reported on this thread since the last call, oldest first; clears them.
std::vector<std::string> take_error_lines();

/// Code of the last failure on this thread, 0 for none.
aclError last_error();
void set_last_error(aclError code);

}  // namespace gradproof::kernel::device
