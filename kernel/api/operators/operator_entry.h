#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>

#include "kernel/api/convolution_rules/call.h"
#include "kernel/api/objects/executor.h"
#include "kernel/device/device.h"
#include "kernel/include/aclnn/opdev/op_errno.h"

namespace gradproof::kernel::api {

// What the entry points of every operator do alike.

/// Calls `body`; a host that is out of memory or threads is a failed runtime call to the caller.
template <typename Body>
aclnnStatus guarded(Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return ACLNN_ERR_RUNTIME_ERROR;
  } catch (const std::system_error&) {
    return ACLNN_ERR_RUNTIME_ERROR;
  }
}

/// Phase two of every operator.
inline aclnnStatus phase_two(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                             aclrtStream stream) {
  return guarded([&] { return run_executor(workspace, size, executor, stream); });
}

void read(parameter_checks::Argument<Tensor>& argument, const aclTensor* tensor);
void read(parameter_checks::Argument<parameter_checks::Ints>& argument, const aclIntArray* array);
void read(parameter_checks::Argument<std::vector<bool>>& argument, const aclBoolArray* array);

/// The device that a call is for, or nullopt after reporting why there is none (PH-18).
std::optional<device::DeviceState> device_of_call(std::string_view function);

/// The end of phase one: the executor and its workspace go to the caller.
aclnnStatus hand_out(std::string_view function, std::unique_ptr<Executor> planned,
                     std::uint64_t* workspace_size, aclOpExecutor** executor);

/// Phase one's answer to a legal call that the device cannot plan (HW-01).
aclnnStatus refuse_unplanned(std::string_view function);

}  // namespace gradproof::kernel::api
