#pragma once

#include "aclnn/acl_meta.h"
#include "kernel/api/objects/objects.h"
#include "kernel/device/streams/stream.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gradproof::kernel::api {

/// Properties of a tensor that phase two needs to know before the task does: where it lies, and
/// whether it has elements.
struct Operand {
  void* data = nullptr;
  bool is_empty = false;
};

/// Converts a tensor to an operand; nullopt for none.
std::optional<Operand> operand_of(const Held<Tensor>& tensor);

/// Decisions of phase one that phase two carries out. One subclass per operator.
class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  /// The work of one phase two, for the addresses bound now and that workspace. Called on the
  /// thread of phase two; the task runs later, when this executor may be gone: it must own all it
  /// needs.
  virtual device::Task make_task(void* workspace) = 0;

  /// True if phase two touches the data of input or output `index`. What it does not touch may have
  /// any address.
  virtual bool uses_input(std::size_t index) const { return inputs.at(index).has_value(); }
  virtual bool uses_output(std::size_t index) const { return outputs.at(index).has_value(); }

  /// Tensors as phase one found them, in the order of the function's parameters; nullopt where the
  /// caller passed null. aclSet*TensorAddr rebinds `.data` and nothing else.
  std::vector<std::optional<Operand>> inputs, outputs;
  std::uint64_t workspace_size = 0;  ///< bytes
};

/// Hands the executor to the caller of phase one; nullptr when handles give out.
aclOpExecutor* register_executor(std::unique_ptr<Executor> executor);

/// All of phase two: checks the arguments, enqueues the task and destroys the executor unless it is
/// repeatable. 161001: no executor, or no workspace where a size is given. 161002: the executor was
/// used or destroyed before, or the workspace is smaller than phase one asked for. 361001: not
/// initialised, no such stream, or memory that is used is no live device memory. Source: rules
/// PH-03 to PH-18.
aclnnStatus run_executor(void* workspace, std::uint64_t workspace_size, aclOpExecutor* executor,
                         aclrtStream stream);

/// aclSetAclOpExecutorRepeatable and aclDestroyAclOpExecutor. Source: rules PH-09, PH-14.
aclnnStatus make_repeatable(aclOpExecutor* executor);
aclnnStatus destroy_executor(aclOpExecutor* executor);

/// Tensors that an index of aclSet*TensorAddr counts.
enum class Side : std::uint8_t { Inputs, Outputs, InputsThenOutputs };

/// aclSet*TensorAddr. Source: rule PH-15.
aclnnStatus rebind(const char* function, aclOpExecutor* executor, Side side, std::size_t index,
                   const aclTensor* tensor, void* address);

}  // namespace gradproof::kernel::api
