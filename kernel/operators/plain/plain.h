#pragma once

#include <span>

#include "kernel/operators/call/arithmetic.h"
#include "kernel/operators/call/problem.h"
#include "kernel/operators/call/tensor_view.h"

// The three gradients by plain loops, in the canonical order of additions. Every faster operator
// must give these bits.
namespace gradproof::kernel::operators::plain {

/// Operands of dx and dw, converted to the compute type and arranged (operand.h): gradOutput and
/// input with channels last, the weight with taps first. Those that a gradient does not read may be
/// absent.
struct PlainOperands {
  std::span<const float> grad_output, input, weight;
  const float* first_sums = nullptr;  ///< of dx, one a channel; null: 0
};

/// Computes dx by one running FLOAT sum per element, over kD, then blocks of C0 summed channels,
/// then kH and kW (backwards where the kernel is rotated, that is unless transposed), then the
/// channels of the block; Ascend950 cuts long sums at a multiple of C0 channels and adds the
/// segments. `sums`: two FLOATs for each result channel of a group.
void grad_input(const Problem& problem, const Arithmetic& arithmetic, const PlainOperands& operands,
                std::span<float> sums, const Destination& destination);

/// Computes dw by one FLOAT sum over (H, W) for each (n, D) of the output side, and those sums
/// added in that order; rounded once. `sums`: two FLOATs for each output channel of a group.
void grad_weight(const Problem& problem, const Arithmetic& arithmetic,
                 const PlainOperands& operands, std::span<float> sums,
                 const Destination& destination);

/// Computes db by one FLOAT sum over n, D, H, W of gradOutput as it is stored, whatever the compute
/// type; rounded to the format of gradOutput, then to that of gradBias.
void grad_bias(const Source& grad_output, numeric::OverflowMode overflow,
               const Destination& destination);

}  // namespace gradproof::kernel::operators::plain
