#pragma once

#include "kernel/operators/call/arithmetic.h"
#include "kernel/operators/call/launch.h"
#include "kernel/operators/call/problem.h"
#include "kernel/operators/call/tensor_view.h"

#include <cstddef>
#include <optional>

namespace gradproof::kernel::operators {

/// One convolution-backward call as phase one decided it: all that phase two needs but addresses
/// and overflow mode.
struct ConvolutionBackward {
  TensorView grad_output, input, weight;
  std::optional<TensorView> grad_input, grad_weight, grad_bias;  ///< those requested
  Problem problem;
  Arithmetic arithmetic;
  Launch launch{};
  /// gradWeight and gradBias become zeros, gradInput is left alone. Source:
  /// aclnnConvolutionBackward, empty tensors.
  bool zero_fill = false;
  /// dw is computed by F(3x3, 2x2), not as direct sums (winograd/).
  bool takes_winograd = false;

  bool reads_grad_output() const { return !zero_fill && (grad_input || grad_weight || grad_bias); }
  bool reads_input() const { return !zero_fill && grad_weight; }
  bool reads_weight() const { return !zero_fill && grad_input; }
  bool writes_grad_input() const { return !zero_fill && grad_input; }
};

/// Host addresses of the tensors' elements (0, 0, 0, 0, 0), null where a tensor is not used, and of
/// the workspace.
struct Memory {
  const std::byte* grad_output = nullptr;
  const std::byte* input = nullptr;
  const std::byte* weight = nullptr;
  std::byte* grad_input = nullptr;
  std::byte* grad_weight = nullptr;
  std::byte* grad_bias = nullptr;
  std::byte* workspace = nullptr;
  /// Start of dx's sums, a FLOAT for each of its channels; null: 0. (The bias of a
  /// forward convolution, which is dx of the opposite direction.)
  const float* first_sums = nullptr;
};

}  // namespace gradproof::kernel::operators
