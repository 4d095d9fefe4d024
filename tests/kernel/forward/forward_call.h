#pragma once

// The forward operators called through their C API, and what their page says that they compute.

#include <cstdint>
#include <memory>
#include <vector>

#include "aclnnop/aclnn_convolution.h"
#include "tests/support/convolution_backward_call.h"
#include "tests/support/runtime_fixture.h"

namespace gradproof::kernel {

enum class ForwardFunction : std::uint8_t { Convolution, ConvTbc, ConvDepthwise2d };

/// Arguments of one call but its tensors. aclnnConvTbc: padding is pad.
struct ForwardAttributes {
  ForwardFunction function = ForwardFunction::Convolution;
  Ints kernel_size{}, stride{1}, padding{0}, dilation{1};
  bool transposed = false;
  Ints output_padding{0};
  std::int64_t groups = 1;
  std::int8_t cube_math_type = 0;
};

/// Tensors of one call; bias may be none.
struct ForwardTensors {
  std::unique_ptr<DeviceTensor> input, weight, bias, output;
};

inline aclnnStatus forward_phase_one(const ForwardAttributes& call, const ForwardTensors& tensors,
                                     std::uint64_t* bytes, aclOpExecutor** executor) {
  const IntArray kernel_size = int_array(call.kernel_size), stride = int_array(call.stride),
                 padding = int_array(call.padding), dilation = int_array(call.dilation),
                 output_padding = int_array(call.output_padding);
  const aclTensor* const x = tensors.input->descriptor();
  const aclTensor* const w = tensors.weight->descriptor();
  const aclTensor* const b = tensors.bias ? tensors.bias->descriptor() : nullptr;
  aclTensor* const y = tensors.output->descriptor();
  if (call.function == ForwardFunction::ConvTbc) {
    return aclnnConvTbcGetWorkspaceSize(x, w, b, call.padding[0], y, call.cube_math_type, bytes,
                                        executor);
  }
  if (call.function == ForwardFunction::ConvDepthwise2d) {
    return aclnnConvDepthwise2dGetWorkspaceSize(x, w, kernel_size.get(), b, stride.get(),
                                                padding.get(), dilation.get(), y,
                                                call.cube_math_type, bytes, executor);
  }
  return aclnnConvolutionGetWorkspaceSize(x, w, b, stride.get(), padding.get(), dilation.get(),
                                          call.transposed, output_padding.get(), call.groups, y,
                                          call.cube_math_type, bytes, executor);
}

inline aclnnStatus forward_phase_two(ForwardFunction function, void* workspace, std::uint64_t bytes,
                                     aclOpExecutor* executor, aclrtStream stream) {
  if (function == ForwardFunction::ConvTbc) {
    return aclnnConvTbc(workspace, bytes, executor, stream);
  }
  if (function == ForwardFunction::ConvDepthwise2d) {
    return aclnnConvDepthwise2d(workspace, bytes, executor, stream);
  }
  return aclnnConvolution(workspace, bytes, executor, stream);
}

/// Both phases, in a workspace of exactly the size asked for.
inline Outcome run(const ForwardAttributes& call, const ForwardTensors& tensors,
                   aclrtStream stream) {
  Outcome outcome;
  aclOpExecutor* executor = nullptr;
  outcome.phase_one = forward_phase_one(call, tensors, &outcome.workspace_size, &executor);
  if (outcome.phase_one != ACL_SUCCESS) return outcome;
  void* workspace = nullptr;
  if (outcome.workspace_size > 0) {
    EXPECT_EQ(aclrtMalloc(&workspace, outcome.workspace_size, ACL_MEM_MALLOC_HUGE_FIRST),
              ACL_SUCCESS);
  }
  outcome.phase_two =
      forward_phase_two(call.function, workspace, outcome.workspace_size, executor, stream);
  outcome.synchronised = aclrtSynchronizeStream(stream);
  // Freeing checks the guard zones: the workspace was not overrun.
  if (workspace != nullptr) {
    EXPECT_EQ(aclrtFree(workspace), ACL_SUCCESS);
  }
  return outcome;
}

/// Values of y, in its order, by the formulas of the pages; `bias` may be empty.
std::vector<double> forward_truth(const ForwardAttributes& call, const ForwardTensors& tensors,
                                  const std::vector<float>& input, const std::vector<float>& weight,
                                  const std::vector<float>& bias);

/// One device of a product, with a stream.
class ForwardOperators : public OnDevice {
 protected:
  void SetUp() override { use("Ascend910B1"); }
  void TearDown() override {
    aclrtDestroyStream(stream_);
    OnDevice::TearDown();
  }

  void use(const std::string& soc, const Variables& others = {}) {
    Variables variables{{"GRADPROOF_DEVICES", soc}};
    variables.insert(variables.end(), others.begin(), others.end());
    if (stream_ != nullptr) aclrtDestroyStream(stream_);
    open(variables);
    stream_ = new_stream();
  }

  aclrtStream stream_ = nullptr;
};

}  // namespace gradproof::kernel
