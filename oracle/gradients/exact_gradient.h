#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/gradients/gradients.h"
#include "oracle/operands/operands.h"
#include "oracle/sums/exact_tensor.h"

namespace gradproof::oracle {

/// Exact elements of one gradient, all of them or a selection, with what judging them needs.
///
/// Element by element, over the contributing products a_i b_i whose operands are finite:
/// s = sum of a_i b_i, S = sum of |a_i b_i|, K = number of products that are not zero. The bound of
/// error_bound.h is a function of K and S alone.
/// Shape: each vector has size() entries, in the order of the elements.
/// Invariants: |s| <= S; S == 0 where K == 0; K <= longest_reduction(). Two implementations:
/// FastGradient for all elements, SampledGradient for a selection.
class ExactGradient {
 public:
  ExactGradient() = default;
  ExactGradient(const ExactGradient&) = default;
  ExactGradient& operator=(const ExactGradient&) = delete;
  virtual ~ExactGradient() = default;

  /// Elements held here.
  virtual std::size_t size() const = 0;

  /// s: the sums of the products of finite operands.
  virtual ExactTensor sums() const = 0;

  /// S: the sums of their absolute values.
  virtual ExactTensor magnitudes() const = 0;

  /// Bounds, from above, the sum of |p| over the products p that have an operand below 2^exponent
  /// in magnitude; not much more than twice that sum or, for sampled elements, than S. A device
  /// that reads subnormal operands as zeros loses their products, at most this sum.
  virtual std::vector<double> magnitudes_below(int exponent) const = 0;

  /// Products of two non-zero finite operands.
  virtual std::vector<std::uint32_t> terms() const = 0;

  /// Special values of the elements; empty where every operand is finite.
  virtual std::vector<Specials> specials() const = 0;

  /// Extents of the operands as they are multiplied; gradBias has 1 as other operand.
  virtual const Extent& extent_of_grad_output() const = 0;
  virtual const Extent& extent_of_other() const = 0;
  /// An upper bound on `terms` of every element, from the geometry alone.
  virtual std::int64_t longest_reduction() const = 0;
  /// The products of the longest sum that an element of the gradient has, zeros counted.
  virtual std::int64_t longest_sum() const = 0;
};

}  // namespace gradproof::oracle
