// Capture of a stream's tasks, and the instances that run them again.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/streams/graph_capture.h"

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::on_stream;

/// Returns 0, or 107000 for a mode that there is not.
aclError check_mode(const char* function, aclmdlRICaptureMode mode) {
  if (mode >= ACL_MODEL_RI_CAPTURE_MODE_GLOBAL && mode <= ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
    return 0;
  return api::refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "mode", static_cast<int>(mode),
                           "0 (global), 1 (of the thread), 2 (relaxed)");
}

}  // namespace

extern "C" {

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode) {
  return on_stream("aclmdlRICaptureBegin", stream, {}, [&](const auto& found) {
    const aclError code = check_mode("aclmdlRICaptureBegin", mode);
    return code != 0 ? code : device::begin_capture(*found, mode);
  });
}

aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status,
                                aclmdlRI* modelRI) {
  return on_stream("aclmdlRICaptureGetInfo", stream, {{"status", status}, {"modelRI", modelRI}},
                   [&](const auto& found) {
                     const auto capture = found->capture.get();
                     *status = capture == nullptr ? ACL_MODEL_RI_CAPTURE_STATUS_NONE
                                                  : ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
                     *modelRI = capture == nullptr ? nullptr : capture->handle;
                   });
}

aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI) {
  return on_stream("aclmdlRICaptureEnd", stream, {{"modelRI", modelRI}},
                   [&](const auto& found) { return device::end_capture(*found, *modelRI); });
}

aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode) {
  const char* const function = "aclmdlRICaptureThreadExchangeMode";
  return api::entry(function, {{"mode", mode}}, [&]() -> aclError {
    if (const aclError code = check_mode(function, *mode)) return code;
    *mode = device::exchange_capture_mode(*mode);
    return 0;
  });
}

aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream) {
  const char* const function = "aclmdlRIExecuteAsync";
  return on_stream(function, stream, {}, [&](const auto& found) {
    const auto instance = device::require_model_instance(function, modelRI);
    return instance == nullptr ? device::last_error() : instance->launch(function, *found);
  });
}

aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout) {
  const char* const function = "aclmdlRIExecute";
  return on_stream(function, nullptr, {}, [&](const auto& found) -> aclError {
    std::optional<std::chrono::milliseconds> limit;
    if (const aclError code = api::read_timeout(function, timeout, limit)) return code;
    const auto instance = device::require_model_instance(function, modelRI);
    if (instance == nullptr) return device::last_error();
    if (const aclError code = instance->launch(function, *found)) return code;
    return device::synchronise(function, *found, limit);
  });
}

aclError aclmdlRIDestroy(aclmdlRI modelRI) {
  return api::entry([&]() -> aclError {
    if (device::require_model_instance("aclmdlRIDestroy", modelRI) == nullptr)
      return device::last_error();
    device::model_instances().remove(modelRI);
    return 0;
  });
}

}  // extern "C"
