#pragma once

#include <optional>

#include "corpus/case.h"
#include "oracle/geometry/geometry.h"
#include "oracle/gradients/dense/dense_gradient.h"
#include "oracle/sums/exact_tensor.h"

namespace gradproof::oracle {

/// The sum of the contributing products of each element of gradInput or gradWeight, exactly, in
/// row-major order. `other` is weight or input. Every operand must be finite.
///
/// Cost: see FastGradient.
/// Precondition: fewer than 2^30 products for an element, checked. The representation depends on
/// the operands and on the processor, the values do not.
ExactTensor accumulated(const Geometry& geometry, corpus::OutputRole role,
                        const MeasuredOperand& grad_output, const MeasuredOperand& other);

/// Computes the gradient by runs of positions (rows/plane_accumulation.h); nullopt where its sums
/// need more than 127 bits.
std::optional<ExactTensor> accumulated_by_planes(const Geometry& geometry, corpus::OutputRole role,
                                                 const MeasuredOperand& grad_output,
                                                 const MeasuredOperand& other);

/// Computes the gradient always element by element: what the blocked ways are compared with.
ExactTensor accumulated_by_element(const Geometry& geometry, corpus::OutputRole role,
                                   const MeasuredOperand& grad_output,
                                   const MeasuredOperand& other);

}  // namespace gradproof::oracle
