#pragma once

#include <cstdint>

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/gradients/exact_gradient.h"
#include "oracle/operands/operands.h"

namespace gradproof::oracle {

/// What decides whether sums of a gradient round, without a look at any element: its operands as
/// they are multiplied, and its longest reduction.
struct SumScope {
  Extent grad_output, other;
  std::int64_t longest_reduction = 0;

  int product_unit() const { return grad_output.unit + other.unit; }
};

SumScope scope_of(const ExactGradient& exact);

/// True if an operand may be subnormal in the format that operands are converted to: FLOAT16's
/// reach up to 2^-14, FLOAT's to 2^-126.
bool has_subnormal_operands(const SumScope& scope, const Arithmetic& arithmetic);

/// True if integers up to 2^p in units of the grid stay clear of the ends of the sums' format,
/// which holds all of them: p is 24 for FLOAT, 53 for DOUBLE.
bool grid_fits(const SumScope& scope, const Arithmetic& arithmetic, Adder adder);

/// True if every partial sum of every element, in any order, is an integer below 2^p on one grid
/// that the sums' format holds, going by the operands' extents alone.
///
/// With |a| < 2^l and |b| < 2^r units and n terms, S < 2^(l + r + bit_width(n)) units. Where that
/// is at most 2^p, every product and partial sum is a number of the format, so that nothing rounds:
/// the result has one value for every order, split and precision of an accumulator that is at least
/// as wide.
/// Proved: proofs/Grid.v, every_sum_is_exact_S and exact_in_every_order.
/// Bounds of bits instead of sums: cheap, since no element is looked at. ElementJudge asks the
/// sharper S <= 2^p of each element where this does not hold.
bool every_sum_is_exact(const SumScope& scope, const Arithmetic& arithmetic, Adder adder);

}  // namespace gradproof::oracle
