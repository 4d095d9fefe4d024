// Executors between the two phases, and the beginning and end of aclnn.

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn/opdev/op_errno.h"
#include "kernel/api/objects/executor.h"
#include "kernel/api/runtime/entry.h"
#include "kernel/device/process.h"

#include <fmt/core.h>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::Side;

aclnnStatus rebind_tensor(const char* function, aclOpExecutor* executor, Side side,
                          std::size_t index, const aclTensor* tensor, void* address) {
  return entry([&] { return api::rebind(function, executor, side, index, tensor, address); });
}

/// Executors of the simulated operators have no tensor lists among their parameters.
aclnnStatus rebind_in_list(const char* function, const aclOpExecutor* executor,
                           const aclTensorList* list) {
  return entry([&] {
    if (executor == nullptr || list == nullptr) {
      return device::refuse(ACLNN_ERR_INNER_NULLPTR,
                            fmt::format("EZ1001 {}: {} is null", function,
                                        executor == nullptr ? "executor" : "tensors"));
    }
    return device::refuse(
        ACLNN_ERR_PARAM_INVALID,
        fmt::format("EZ1001 {}: no operator of this library takes a tensor list", function));
  });
}

aclnnStatus runtime_status(aclError code) { return code == 0 ? OK : ACLNN_ERR_RUNTIME_ERROR; }

}  // namespace

extern "C" {

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  return entry([&] { return api::make_repeatable(executor); });
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  return entry([&] { return api::destroy_executor(executor); });
}

aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                  void* addr) {
  return rebind_tensor("aclSetInputTensorAddr", executor, Side::Inputs, index, tensor, addr);
}
aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                   void* addr) {
  return rebind_tensor("aclSetOutputTensorAddr", executor, Side::Outputs, index, tensor, addr);
}
aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                             void* addr) {
  return rebind_tensor("aclSetTensorAddr", executor, Side::InputsThenOutputs, index, tensor, addr);
}
aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t, const size_t,
                                         aclTensorList* tensors, void*) {
  return rebind_in_list("aclSetDynamicInputTensorAddr", executor, tensors);
}
aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t, const size_t,
                                          aclTensorList* tensors, void*) {
  return rebind_in_list("aclSetDynamicOutputTensorAddr", executor, tensors);
}
aclnnStatus aclSetDynamicTensorAddr(aclOpExecutor* executor, size_t, const size_t,
                                    aclTensorList* tensors, void*) {
  return rebind_in_list("aclSetDynamicTensorAddr", executor, tensors);
}

// The same functions under the names they had first.
aclnnStatus AclSetInputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                  void* addr) {
  return aclSetInputTensorAddr(executor, index, tensor, addr);
}
aclnnStatus AclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                   void* addr) {
  return aclSetOutputTensorAddr(executor, index, tensor, addr);
}
aclnnStatus AclSetTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                             void* addr) {
  return aclSetTensorAddr(executor, index, tensor, addr);
}
aclnnStatus AclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                         const size_t relativeIndex, aclTensorList* tensors,
                                         void* addr) {
  return aclSetDynamicInputTensorAddr(executor, irIndex, relativeIndex, tensors, addr);
}
aclnnStatus AclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                          const size_t relativeIndex, aclTensorList* tensors,
                                          void* addr) {
  return aclSetDynamicOutputTensorAddr(executor, irIndex, relativeIndex, tensors, addr);
}
aclnnStatus AclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                    const size_t relativeIndex, aclTensorList* tensors,
                                    void* addr) {
  return aclSetDynamicTensorAddr(executor, irIndex, relativeIndex, tensors, addr);
}

aclnnStatus aclDumpOpTensors(const char*, const char*, aclTensor**, size_t, size_t, aclrtStream) {
  return entry([] { return api::refuse_unsupported("aclDumpOpTensors"); });
}

aclnnStatus aclnnInit(const char* configPath) {
  return entry([&] { return runtime_status(device::aclnn_initialise(configPath)); });
}

aclnnStatus aclnnFinalize() {
  return entry([] { return runtime_status(device::aclnn_finalise()); });
}

}  // extern "C"
