#pragma once

#include <memory>

#include "kernel/api/convolution_rules/call.h"
#include "kernel/api/objects/executor.h"
#include "kernel/api/operators/convolution_backward_plan.h"
#include "kernel/operators/convolution_backward.h"

namespace gradproof::kernel::api {

/// Decisions of phase one of aclnnConvolutionBackward: the lowered problem, the arithmetic of the
/// device as it was then, and which tensors phase two touches. Inputs: gradOutput, input, weight.
/// Outputs: gradInput, gradWeight, gradBias.
class ConvolutionBackwardExecutor final : public Executor {
 public:
  /// Takes a call that phase one accepted, and its decision.
  ConvolutionBackwardExecutor(const Decision& decision, const parameter_checks::Call& call);

  device::Task make_task(void* workspace) override;
  bool uses_input(std::size_t index) const override;
  bool uses_output(std::size_t index) const override;

 private:
  std::shared_ptr<const operators::ConvolutionBackward> operation_;
};

}  // namespace gradproof::kernel::api
