#pragma once

#include "acl/acl_rt.h"
#include "kernel/device/streams/stream_queue.h"

#include <cstdint>
#include <vector>

/// Facts about a task that failed; its name is CANN's.
struct rtExceptionInfo {
  std::uint32_t task, stream, thread, device, code;
};

namespace gradproof::kernel::device {

/// Callbacks of the program that learn of each failed task before the synchronisation that reports
/// it returns.

/// Sets the callback of aclrtSetExceptionInfoCallback; null removes it.
void set_exception_callback(aclrtExceptionInfoCallback callback);
void add_exception_callback(aclrtExceptionInfoCallback callback);
/// Takes one out that was added. False if there was none.
bool remove_exception_callback(aclrtExceptionInfoCallback callback);

/// Calls all of them for each task of that stream of the device.
void tell_of_failed_tasks(int device, std::uint32_t stream_id,
                          const std::vector<StreamQueue::FailedTask>& tasks);

}  // namespace gradproof::kernel::device
