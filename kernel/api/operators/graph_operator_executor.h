#pragma once

#include <cstddef>
#include <memory>

#include "kernel/api/graph_rules/call.h"
#include "kernel/api/objects/executor.h"
#include "kernel/device/device.h"
#include "kernel/operators/convolution_backward.h"

namespace gradproof::kernel::api {

/// Decisions of phase one of a graph operator: the lowered problem and the arithmetic of the device
/// as it was then. Inputs: filter or x, outBackprop. Output: y.
class GraphOperatorExecutor final : public Executor {
 public:
  /// Computation of phase two, and its name in messages.
  struct Plan {
    graph_checks::Operator kind = graph_checks::Operator::InputV2;
    operators::ConvolutionBackward operation;
    operators::TensorView result;  ///< all of y; the operation may leave some of it without terms
  };

  /// Plans a call that passed its checks. Null: the device has no arithmetic for it, or int64
  /// cannot count its workspace.
  static std::unique_ptr<GraphOperatorExecutor> planned(const graph_checks::Call& call,
                                                        const device::DeviceState& device);

  device::Task make_task(void* workspace) override;

 private:
  std::shared_ptr<const Plan> plan_;
};

}  // namespace gradproof::kernel::api
