#pragma once

#include "kernel/include/acl/acl_rt.h"

#include <functional>

namespace gradproof::kernel::device {

/// Work of one stream task; runs on the stream's worker thread. Returns 0 or the ACL_ERROR_RT_*
/// code that the next synchronisation of the stream reports; lines given to report_error meanwhile
/// go to the thread that synchronises.
using Task = std::function<aclError()>;

/// Appends `task` to the stream (null: the default stream of the current context); never waits for
/// it. Errors: 107002 no current context, 107003 stream of another context, 107017 no live stream,
/// 107023 stream stopped after a failure.
aclError enqueue(aclrtStream stream, Task task);

/// Overflow mode of the stream whose task is running on this thread (that of its device when the
/// stream was made). ACL_RT_OVERFLOW_MODE_UNDEF on any other thread.
aclrtFloatOverflowMode running_overflow_mode();

}  // namespace gradproof::kernel::device
