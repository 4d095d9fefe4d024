#pragma once

#include <functional>

#include "corpus/case.h"
#include "oracle/geometry/geometry.h"
#include "oracle/numbers/dense.h"

namespace gradproof::oracle {

/// Calls `look` with the coordinates of each two operands that are multiplied for the element `at`
/// of a gradient, in row-major order of gradOutput's or, for gradWeight, of the batch: all taps
/// that do not meet padding, zeros included. gradBias has no other operand: its coordinate is 0.
/// All coordinates are of the lifted N C D H W. Ends when `look` returns false.
void for_each_contribution(
    const Geometry& geometry, corpus::OutputRole role, const Shape& at,
    const std::function<bool(const Shape& grad_output, const Shape& other)>& look);

}  // namespace gradproof::oracle
