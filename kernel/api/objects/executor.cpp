#include "kernel/api/objects/executor.h"

#include "aclnn/opdev/op_errno.h"
#include "kernel/device/error_text.h"
#include "kernel/device/memory/memory.h"
#include "kernel/device/process_record.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

namespace gradproof::kernel::api {
namespace {

using device::refuse;

/// Tensors whose memory phase two touches should start at a multiple of this. Source:
/// aclCreateTensor.
constexpr std::uintptr_t documented_alignment = 32;

/// An executor as its handle names it.
struct Entry {
  explicit Entry(std::unique_ptr<Executor> owned) : executor(std::move(owned)) {}

  std::mutex mutex;  // concurrent calls are the program's mistake, but must not corrupt memory
  std::unique_ptr<Executor> executor;
  std::atomic<bool> is_repeatable = false;
};

device::Registry<Entry>& entries() {
  static auto& registry = *[] {
    auto* created = new device::Registry<Entry>(device::HandleKind::Executor);
    device::count_at_the_end("aclOpExecutor", [created] { return created->size(); });
    return created;
  }();
  return registry;
}

aclnnStatus refuse_dead(const char* function, const aclOpExecutor* executor) {
  return refuse(
      ACLNN_ERR_PARAM_INVALID,
      fmt::format("EZ1001 [PH-08] {}: executor {} {}; an executor that is not repeatable serves "
                  "one phase two",
                  function, static_cast<const void*>(executor), entries().standing(executor)));
}

aclnnStatus refuse_null_executor(const char* function) {
  return refuse(ACLNN_ERR_INNER_NULLPTR,
                fmt::format("EZ1001 [PH-14] {}: executor is null", function));
}

/// The entry of a live executor, taken out of the registry unless it may be used again; nullptr if
/// it is not live.
std::shared_ptr<Entry> claim(const aclOpExecutor* executor) {
  auto entry = entries().find(executor);
  if (entry == nullptr) return nullptr;
  const bool is_repeatable = entry->is_repeatable;
  return is_repeatable ? entry : entries().remove(executor);
}

aclnnStatus check_workspace(const void* workspace, std::uint64_t size, std::uint64_t needed) {
  if (size > 0 && workspace == nullptr) {
    return refuse(
        ACLNN_ERR_PARAM_NULLPTR,
        fmt::format("EZ1001 [PH-04] phase two: workspace is null but workspaceSize is {}", size));
  }
  if (size < needed) {
    return refuse(
        ACLNN_ERR_PARAM_INVALID,
        fmt::format("EZ1001 [PH-06] phase two: workspaceSize is {}; phase one asked for {} bytes",
                    size, needed));
  }
  if (needed > 0 && device::host_view(workspace, needed) == nullptr) {
    return refuse(
        ACLNN_ERR_RUNTIME_ERROR,
        fmt::format(
            "EZ1001 phase two: workspace {} {} ({}); {} bytes of device memory are needed there",
            workspace, device::describe_address(workspace), ACL_ERROR_RT_PARAM_INVALID, needed));
  }
  return OK;
}

/// A tensor that phase two touches, by its place among the function's parameters.
struct Used {
  const Operand* tensor = nullptr;
  const char* side = nullptr;
  std::size_t index = 0;
};

/// The tensors with elements that phase two touches.
std::vector<Used> used_tensors(const Executor& executor) {
  std::vector<Used> used;
  used.reserve(executor.inputs.size() + executor.outputs.size());
  for (std::size_t index = 0; index < executor.inputs.size(); ++index) {
    const auto& tensor = executor.inputs[index];
    if (!tensor.has_value() || !tensor->is_used) continue;
    used.push_back({&*tensor, "input", index});
  }
  for (std::size_t index = 0; index < executor.outputs.size(); ++index) {
    const auto& tensor = executor.outputs[index];
    if (!tensor.has_value() || !tensor->is_used) continue;
    used.push_back({&*tensor, "output", index});
  }
  return used;
}

/// Refuses a tensor that lies in no live device memory.
aclnnStatus check_hold(const Used& used, const device::MemoryHold& hold) {
  const auto& [tensor, side, index] = used;
  if (!hold) {
    return refuse(
        ACLNN_ERR_RUNTIME_ERROR,
        fmt::format("EZ1001 phase two: data {} of {} {} {} ({})", tensor->data, side, index,
                    device::describe_address(tensor->data), ACL_ERROR_RT_PARAM_INVALID));
  }
  if (reinterpret_cast<std::uintptr_t>(tensor->data) % documented_alignment != 0) {
    device::report_error(fmt::format(
        "EZ1001 phase two: data {} of {} {} is not aligned to {} bytes: undefined on a device "
        "(aclCreateTensor, parameter tensorData)",
        tensor->data, side, index, documented_alignment));
  }
  return OK;
}

/// Holds the memory of all that phase two touches for as long as the task takes.
aclnnStatus hold_all(const Executor& executor, const void* workspace,
                     std::vector<device::MemoryHold>& holds) {
  const std::vector<Used> used = used_tensors(executor);
  std::vector<const void*> addresses;
  addresses.reserve(used.size() + 1);
  for (const Used& each : used) addresses.push_back(each.tensor->data);
  if (executor.workspace_size > 0) addresses.push_back(workspace);
  holds = device::hold_each(addresses);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (const aclnnStatus status = check_hold(used[i], holds[i])) return status;
  }
  return OK;
}

aclnnStatus launch(Executor& executor, void* workspace, aclrtStream stream) {
  const auto found = device::require_stream("phase two", stream);
  if (found == nullptr) {
    return refuse(
        ACLNN_ERR_RUNTIME_ERROR,
        fmt::format("EZ1001 phase two: no stream to launch on ({})", device::last_error()));
  }
  std::vector<device::MemoryHold> holds;
  if (const aclnnStatus status = hold_all(executor, workspace, holds)) return status;
  const aclError code =
      device::enqueue_on("phase two", *found, executor.make_task(workspace), std::move(holds));
  if (code == 0) return OK;
  return refuse(ACLNN_ERR_RUNTIME_ERROR,
                fmt::format("EZ1001 phase two: the stream takes no task ({})", code));
}

/// The tensor that an index counts, or nullptr.
std::optional<Operand>* tensor_at(Executor& executor, Side side, std::size_t index) {
  if (side != Side::Outputs) {
    if (index < executor.inputs.size()) return &executor.inputs[index];
    if (side == Side::Inputs) return nullptr;
    index -= executor.inputs.size();
  }
  return index < executor.outputs.size() ? &executor.outputs[index] : nullptr;
}

aclnnStatus rebind_in(const char* function, Executor& executor, Side side, std::size_t index,
                      void* address) {
  std::optional<Operand>* tensor = tensor_at(executor, side, index);
  if (tensor == nullptr || !tensor->has_value()) {
    return refuse(
        ACLNN_ERR_PARAM_INVALID,
        fmt::format("EZ1001 [PH-15] {}: index is {}, {}; the executor has {} inputs and {} outputs",
                    function, index,
                    tensor == nullptr ? "out of range" : "of a tensor that was null in phase one",
                    executor.inputs.size(), executor.outputs.size()));
  }
  (*tensor)->data = address;
  return OK;
}

}  // namespace

std::optional<Operand> operand_of(const Held<Tensor>& tensor, bool uses_elements) {
  if (!tensor) return std::nullopt;
  const auto& shape = tensor->view_shape;
  return Operand{.data = tensor->data,
                 .is_used = uses_elements && std::ranges::find(shape, 0) == shape.end()};
}

Addresses Executor::addresses(void* workspace) const {
  Addresses bound{.workspace = workspace, .workspace_size = workspace_size};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i]) bound.inputs.at(i) = inputs[i]->data;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i]) bound.outputs.at(i) = outputs[i]->data;
  }
  return bound;
}

aclOpExecutor* register_executor(std::unique_ptr<Executor> executor) {
  return static_cast<aclOpExecutor*>(entries().add(std::make_shared<Entry>(std::move(executor))));
}

aclnnStatus run_executor(void* workspace, std::uint64_t workspace_size, aclOpExecutor* executor,
                         aclrtStream stream) {
  if (executor == nullptr) {
    return refuse(ACLNN_ERR_PARAM_NULLPTR,
                  "EZ1001 [PH-03] phase two: executor is null; pass what phase one gave");
  }
  const auto entry = claim(executor);
  if (entry == nullptr) return refuse_dead("phase two", executor);
  if (!device::is_initialised()) {
    return refuse(ACLNN_ERR_RUNTIME_ERROR,
                  "EZ1001 [PH-18] phase two: neither aclInit nor aclnnInit has been called");
  }
  const std::lock_guard lock(entry->mutex);
  if (const aclnnStatus status =
          check_workspace(workspace, workspace_size, entry->executor->workspace_size))
    return status;
  return launch(*entry->executor, workspace, stream);
}

aclnnStatus make_repeatable(aclOpExecutor* executor) {
  if (executor == nullptr) return refuse_null_executor("aclSetAclOpExecutorRepeatable");
  const auto entry = entries().find(executor);
  if (entry == nullptr) return refuse_dead("aclSetAclOpExecutorRepeatable", executor);
  entry->is_repeatable = true;
  return OK;
}

aclnnStatus destroy_executor(aclOpExecutor* executor) {
  if (executor == nullptr) return refuse_null_executor("aclDestroyAclOpExecutor");
  return entries().remove(executor) != nullptr ? OK
                                               : refuse_dead("aclDestroyAclOpExecutor", executor);
}

aclnnStatus rebind(const char* function, aclOpExecutor* executor, Side side, std::size_t index,
                   const aclTensor* tensor, void* address) {
  if (executor == nullptr) return refuse_null_executor(function);
  if (tensor == nullptr) {
    return refuse(ACLNN_ERR_INNER_NULLPTR,
                  fmt::format("EZ1001 [PH-15] {}: tensor is null", function));
  }
  const auto entry = entries().find(executor);
  if (entry == nullptr) return refuse_dead(function, executor);
  if (tensors().find(tensor) == nullptr) {
    return refuse(ACLNN_ERR_PARAM_INVALID,
                  fmt::format("EZ1001 [PH-15] {}: tensor {} {}", function,
                              static_cast<const void*>(tensor), tensors().standing(tensor)));
  }
  const std::lock_guard lock(entry->mutex);
  return rebind_in(function, *entry->executor, side, index, address);
}

}  // namespace gradproof::kernel::api
