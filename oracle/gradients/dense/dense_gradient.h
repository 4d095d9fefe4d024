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

/// True if matrix products of whole blocks are the faster way to this gradient: it is large, its
/// matrices are not slivers, and few of the products are zero.
bool is_dense_worthwhile(const Geometry& geometry, corpus::OutputRole role,
                         const MeasuredOperand& grad_output, const MeasuredOperand& other,
                         InstructionSet instructions);

/// True if the operands span too much for any of its number schemes: one of them 64 bits or more.
/// Such sums can be added by bins (binned_gradient.h).
bool spans_too_much(const Geometry& geometry, corpus::OutputRole role,
                    const MeasuredOperand& grad_output, const MeasuredOperand& other);

/// Computes the same as `accumulated` (accumulation.h), by blocked matrix products: in one or more
/// slices of doubles, by residues, or in 52-bit integers where the processor multiplies such,
/// whichever takes the fewest steps. nullopt where the operands span too much.
/// Cost: all products, zero or not, in multiply-adds of SchemeChoice::steps each; memory for packed
/// blocks and, where patches overlap, for a plane of sums of the whole map.
std::optional<ExactTensor> dense_accumulated(const Geometry& geometry, corpus::OutputRole role,
                                             const MeasuredOperand& grad_output,
                                             const MeasuredOperand& other,
                                             InstructionSet instructions);

}  // namespace gradproof::oracle
