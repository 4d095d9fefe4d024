#include "kernel/include/gradproof/graph_operators.h"

#include <utility>

#include "kernel/api/graph_rules/graph_checks.h"
#include "kernel/api/objects/objects.h"
#include "kernel/api/operators/graph_operator_executor.h"
#include "kernel/api/operators/operator_entry.h"
#include "kernel/include/aclnn/opdev/op_errno.h"

namespace gradproof::kernel::api {
namespace {

using graph_checks::Call;
using graph_checks::Operator;

/// A call's parameters that both operators have, as the C functions receive them.
struct GraphAttributes {
  const aclIntArray *strides, *pads, *dilations;
  std::int64_t groups;
  const char* data_format;
  bool enable_hf32;
};

/// Where phase one puts what it decided.
struct PhaseOneOutputs {
  std::uint64_t* workspace_size;
  aclOpExecutor** executor;
};

void read_rest(Call& call, const GraphAttributes& attributes, const PhaseOneOutputs& decision) {
  read(call.strides, attributes.strides);
  read(call.pads, attributes.pads);
  read(call.dilations, attributes.dilations);
  call.groups = attributes.groups;
  if (attributes.data_format != nullptr) call.data_format = attributes.data_format;
  call.enable_hf32 = attributes.enable_hf32;
  call.has_workspace_size = decision.workspace_size != nullptr;
  call.has_executor = decision.executor != nullptr;
}

/// Phase one after its arguments were read: checks, plans, hands out the executor.
aclnnStatus plan(Call call, const PhaseOneOutputs& decision) {
  const auto device = device_of_call(graph_checks::name_of(call.kind));
  if (!device) return ACLNN_ERR_RUNTIME_ERROR;
  call.product = device->product;
  call.profile = device->profile;
  const aclnnStatus status = check_graph_operator(call);
  if (status != ACLNN_SUCCESS) return status;
  auto planned = GraphOperatorExecutor::planned(call, *device);
  if (!planned) return refuse_unplanned(graph_checks::name_of(call.kind));
  return hand_out(graph_checks::name_of(call.kind), std::move(planned), decision.workspace_size,
                  decision.executor);
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
    const api::PhaseOneOutputs decision{workspaceSize, executor};
    api::Call call(api::Operator::InputV2);
    api::read(call.size, inputSize);
    api::read(call.filter, filter);
    api::read(call.out_backprop, outBackprop);
    api::read_rest(call, {strides, pads, dilations, groups, dataFormat, enableHf32}, decision);
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
    const api::PhaseOneOutputs decision{workspaceSize, executor};
    api::Call call(api::Operator::FilterV2);
    api::read(call.feature, x);
    api::read(call.size, filterSize);
    api::read(call.out_backprop, outBackprop);
    api::read_rest(call, {strides, pads, dilations, groups, dataFormat, enableHf32}, decision);
    api::read(call.filter, y);
    return api::plan(std::move(call), decision);
  });
}

aclnnStatus gradproofConv3DBackpropFilterV2(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return api::guarded(
      [&] { return api::run_executor(workspace, workspaceSize, executor, stream); });
}
