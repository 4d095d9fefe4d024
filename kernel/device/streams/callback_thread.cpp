#include "kernel/device/streams/callback_thread.h"

#include "kernel/device/error_text.h"
#include "kernel/device/streams/bounded_wait.h"

#include <fmt/core.h>
#include <pthread.h>

#include <algorithm>
#include <map>
#include <utility>

namespace gradproof::kernel::device {
namespace {

using ThreadKey = std::pair<std::uint64_t, CallbackBinding::Kind>;
using ThreadTable = std::map<ThreadKey, std::shared_ptr<CallbackThread>>;

Guarded<ThreadTable>& callback_threads() {
  static auto& table = *new Guarded<ThreadTable>;
  return table;
}

/// The thread's, by pthread_self(); made with the first stream that is bound to it.
std::shared_ptr<CallbackThread> joined_thread(const ThreadKey& key) {
  return callback_threads().change([&](ThreadTable& table) {
    auto& found = table[key];
    if (found == nullptr) found = std::make_shared<CallbackThread>();
    ++found->bound_streams;
    return found;
  });
}

void leave_thread(const ThreadKey& key) {
  callback_threads().change([&](ThreadTable& table) {
    const auto found = table.find(key);
    if (--found->second->bound_streams == 0) table.erase(found);
  });
}

CallbackBinding binding_of(const ThreadKey& key) {
  std::shared_ptr<CallbackThread> thread = joined_thread(key);
  std::shared_ptr<void> seat(nullptr, [key](void*) { leave_thread(key); });
  return {std::move(thread), key.first, std::move(seat)};
}

}  // namespace

std::shared_ptr<CallbackThread> CallbackThread::find(std::uint64_t thread,
                                                     CallbackBinding::Kind kind) {
  return callback_threads().change([&](ThreadTable& table) {
    const auto found = table.find({thread, kind});
    return found == table.end() ? nullptr : found->second;
  });
}

aclError CallbackThread::launch(const char* name, const std::shared_ptr<Stream>& stream,
                                const std::shared_ptr<CallbackThread>& thread,
                                aclrtCallback function, void* argument, bool is_blocking) {
  const auto call = std::make_shared<Call>(Call{function, argument, stream.get()});
  {
    const std::lock_guard lock(thread->mutex_);
    thread->announced_.push_back(call);
  }
  // Where the stream drops the task, the call is no longer announced.
  const auto withdraw = [thread, call](void*) {
    const std::lock_guard lock(thread->mutex_);
    if (!call->was_due) std::erase(thread->announced_, call);
    thread->changed_.notify_all();
  };
  const std::shared_ptr<void> guard(call.get(), withdraw);
  const auto task = [thread, call, guard, is_blocking, &queue = stream->queue] {
    {
      const std::lock_guard lock(thread->mutex_);
      call->was_due = true;
      thread->due_.push_back(call);
      thread->changed_.notify_all();
    }
    return is_blocking ? thread->wait_for(*call, queue) : aclError{0};
  };
  return enqueue_on(name, *stream, task, {});
}

aclError CallbackThread::wait_for(const Call& call, const StreamQueue& waiting) {
  BoundedWait wait("aclrtLaunchCallback", waiting, std::nullopt);
  std::unique_lock lock(mutex_);
  while (!call.is_done) {
    lock.unlock();
    const aclError code = wait.ask();
    lock.lock();
    if (code != 0) return code;
    changed_.wait_for(lock, BoundedWait::look_interval, [&] { return call.is_done; });
  }
  return 0;
}

bool CallbackThread::run_due(std::unique_lock<std::mutex>& lock) {
  bool has_run = false;
  while (!due_.empty()) {
    const CallPointer call = due_.front();
    due_.pop_front();
    lock.unlock();
    call->function(call->argument);
    lock.lock();
    call->is_done = true;
    std::erase(announced_, call);
    changed_.notify_all();
    has_run = true;
  }
  return has_run;
}

bool CallbackThread::process(std::optional<std::chrono::milliseconds> timeout) {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!run_due(lock)) {
    if (timeout.has_value() && std::chrono::steady_clock::now() - start >= *timeout) return false;
    lock.unlock();
    demand_all_streams();
    lock.lock();
    changed_.wait_for(lock, BoundedWait::look_interval, [this] { return !due_.empty(); });
  }
  return true;
}

std::size_t CallbackThread::left_of(const Stream& stream) const {
  return static_cast<std::size_t>(std::ranges::count(announced_, &stream, &Call::stream));
}

void CallbackThread::finish(const Stream& stream, bool is_calling_thread) {
  std::unique_lock lock(mutex_);
  while (left_of(stream) > 0) {
    if (is_calling_thread && run_due(lock)) continue;
    lock.unlock();
    demand_all_streams();
    lock.lock();
    changed_.wait_for(lock, BoundedWait::look_interval);
  }
}

aclError bind_stream(const char* function, Stream& stream, std::uint64_t thread,
                     CallbackBinding::Kind kind) {
  const bool is_done = stream.properties.change([&](StreamProperties& properties) {
    CallbackBinding& binding = properties.callbacks(kind);
    if (binding.thread != nullptr) return false;
    binding = binding_of({thread, kind});
    return true;
  });
  if (is_done) return 0;
  return refuse(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                fmt::format("EE1001: {}: the stream is bound to a thread already; one thread of "
                            "each of the two mechanisms for each stream",
                            function));
}

aclError unbind_stream(const char* function, Stream& stream, std::uint64_t thread,
                       CallbackBinding::Kind kind) {
  const CallbackBinding bound = stream.properties.change([&](StreamProperties& properties) {
    CallbackBinding& binding = properties.callbacks(kind);
    const bool is_so = binding.thread != nullptr && binding.id == thread;
    return is_so ? std::exchange(binding, {}) : CallbackBinding{};
  });
  if (bound.thread == nullptr) {
    return refuse(ACL_ERROR_RT_THREAD_SUBSCRIBE,
                  fmt::format("EE1001: {}: the stream is not bound to thread {} in this way",
                              function, thread));
  }
  bound.thread->finish(stream, thread == static_cast<std::uint64_t>(::pthread_self()));
  return 0;
}

}  // namespace gradproof::kernel::device
