#pragma once

#include <memory>

#include "kernel/api/forward/call.h"
#include "kernel/api/objects/executor.h"
#include "kernel/operators/convolution.h"

namespace gradproof::kernel::api::forward {

/// Inputs: x, w, bias, which may be none. Output: y.
class ForwardExecutor final : public Executor {
 public:
  /// Plans a call that passed its checks; null: the device has no arithmetic for it or cannot count
  /// its workspace.
  static std::unique_ptr<ForwardExecutor> planned(const ForwardCall& call,
                                                  const device::DeviceState& device);

  device::Task make_task(void* workspace) override;
  bool uses_input(std::size_t index) const override;
  bool uses_output(std::size_t index) const override;

 private:
  Function function_ = Function::Convolution;
  std::shared_ptr<const operators::ForwardConvolution> plan_;
};

}  // namespace gradproof::kernel::api::forward
