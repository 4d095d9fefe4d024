#include "oracle/gradients/sampled_gradient.h"

#include <utility>

namespace gradproof::oracle {

SampledGradient::SampledGradient(const Geometry& geometry, corpus::OutputRole role,
                                 const Dense<Number>& grad_output, const Dense<Number>& other,
                                 const std::vector<std::uint64_t>& indices)
    : geometry_(geometry),
      role_(role),
      grad_output_(grad_output),
      other_(other),
      grad_output_extent_(extent_of(grad_output)),
      longest_reduction_(geometry.longest_reduction(role)) {
  const bool is_bias = role == corpus::OutputRole::GradBias;
  other_extent_ = is_bias ? extent_of_one() : extent_of(other);
  // By the defining sum, in GMP: the elements are few and their sums may be long.
  const Shape shape = geometry.shape(role);
  elements_.reserve(indices.size());
  for (const std::uint64_t index : indices) {
    const Shape& at = coordinates_.emplace_back(coordinate_of(shape, index));
    elements_.push_back(plain_element(geometry, role, grad_output, other, at));
  }
}

ExactTensor SampledGradient::sums() const {
  std::vector<Dyadic> sums;
  for (const ExactElement& element : elements_) sums.push_back(element.sum);
  return {std::move(sums), 0};
}

ExactTensor SampledGradient::magnitudes() const {
  std::vector<Dyadic> magnitudes;
  for (const ExactElement& element : elements_) magnitudes.push_back(element.magnitude);
  return {std::move(magnitudes), 0};
}

/// The factor makes up for the rounding to double, below 2^-52.
/// Every selected element is summed again with the limit, which only a device that may flush needs.
std::vector<double> SampledGradient::magnitudes_below(int exponent) const {
  std::vector<double> result;
  for (const Shape& at : coordinates_) {
    const auto element = plain_element(geometry_, role_, grad_output_, other_, at, exponent);
    result.push_back(element.small_magnitude.to_double() * (1 + 0x1p-50));
  }
  return result;
}

std::vector<std::uint32_t> SampledGradient::terms() const {
  std::vector<std::uint32_t> result;
  for (const ExactElement& element : elements_) {
    result.push_back(static_cast<std::uint32_t>(element.terms));
  }
  return result;
}

std::vector<Specials> SampledGradient::specials() const {
  if (grad_output_extent_.non_finite + other_extent_.non_finite == 0) return {};
  std::vector<Specials> result;
  for (const ExactElement& element : elements_) result.push_back(element.specials);
  return result;
}

}  // namespace gradproof::oracle
