#pragma once

#include <cstdint>
#include <vector>

#include "corpus/case.h"
#include "oracle/geometry/geometry.h"
#include "oracle/gradients/exact_gradient.h"
#include "oracle/gradients/gradients.h"
#include "oracle/numbers/dense.h"
#include "oracle/numbers/number_format.h"
#include "oracle/operands/operands.h"
#include "oracle/sums/exact_tensor.h"

namespace gradproof::oracle {

/// One gradient of one case, exactly, and fast: the same results as gradients.h, bit for bit.
///
/// Cost: one multiply-add per non-zero element of the sparser feature map and each of its taps, in
/// integers below 2^53 where the operands' measured extents allow, else in 128-bit integers, else
/// in wide fixed-point sums. Large dense gradients by blocked matrix products (dense_gradient.h).
/// All tensors lifted to N C D H W, results in row-major order. The operands are referred to and
/// must outlive it.
/// The three results need three gradients: of the operands (sums), of their absolute values
/// (magnitudes), and of 0-1 tensors (terms). Exactness rests on integers that cannot overflow
/// (accumulators.h), not on an order of summation.
class FastGradient final : public ExactGradient {
 public:
  /// The other operand of gradInput is weight, of gradWeight input; of gradBias there is none.
  FastGradient(const Geometry& geometry, corpus::OutputRole role, const Dense<Number>& grad_output,
               const Dense<Number>& other);
  FastGradient(const Geometry& geometry, const Dense<Number>& grad_output);
  /// Takes operands whose extents are known; here non-finite elements may be among them.
  FastGradient(const Geometry& geometry, corpus::OutputRole role,
               const MeasuredOperand& grad_output, const MeasuredOperand& other);
  FastGradient(const Geometry& geometry, const MeasuredOperand& grad_output);

  std::size_t size() const override;
  ExactTensor sums() const override;
  ExactTensor magnitudes() const override;
  std::vector<double> magnitudes_below(int exponent) const override;
  std::vector<std::uint32_t> terms() const override;
  std::vector<Specials> specials() const override;
  const Extent& extent_of_grad_output() const override { return grad_output_extent_; }
  const Extent& extent_of_other() const override { return other_extent_; }
  std::int64_t longest_reduction() const override { return geometry_.longest_reduction(role_); }
  std::int64_t longest_sum() const override { return geometry_.longest_sum(role_); }

 private:
  /// Conversion of an element before products are added.
  using Projection = Number (*)(const Number&);
  ExactTensor accumulated(Projection of_grad_output, Projection of_other) const;
  /// The gradient of the projected operands as doubles: pairs that are counted, fewer than 2^30, so
  /// that doubles hold them exactly.
  std::vector<double> counted(Projection of_grad_output, Projection of_other) const;
  /// K of each element: the gradient of 0-1 tensors is the number of pairs in which both elements
  /// are 1, by the same code that adds the products, padding and groups included.
  ExactTensor counts() const;
  std::vector<Specials> bias_specials() const;
  /// Marks the elements whose products at padding are NaN, by counting again: over all taps or
  /// positions an element has a fixed set of partners, of which those at padding contribute no
  /// product. The non-finite ones of the set, less those that contribute, are the ones at padding.
  void mark_padding(std::vector<Specials>& specials) const;

  const Geometry& geometry_;
  corpus::OutputRole role_;
  const Dense<Number>& grad_output_;
  const Dense<Number>* other_ = nullptr;
  Extent grad_output_extent_, other_extent_;
};

}  // namespace gradproof::oracle
