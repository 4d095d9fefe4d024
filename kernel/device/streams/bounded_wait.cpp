#include "kernel/device/streams/bounded_wait.h"

#include "kernel/device/error_text.h"
#include "kernel/device/streams/stream.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

namespace gradproof::kernel::device {
namespace {

/// After so long a wait that nothing queued can end is worth a line.
constexpr std::chrono::seconds suspicious{2};

/// True if a stream other than the waiting one has tasks left.
bool is_other_work_left(const StreamQueue& waiting) {
  const auto all = streams().all();
  return std::ranges::any_of(all, [&waiting](const auto& stream) {
    const StreamQueue& queue = stream->queue;
    return &queue != &waiting && !queue.has_reached(queue.last());
  });
}

}  // namespace

BoundedWait::BoundedWait(const char* function, const StreamQueue& waiting,
                         std::optional<std::chrono::seconds> timeout)
    : function_(function), waiting_(waiting), timeout_(timeout) {}

aclError BoundedWait::ask() {
  const auto waited = Clock::now() - start_;
  if (timeout_.has_value() && waited >= *timeout_) {
    return refuse(ACL_ERROR_RT_WAIT_TIMEOUT,
                  fmt::format("EE1001: {}: nothing ended the wait within {} s", function_,
                              timeout_->count()));
  }
  if (waiting_.abandons_unrecorded_waits()) {
    return refuse(
        ACL_ERROR_RT_STREAM_ABORT,
        fmt::format("EE1001: {}: the stream ended or was aborted during the wait", function_));
  }
  if (!has_warned_ && waited > suspicious && !is_other_work_left(waiting_)) {
    has_warned_ = true;
    fmt::print(stderr,
               "gradproof: {}: a stream waits, and nothing that is queued can end the wait\n",
               function_);
  }
  demand_all_streams();
  return 0;
}

}  // namespace gradproof::kernel::device
