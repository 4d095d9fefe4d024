#include "kernel/include/gradproof/graph_operators.h"

#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/graph_rules/graph_checks.h"
#include "kernel/api/objects/objects.h"
#include "kernel/api/operators/graph_operator_executor.h"
#include "kernel/api/runtime/error_message.h"
#include "kernel/device/process_record.h"
#include "kernel/include/aclnn/opdev/op_errno.h"

namespace gradproof::kernel::api {
namespace {

using graph_checks::Argument;
using graph_checks::Call;
using graph_checks::Ints;
using graph_checks::Operator;

/// A call's parameters that both operators have, as the C functions receive them.
struct Attributes {
  const aclIntArray *strides, *pads, *dilations;
  std::int64_t groups;
  const char* data_format;
  bool enable_hf32;
};

/// Where phase one puts what it decided.
struct Decision {
  std::uint64_t* workspace_size;
  aclOpExecutor** executor;
};

void read(Argument<Tensor>& argument, const aclTensor* tensor) {
  argument.given = tensor != nullptr;
  argument.value = tensor_of(tensor);
}

void read(Argument<Ints>& argument, const aclIntArray* array) {
  argument.given = array != nullptr;
  argument.value = ints_of(array);
}

void read(Call& call, const Attributes& attributes, const Decision& decision) {
  read(call.strides, attributes.strides);
  read(call.pads, attributes.pads);
  read(call.dilations, attributes.dilations);
  call.groups = attributes.groups;
  if (attributes.data_format != nullptr) call.data_format = attributes.data_format;
  call.enable_hf32 = attributes.enable_hf32;
  call.has_workspace_size = decision.workspace_size != nullptr;
  call.has_executor = decision.executor != nullptr;
}

aclnnStatus refuse(const Call& call, aclnnStatus status, std::string_view what) {
  report_error(
      parameter_checks::text("EZ9999 ", what, " (", graph_checks::name_of(call.kind), ")"));
  return status;
}

/// Phase one after its arguments were read: checks, plans, hands out the executor.
aclnnStatus plan(Call call, const Decision& decision) {
  const auto device = device::is_initialised() ? device::current_device_state()
                                               : std::optional<device::DeviceState>();
  if (!device) {
    return refuse(call, ACLNN_ERR_RUNTIME_ERROR,
                  "[PH-18] the runtime is not initialised, or this thread has no current device; "
                  "call aclInit or aclnnInit and aclrtSetDevice first");
  }
  call.product = device->product;
  call.profile = device->profile;
  const aclnnStatus status = check_graph_operator(call);
  if (status != ACLNN_SUCCESS) return status;
  auto planned = GraphOperatorExecutor::planned(call, *device);
  if (!planned) {
    return refuse(call, ACLNN_ERR_INNER_NULLPTR,
                  "[HW-01] the device has no kernel for this call, or cannot count its workspace "
                  "in 64 bits");
  }
  const std::uint64_t bytes = planned->workspace_size;
  aclOpExecutor* const handle = register_executor(std::move(planned));
  if (handle == nullptr) {
    return refuse(call, ACLNN_ERR_INNER_CREATE_EXECUTOR, "no executor could be created");
  }
  *decision.workspace_size = bytes;
  *decision.executor = handle;
  return ACLNN_SUCCESS;
}

/// Calls `body`; a host that is out of memory is a failed runtime call to the caller.
template <typename Body>
aclnnStatus guarded(Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return ACLNN_ERR_RUNTIME_ERROR;
  }
}

}  // namespace
}  // namespace gradproof::kernel::api

namespace api = gradproof::kernel::api;

aclnnStatus gradproofConv3DBackpropInputV2GetWorkspaceSize(
    const aclIntArray* inputSize, const aclTensor* filter, const aclTensor* outBackprop,
    const aclIntArray* strides, const aclIntArray* pads, const aclIntArray* dilations,
    int64_t groups, const char* dataFormat, bool enableHf32, aclTensor* y, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return api::guarded([&] {
    const api::Decision decision{workspaceSize, executor};
    api::Call call(api::Operator::InputV2);
    api::read(call.size, inputSize);
    api::read(call.filter, filter);
    api::read(call.out_backprop, outBackprop);
    api::read(call, {strides, pads, dilations, groups, dataFormat, enableHf32}, decision);
    api::read(call.feature, y);
    return api::plan(std::move(call), decision);
  });
}

aclnnStatus gradproofConv3DBackpropInputV2(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return api::guarded(
      [&] { return api::run_executor(workspace, workspaceSize, executor, stream); });
}

aclnnStatus gradproofConv3DBackpropFilterV2GetWorkspaceSize(
    const aclTensor* x, const aclIntArray* filterSize, const aclTensor* outBackprop,
    const aclIntArray* strides, const aclIntArray* pads, const aclIntArray* dilations,
    int64_t groups, const char* dataFormat, bool enableHf32, aclTensor* y, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return api::guarded([&] {
    const api::Decision decision{workspaceSize, executor};
    api::Call call(api::Operator::FilterV2);
    api::read(call.feature, x);
    api::read(call.size, filterSize);
    api::read(call.out_backprop, outBackprop);
    api::read(call, {strides, pads, dilations, groups, dataFormat, enableHf32}, decision);
    api::read(call.filter, y);
    return api::plan(std::move(call), decision);
  });
}

aclnnStatus gradproofConv3DBackpropFilterV2(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return api::guarded(
      [&] { return api::run_executor(workspace, workspaceSize, executor, stream); });
}
