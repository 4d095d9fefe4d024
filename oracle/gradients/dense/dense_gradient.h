#pragma once

#include <optional>

#include "corpus/case.h"
#include "oracle/geometry/geometry.h"
#include "oracle/numbers/dense.h"
#include "oracle/numbers/instruction_set.h"
#include "oracle/numbers/number_format.h"
#include "oracle/operands/operands.h"
#include "oracle/sums/exact_tensor.h"

namespace gradproof::oracle {

/// Whether matrix products of whole blocks are the faster way to this gradient: it is large, its
/// matrices are not slivers, and few of the products are zero.
bool is_dense_worthwhile(const Geometry& geometry, corpus::OutputRole role,
                         const MeasuredOperand& grad_output, const MeasuredOperand& other,
                         InstructionSet instructions);

/// Whether that takes so many slices, or is so far out of their reach, that sums by bins
/// (binned_gradient.h) are faster.
bool needs_many_slices(const Geometry& geometry, corpus::OutputRole role,
                       const MeasuredOperand& grad_output, const MeasuredOperand& other,
                       InstructionSet instructions);

/// What `accumulated` (accumulation.h) gives, by blocked matrix products: in one or more slices of
/// doubles, or in 52-bit integers where the processor multiplies such and that takes fewer steps.
/// nullopt where the operands span too much for any: sums of magnitudes of 2^127 units, or without
/// 52-bit integers operands of 64 bits.
/// Cost: all products, zero or not, in multiply-adds of SchemeChoice::steps each; memory for packed
/// blocks and, where patches overlap, for a plane of sums of the whole map.
std::optional<ExactTensor> dense_accumulated(const Geometry& geometry, corpus::OutputRole role,
                                             const MeasuredOperand& grad_output,
                                             const MeasuredOperand& other,
                                             InstructionSet instructions);

}  // namespace gradproof::oracle
