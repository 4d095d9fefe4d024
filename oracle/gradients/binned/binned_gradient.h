#pragma once

#include "corpus/case.h"
#include "oracle/geometry/geometry.h"
#include "oracle/gradients/dense/dense_gradient.h"
#include "oracle/numbers/instruction_set.h"
#include "oracle/sums/exact_tensor.h"

namespace gradproof::oracle {

/// True if bins (bin_plan.h) are a faster way to this gradient than wide sums element by element:
/// it is large, has channels side by side, and few of the products are zero.
bool is_binning_worthwhile(const Geometry& geometry, corpus::OutputRole role,
                           const MeasuredOperand& grad_output, const MeasuredOperand& other);

/// Computes the same as `accumulated` (accumulation.h), for operands of any exponents.
/// Cost: one integer multiply-add for each product, zero or not, and for every `depth` of them a
/// fold of all rows.
ExactTensor binned_accumulated(const Geometry& geometry, corpus::OutputRole role,
                               const MeasuredOperand& grad_output, const MeasuredOperand& other,
                               InstructionSet instructions);

}  // namespace gradproof::oracle
