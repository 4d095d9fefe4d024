#pragma once

#include "corpus/case.h"
#include "oracle/dense.h"
#include "oracle/exact_tensor.h"
#include "oracle/geometry.h"
#include "oracle/number_format.h"

namespace gradproof::oracle {

/// The sum of the products that meet in each element of gradInput or gradWeight, exactly, in
/// row-major order. `other` is weight or input. Every operand must be finite.
///
/// Cost: see FastGradient.
ExactTensor accumulated(const Geometry& geometry, corpus::OutputRole role,
                        const Dense<Number>& grad_output, const Dense<Number>& other);

/// The same, always element by element: what the blocked ways are compared with.
ExactTensor accumulated_by_element(const Geometry& geometry, corpus::OutputRole role,
                                   const Dense<Number>& grad_output, const Dense<Number>& other);

}  // namespace gradproof::oracle
