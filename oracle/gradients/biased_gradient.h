#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/gradients/exact_gradient.h"
#include "oracle/numbers/number.h"

namespace gradproof::oracle {

/// Exact results of a forward call: those of the gradient that its products make, each with the
/// bias of its channel as one more term.
///
/// K grows by one where the bias is not zero, S by its magnitude; an infinite or NaN bias is one of
/// the element's special products. A bias that is added late is no term: then only specials change,
/// and `bias_of` gives it.
/// Cost: a sum over GMP for each element.
class BiasedGradient final : public ExactGradient {
 public:
  /// Refers to its arguments, which must outlive it. `bias`: one number a channel, at least one.
  /// `elements`: of a channel, one behind the other. `indices`: as in ComparisonBasis.
  BiasedGradient(const ExactGradient& products, const std::vector<Number>& bias,
                 std::int64_t elements, const std::vector<std::uint64_t>* indices, bool is_late);

  /// The element's, by its place in `sums`.
  const Number& bias_of(std::size_t index) const;

  std::size_t size() const override { return products_.size(); }
  ExactTensor sums() const override;
  ExactTensor magnitudes() const override;
  std::vector<double> magnitudes_below(int exponent) const override;
  std::vector<std::uint32_t> terms() const override;
  std::vector<Specials> specials() const override;
  /// The first operand's, stretched so that the products' range holds every bias.
  const Extent& extent_of_grad_output() const override { return stretched_; }
  const Extent& extent_of_other() const override { return products_.extent_of_other(); }
  std::int64_t longest_reduction() const override;
  std::int64_t longest_sum() const override;

 private:
  bool is_term(std::size_t index) const;

  const ExactGradient& products_;
  const std::vector<Number>& bias_;
  std::int64_t elements_;
  const std::vector<std::uint64_t>* indices_;
  bool is_late_;
  Extent stretched_;
};

}  // namespace gradproof::oracle
