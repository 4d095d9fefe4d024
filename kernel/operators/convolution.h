#pragma once

#include <optional>

#include "kernel/operators/call/cores.h"
#include "kernel/operators/call/operation.h"

namespace gradproof::kernel::operators {

/// One forward convolution as phase one decided it: dx of the opposite direction, whose sums start
/// at the bias. Source: aclnnConvolution, calculation formula.
struct ForwardConvolution {
  /// grad_output: x; weight: w; input and grad_input: y.
  ConvolutionBackward sums;
  std::optional<TensorView> bias;
  /// Format of sum and bias together, where the bias is added to sums that have left the cores;
  /// nullopt: sums start at it.
  std::optional<numeric::Format> bias_added_in;
  /// There is no product: y is the bias, rounded once.
  bool is_bias_alone = false;

  bool writes_output() const { return !sums.grad_input->is_empty(); }
  bool reads_operands() const { return writes_output() && !is_bias_alone; }
  bool reads_bias() const { return writes_output() && bias.has_value(); }
};

/// Host addresses, as in Memory.
struct ForwardMemory {
  const std::byte* input = nullptr;
  const std::byte* weight = nullptr;
  const std::byte* bias = nullptr;
  std::byte* output = nullptr;
  std::byte* workspace = nullptr;
};

/// Computes y, every element once. Errors: as of ConvolutionBackward.
Outcome run(const ForwardConvolution& call, const ForwardMemory& memory);

}  // namespace gradproof::kernel::operators
