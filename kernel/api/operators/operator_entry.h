#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

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

/// Where phase one puts what it decided.
struct PhaseOneResults {
  std::uint64_t* workspace_size = nullptr;
  aclOpExecutor** executor = nullptr;
};

/// The device that a call is for, or nullopt after reporting why there is none (PH-18).
std::optional<device::DeviceState> device_of_call(std::string_view function);

/// The end of phase one: the executor and its workspace go to the caller.
aclnnStatus hand_out(std::string_view function, std::unique_ptr<Executor> planned,
                     const PhaseOneResults& results);

/// Phase one's answer to a legal call that the device cannot plan (HW-01).
aclnnStatus refuse_unplanned(std::string_view function);

/// Phase one of an operator. `read_parameters` completes the call, `decide` gives its status.
template <typename Call, typename Read, typename Decide>
aclnnStatus phase_one(std::string_view function, const PhaseOneResults& results, Call call,
                      Read read_parameters, Decide decide) {
  return guarded([&]() -> aclnnStatus {
    const auto device = device_of_call(function);
    if (!device) return ACLNN_ERR_RUNTIME_ERROR;
    call.product = device->product;
    call.profile = device->profile;
    call.has_workspace_size = results.workspace_size != nullptr;
    call.has_executor = results.executor != nullptr;
    read_parameters(call);
    return decide(call, *device);
  });
}

/// Phase one of an operator that checks every call: `check` gives the status after reporting
/// what is wrong, `planned` the executor, or null where the device cannot plan the call.
template <typename Call, typename Read, typename Check, typename Planned>
aclnnStatus phase_one(std::string_view function, const PhaseOneResults& results, Call call,
                      Read read_parameters, Check check, Planned planned) {
  const auto decide = [&](const Call& complete, const device::DeviceState& device) {
    const aclnnStatus status = check(complete);
    if (status != ACLNN_SUCCESS) return status;
    auto executor = planned(complete, device);
    if (!executor) return refuse_unplanned(function);
    return hand_out(function, std::move(executor), results);
  };
  return phase_one(function, results, std::move(call), read_parameters, decide);
}

}  // namespace gradproof::kernel::api
