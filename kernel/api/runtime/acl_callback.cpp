// Callbacks and host functions: tasks of a stream that a thread of the program runs.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/streams/callback_thread.h"

#include <pthread.h>

#include <chrono>
#include <optional>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::on_stream;
using api::refuse_value;
using device::CallbackThread;
using Kind = device::CallbackBinding::Kind;
using StreamPointer = std::shared_ptr<device::Stream>;

aclError process(const char* function, std::int32_t timeout, Kind kind) {
  return entry([&]() -> aclError {
    if (timeout == 0 || timeout < -1)
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "timeout", timeout,
                          "-1 (no limit) or milliseconds from 1 on");
    const auto thread = CallbackThread::find(static_cast<std::uint64_t>(::pthread_self()), kind);
    if (thread == nullptr) {
      return device::refuse(ACL_ERROR_RT_THREAD_SUBSCRIBE,
                            fmt::format("EE1001: {}: no stream is bound to this thread", function));
    }
    std::optional<std::chrono::milliseconds> limit;
    if (timeout > 0) limit = std::chrono::milliseconds{timeout};
    if (thread->process(limit)) return 0;
    return device::refuse(
        ACL_ERROR_RT_REPORT_TIMEOUT,
        fmt::format("EE1001: {}: no callback was due within {} ms", function, timeout));
  });
}

aclError bind(const char* function, std::uint64_t thread, aclrtStream stream, Kind kind) {
  return on_stream(function, stream, {}, [&](const StreamPointer& found) {
    return device::bind_stream(function, *found, thread, kind);
  });
}

aclError unbind(const char* function, std::uint64_t thread, aclrtStream stream, Kind kind) {
  return on_stream(function, stream, {}, [&](const StreamPointer& found) {
    if (const aclError code = device::refuse_inside_task(function)) return code;
    return device::unbind_stream(function, *found, thread, kind);
  });
}

aclError refuse_null_stream(const char* function) {
  return entry([&] {
    return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "exeStream", "null",
                        "a stream that the program made");
  });
}

}  // namespace

extern "C" {

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return bind("aclrtSubscribeReport", threadId, stream, Kind::Report);
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return unbind("aclrtUnSubscribeReport", threadId, stream, Kind::Report);
}

aclError aclrtProcessReport(int32_t timeout) {
  return process("aclrtProcessReport", timeout, Kind::Report);
}

aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream) {
  const char* const function = "aclrtLaunchCallback";
  return entry([&]() -> aclError {
    if (fn == nullptr)
      return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "fn", "null", "a function");
    if (blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK)
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "blockType",
                          static_cast<int>(blockType), "0 (no block), 1 (block)");
    const auto found = device::require_stream(function, stream);
    if (found == nullptr) return device::last_error();
    const device::CallbackBinding bound = found->properties.get().reports;
    if (bound.thread == nullptr) {
      return device::refuse(
          ACL_ERROR_RT_STREAM_NO_CB_REG,
          fmt::format("EE1001: {}: no thread is bound to the stream; call aclrtSubscribeReport",
                      function));
    }
    return CallbackThread::launch(function, found, bound.thread, fn, userData,
                                  blockType == ACL_CALLBACK_BLOCK);
  });
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
  const char* const function = "aclrtLaunchHostFunc";
  return entry([&]() -> aclError {
    if (fn == nullptr)
      return device::refuse(ACL_ERROR_INVALID_PARAM, "EE1001: aclrtLaunchHostFunc: fn is null");
    const auto found = device::require_stream(function, stream);
    if (found == nullptr) return device::last_error();
    const device::CallbackBinding bound = found->properties.get().host_functions;
    if (bound.thread != nullptr)
      return CallbackThread::launch(function, found, bound.thread, fn, args, true);
    const auto task = [fn, args] {
      fn(args);
      return aclError{0};
    };
    return device::enqueue_on(function, *found, task, {});
  });
}

aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) {
  const char* const function = "aclrtSubscribeHostFunc";
  if (exeStream == nullptr) return refuse_null_stream(function);
  return bind(function, hostFuncThreadId, exeStream, Kind::HostFunction);
}

aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) {
  const char* const function = "aclrtUnSubscribeHostFunc";
  if (exeStream == nullptr) return refuse_null_stream(function);
  return unbind(function, hostFuncThreadId, exeStream, Kind::HostFunction);
}

aclError aclrtProcessHostFunc(int32_t timeout) {
  return process("aclrtProcessHostFunc", timeout, Kind::HostFunction);
}

}  // extern "C"
