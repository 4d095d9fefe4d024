#pragma once

#include "aclnn/acl_meta.h"
#include "kernel/api/objects/objects.h"
#include "kernel/device/streams/stream.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gradproof::kernel::api {

/// Properties of a tensor that phase two needs to know before the task does: where it lies, and
/// whether its data are touched. What phase two does not touch may have any address.
struct Operand {
  void* data = nullptr;
  bool is_used = false;
};

/// Converts a tensor to an operand, which is used if the operator uses its elements and there are
/// any; nullopt for none.
std::optional<Operand> operand_of(const Held<Tensor>& tensor, bool uses_elements = true);

/// Addresses bound when phase two began; null where there is no tensor.
struct Addresses {
  std::array<void*, 4> inputs{};
  std::array<void*, 3> outputs{};
  void* workspace = nullptr;
  std::uint64_t workspace_size = 0;  ///< bytes
};

/// Decisions of phase one that phase two carries out.
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

  Addresses addresses(void* workspace) const;

  /// Tensors as phase one found them, in the order of the function's parameters; nullopt where the
  /// caller passed null. aclSet*TensorAddr rebinds `.data` and nothing else.
  std::vector<std::optional<Operand>> inputs, outputs;
  std::uint64_t workspace_size = 0;  ///< bytes
};

/// An operator's executor: `run` is the work of phase two on the stream.
template <typename Plan>
class PlannedExecutor final : public Executor {
 public:
  using Run = aclError (*)(const Plan&, const Addresses&);

  PlannedExecutor(std::shared_ptr<const Plan> plan, Run run) : plan_(std::move(plan)), run_(run) {}

  device::Task make_task(void* workspace) override {
    return [plan = plan_, run = run_, at = addresses(workspace)] { return run(*plan, at); };
  }

 private:
  std::shared_ptr<const Plan> plan_;
  Run run_;
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
