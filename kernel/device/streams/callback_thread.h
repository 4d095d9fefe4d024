#pragma once

#include "acl/acl_rt.h"
#include "kernel/device/streams/stream.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

namespace gradproof::kernel::device {

/// A thread of the program that runs the callbacks of some streams, and what waits for it.
/// Thread-safe.
class CallbackThread {
 public:
  /// Finds the stream's thread; nullptr where no stream is bound to it.
  static std::shared_ptr<CallbackThread> find(std::uint64_t thread, CallbackBinding::Kind kind);

  /// Queues a call of function(argument) in the stream. `is_blocking`: later tasks of the stream
  /// wait until it has returned.
  static aclError launch(const char* name, const std::shared_ptr<Stream>& stream,
                         const std::shared_ptr<CallbackThread>& thread, aclrtCallback function,
                         void* argument, bool is_blocking);

  /// Runs what is due, or waits for one and runs it. False when the time is over first.
  bool process(std::optional<std::chrono::milliseconds> timeout);

  /// Waits until no callback of the stream is left; runs them where the calling thread is this one.
  void finish(const Stream& stream, bool is_calling_thread);

  /// Streams that are bound to it.
  int bound_streams = 0;  // guarded by the table of threads

 private:
  struct Call {
    aclrtCallback function;
    void* argument;
    const Stream* stream;
    bool was_due = false;  ///< its turn in the stream came
    bool is_done = false;
  };
  using CallPointer = std::shared_ptr<Call>;

  bool run_due(std::unique_lock<std::mutex>& lock);
  aclError wait_for(const Call& call, const StreamQueue& waiting);
  std::size_t left_of(const Stream& stream) const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<CallPointer> announced_;  // launched, and not yet their turn in the stream or not run
  std::deque<CallPointer> due_;
};

/// Binds the stream to the thread. 107011 for a stream that is bound so already: each of the
/// two kinds has a thread of its own.
aclError bind_stream(const char* function, Stream& stream, std::uint64_t thread,
                     CallbackBinding::Kind kind);

/// Unbinds it after its callbacks have run. 107012 for a stream that is not bound so.
aclError unbind_stream(const char* function, Stream& stream, std::uint64_t thread,
                       CallbackBinding::Kind kind);

}  // namespace gradproof::kernel::device
