#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "kernel/operators/call/problem.h"
#include "kernel/operators/call/tensor_view.h"

namespace gradproof::kernel::operators {

/// One loop over a tensor: how often, and how far each turn goes in the tensor.
struct Loop {
  std::int64_t count = 1, step = 0;
};

/// The loops that bring a tensor into the order an inner product wants, outermost first.
using Arrangement = std::array<Loop, 6>;

/// [N][group][D][H][W][channel]: what a feature map or an output becomes, so that neighbouring
/// channels are neighbours.
Arrangement channels_last(const TensorView& view, std::int64_t groups);

/// [group][kD][kH][kW][summed channel][result channel] of the weight, for dx.
Arrangement taps_first(const TensorView& weight, const Problem& problem);

/// Decodes a tensor's elements into `values`, in that order; there must be one value for each turn
/// of the loops.
void arrange(const Source& source, const Arrangement& arrangement, std::span<float> values);

}  // namespace gradproof::kernel::operators
