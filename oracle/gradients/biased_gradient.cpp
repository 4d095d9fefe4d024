#include "oracle/gradients/biased_gradient.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gradproof::oracle {
namespace {

Extent extent_of_bias(const std::vector<Number>& bias) {
  Dense<Number> numbers({1, static_cast<std::int64_t>(bias.size()), 1, 1, 1});
  std::ranges::copy(bias, numbers.elements().begin());
  return extent_of(numbers);
}

/// A product's unit is the sum of its operands' units, and so is its top: moving one operand's ends
/// by what is missing makes a bias a number of the products' range.
Extent stretched(const Extent& operand, const Extent& other, const Extent& bias) {
  Extent result = operand;
  if (bias.non_zeros == 0) return result;
  if (operand.non_zeros == 0 || other.non_zeros == 0) {
    result.unit = bias.unit - other.unit;
    result.top = bias.top - other.top;
    return result;
  }
  result.unit = std::min(operand.unit, bias.unit - other.unit);
  result.top = std::max(operand.top, bias.top - other.top);
  return result;
}

}  // namespace

BiasedGradient::BiasedGradient(const ExactGradient& products, const std::vector<Number>& bias,
                               std::int64_t elements, const std::vector<std::uint64_t>* indices,
                               bool is_late)
    : products_(products),
      bias_(bias),
      elements_(elements),
      indices_(indices),
      is_late_(is_late),
      stretched_(is_late ? products.extent_of_grad_output()
                         : stretched(products.extent_of_grad_output(), products.extent_of_other(),
                                     extent_of_bias(bias))) {}

const Number& BiasedGradient::bias_of(std::size_t index) const {
  const std::uint64_t place = indices_ == nullptr ? index : (*indices_)[index];
  return bias_[place / static_cast<std::uint64_t>(elements_) % bias_.size()];
}

bool BiasedGradient::is_term(std::size_t index) const {
  const Number& bias = bias_of(index);
  return !is_late_ && bias.is_finite() && bias.significand != 0;
}

ExactTensor BiasedGradient::sums() const {
  ExactTensor products = products_.sums();
  if (is_late_) return products;
  std::vector<Dyadic> sums;
  sums.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) {
    sums.push_back(is_term(i) ? products.dyadic(i) + Dyadic(bias_of(i)) : products.dyadic(i));
  }
  return {std::move(sums), 0};
}

ExactTensor BiasedGradient::magnitudes() const {
  ExactTensor products = products_.magnitudes();
  if (is_late_) return products;
  std::vector<Dyadic> magnitudes;
  magnitudes.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) {
    magnitudes.push_back(is_term(i) ? products.dyadic(i) + Dyadic(bias_of(i)).magnitude()
                                    : products.dyadic(i));
  }
  return {std::move(magnitudes), 0};
}

/// A device that reads subnormal numbers as zeros loses a subnormal bias.
std::vector<double> BiasedGradient::magnitudes_below(int exponent) const {
  std::vector<double> result = products_.magnitudes_below(exponent);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double bias = is_term(i) ? std::fabs(to_double(bias_of(i))) : 0;
    if (bias < std::ldexp(1.0, exponent)) result[i] += bias;
  }
  return result;
}

std::vector<std::uint32_t> BiasedGradient::terms() const {
  std::vector<std::uint32_t> result = products_.terms();
  for (std::size_t i = 0; i < result.size(); ++i) result[i] += is_term(i) ? 1 : 0;
  return result;
}

std::vector<Specials> BiasedGradient::specials() const {
  std::vector<Specials> result = products_.specials();
  const bool is_finite =
      std::ranges::all_of(bias_, [](const Number& number) { return number.is_finite(); });
  if (is_finite) return result;
  result.resize(size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Number& bias = bias_of(i);
    result[i].has_nan |= bias.is_nan();
    result[i].has_plus_infinity |= bias.is_infinite() && !bias.negative;
    result[i].has_minus_infinity |= bias.is_infinite() && bias.negative;
  }
  return result;
}

std::int64_t BiasedGradient::longest_reduction() const {
  return products_.longest_reduction() + (is_late_ ? 0 : 1);
}

std::int64_t BiasedGradient::longest_sum() const {
  return products_.longest_sum() + (is_late_ ? 0 : 1);
}

}  // namespace gradproof::oracle
