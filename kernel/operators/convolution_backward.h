#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernel/operators/arithmetic.h"
#include "kernel/operators/cores.h"
#include "kernel/operators/launch.h"
#include "kernel/operators/problem.h"
#include "kernel/operators/tensor_view.h"

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

  bool reads_grad_output() const { return !zero_fill && (grad_input || grad_weight || grad_bias); }
  bool reads_input() const { return !zero_fill && grad_weight; }
  bool reads_weight() const { return !zero_fill && grad_input; }
  bool writes_grad_input() const { return !zero_fill && grad_input; }
};

/// Bytes of workspace: 0 where nothing is computed but zeros, else room for the converted operands.
/// Nullopt where int64 cannot count them.
std::optional<std::uint64_t> workspace_bytes(const ConvolutionBackward& call);

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
};

/// Computes the gradients requested. Writes every element of theirs once, and of the workspace no
/// byte beyond workspace_bytes(call). Errors: what stopped a simulated core, with the buffer that
/// overflowed; then the outputs hold anything.
Outcome run(const ConvolutionBackward& call, const Memory& memory);

}  // namespace gradproof::kernel::operators
