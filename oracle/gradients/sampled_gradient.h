#pragma once

#include <cstdint>
#include <vector>

#include "corpus/case.h"
#include "oracle/geometry/geometry.h"
#include "oracle/gradients/exact_gradient.h"
#include "oracle/numbers/dense.h"

namespace gradproof::oracle {

/// Chosen elements of one gradient, each summed on its own straight from the formulas. For cases
/// too large to compute whole. `indices` count in row-major order; `other` as for FastGradient, and
/// not read for gradBias. Geometry and operands must outlive the object.
/// Cost: longest_reduction() products over GMP for each element; the elements are few
/// (element_plan.h).
class SampledGradient final : public ExactGradient {
 public:
  SampledGradient(const Geometry& geometry, corpus::OutputRole role,
                  const Dense<Number>& grad_output, const Dense<Number>& other,
                  const std::vector<std::uint64_t>& indices);

  std::size_t size() const override { return elements_.size(); }
  ExactTensor sums() const override;
  ExactTensor magnitudes() const override;
  std::vector<double> magnitudes_below(int exponent) const override;
  std::vector<std::uint32_t> terms() const override;
  std::vector<Specials> specials() const override;
  const Extent& extent_of_grad_output() const override { return grad_output_extent_; }
  const Extent& extent_of_other() const override { return other_extent_; }
  std::int64_t longest_reduction() const override { return longest_reduction_; }
  std::int64_t longest_sum() const override { return geometry_.longest_sum(role_); }

 private:
  const Geometry& geometry_;
  corpus::OutputRole role_;
  const Dense<Number>&grad_output_, &other_;
  std::vector<Shape> coordinates_;
  std::vector<ExactElement> elements_;
  Extent grad_output_extent_, other_extent_;
  std::int64_t longest_reduction_ = 0;
};

}  // namespace gradproof::oracle
