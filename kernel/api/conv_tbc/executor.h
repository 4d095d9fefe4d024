#pragma once

#include <memory>
#include <optional>

#include "kernel/api/conv_tbc/call.h"
#include "kernel/api/objects/executor.h"
#include "kernel/operators/convolution_backward.h"

namespace gradproof::kernel::api::conv_tbc {

/// A call that passed its checks as the convolution that it is: the tensors' axes are read in
/// another order, through their strides.
struct Plan {
  operators::ConvolutionBackward operation;
  /// The gradients of an empty input or weight that have elements: there is no product, their sums
  /// are zeros.
  std::optional<operators::TensorView> cleared_grad_input, cleared_grad_weight;
};

/// Inputs: self, input, weight, bias, which is not read. Outputs: gradInput, gradWeight, gradBias.
class ConvTbcExecutor final : public Executor {
 public:
  /// Plans the call; null: the device has no arithmetic for it or cannot count its workspace.
  static std::unique_ptr<ConvTbcExecutor> planned(const Call& call,
                                                  const device::DeviceState& device);

  device::Task make_task(void* workspace) override;
  bool uses_input(std::size_t index) const override;
  bool uses_output(std::size_t index) const override;

 private:
  std::shared_ptr<const Plan> plan_;
};

}  // namespace gradproof::kernel::api::conv_tbc
