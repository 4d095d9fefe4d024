#include "oracle/gradients/fast_gradients.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "oracle/gradients/accumulation.h"
#include "oracle/sums/accumulators.h"

namespace gradproof::oracle {
namespace {

using corpus::OutputRole;

// What is made of an element before products are added. With 0-1 tensors in place of the operands a
// gradient counts the pairs of elements that have two properties: so terms and special products are
// counted below.
constexpr Number one{.significand = 1};
constexpr auto signed_one = [](bool negative) {
  return Number{.negative = negative, .significand = 1};
};
constexpr auto value_of = [](const Number& number) {
  return number.is_finite() ? number : Number{};
};
constexpr auto magnitude_of_value = [](const Number& number) {
  Number result = value_of(number);
  result.negative = false;
  return result;
};
constexpr auto presence = [](const Number& number) {
  return number.is_finite() && !number.is_zero() ? one : Number{};
};
constexpr auto always_one = [](const Number& /*number*/) { return one; };
constexpr auto is_nan = [](const Number& number) { return number.is_nan() ? one : Number{}; };
constexpr auto is_zero = [](const Number& number) { return number.is_zero() ? one : Number{}; };
constexpr auto is_infinite = [](const Number& number) {
  return number.is_infinite() ? one : Number{};
};
constexpr auto is_non_finite = [](const Number& number) {
  return number.is_finite() ? Number{} : one;
};
constexpr auto is_not_nan_or_zero = [](const Number& number) {
  return number.is_nan() || number.is_zero() ? Number{} : one;
};
constexpr auto sign_of_infinity = [](const Number& number) {
  return number.is_infinite() ? signed_one(number.negative) : Number{};
};
constexpr auto sign_of = [](const Number& number) {
  return number.is_nan() || number.is_zero() ? Number{} : signed_one(number.negative);
};

template <typename Projection>
Dense<Number> projected(const Dense<Number>& numbers, Projection projection) {
  Dense<Number> result(numbers.shape());
  for (std::size_t i = 0; i < numbers.size(); ++i) result[i] = projection(numbers[i]);
  return result;
}

/// Extent of the finite elements. Non-finite ones are replaced by 0, which fits every unit.
Extent finite_part(Extent extent) {
  extent.non_finite = 0;
  return extent;
}

/// Extent of a tensor of ones where the finite elements are not zero.
Extent extent_of_presence(const Extent& extent) {
  Extent result = extent_of_one();
  result.non_zeros = extent.non_zeros;
  return result;
}

/// The sums over all axes but the channels of what is made of each number.
template <typename Accumulator, typename Projection>
ExactTensor channel_sums(const Dense<Number>& numbers, int unit, Projection projection) {
  const Shape& shape = numbers.shape();
  LargeVector<typename Accumulator::Sum> sums(to_size(shape[1]));
  const std::int64_t positions = shape[2] * shape[3] * shape[4];
  const auto factor = Accumulator::operand(one, 0);
  std::size_t index = 0;
  for (std::int64_t row = 0; row < shape[0] * shape[1]; ++row) {
    auto* const sum = &sums[to_size(row % shape[1])];
    for (std::int64_t i = 0; i < positions; ++i) {
      const auto operand = Accumulator::operand(projection(numbers[index++]), unit);
      Accumulator::add(sum, factor, &operand, 1);
    }
  }
  return {in_units(std::move(sums), unit), unit};
}

/// `extent`: that of the projected numbers, or one that holds it.
template <typename Projection>
ExactTensor bias_sums(const Dense<Number>& numbers, const Extent& extent, std::int64_t terms,
                      Projection projection) {
  const int bits = extent.window_bits();
  const int bits_of_one = extent_of_one().window_bits();
  if (holds<DoubleAccumulator>(bits, bits_of_one, terms)) {
    return channel_sums<DoubleAccumulator>(numbers, extent.unit, projection);
  }
  if (holds<Int128Accumulator>(bits, bits_of_one, terms)) {
    return channel_sums<Int128Accumulator>(numbers, extent.unit, projection);
  }
  if (are_floats(numbers.elements())) return channel_sums<WideAccumulator>(numbers, 0, projection);
  return channel_sums<WholeAccumulator>(numbers, extent.unit, projection);
}

}  // namespace

FastGradient::FastGradient(const Geometry& geometry, OutputRole role,
                           const Dense<Number>& grad_output, const Dense<Number>& other)
    : FastGradient(geometry, role, {grad_output, extent_of(grad_output)},
                   {other, extent_of(other)}) {}

FastGradient::FastGradient(const Geometry& geometry, const Dense<Number>& grad_output)
    : FastGradient(geometry, {grad_output, extent_of(grad_output)}) {}

FastGradient::FastGradient(const Geometry& geometry, OutputRole role,
                           const MeasuredOperand& grad_output, const MeasuredOperand& other)
    : geometry_(geometry),
      role_(role),
      grad_output_(grad_output.numbers),
      other_(&other.numbers),
      grad_output_extent_(grad_output.extent),
      other_extent_(other.extent) {}

FastGradient::FastGradient(const Geometry& geometry, const MeasuredOperand& grad_output)
    : geometry_(geometry),
      role_(OutputRole::GradBias),
      grad_output_(grad_output.numbers),
      grad_output_extent_(grad_output.extent),
      other_extent_(extent_of_one()) {}

std::size_t FastGradient::size() const { return to_size(element_count(geometry_.shape(role_))); }

ExactTensor FastGradient::accumulated(Projection of_grad_output, Projection of_other) const {
  const Dense<Number> grad_output = projected(grad_output_, of_grad_output);
  const Dense<Number> other = projected(*other_, of_other);
  const Extent left = extent_of(grad_output);
  const Extent right = extent_of(other);
  return oracle::accumulated(geometry_, role_, {grad_output, left}, {other, right});
}

/// Non-finite operands count as 0 here; their products are in `specials`.
ExactTensor FastGradient::sums() const {
  const bool all_are_finite = grad_output_extent_.non_finite + other_extent_.non_finite == 0;
  if (other_ == nullptr) {
    return bias_sums(grad_output_, grad_output_extent_, longest_reduction(), value_of);
  }
  if (!all_are_finite) return accumulated(value_of, value_of);
  return oracle::accumulated(geometry_, role_, {grad_output_, grad_output_extent_},
                             {*other_, other_extent_});  // nothing to mask
}

/// The gradient of |a| and |b|. A magnitude has the bits of its number, so the extents stay.
ExactTensor FastGradient::magnitudes() const {
  if (other_ == nullptr) {
    return bias_sums(grad_output_, grad_output_extent_, longest_reduction(), magnitude_of_value);
  }
  const Dense<Number> grad_output = projected(grad_output_, magnitude_of_value);
  const Dense<Number> other = projected(*other_, magnitude_of_value);
  return oracle::accumulated(geometry_, role_, {grad_output, finite_part(grad_output_extent_)},
                             {other, finite_part(other_extent_)});
}

/// Bounds each element's magnitudes of products with an operand below 2^exponent: with a' = a where
/// |a| < 2^exponent, else 0, and b' likewise: sum |a' b| + sum |a b'| counts every product with a
/// small operand at least once. The factor 1 + 2^-50 makes up for the roundings of approximate
/// (below 2^-52) and of the two operations here.
std::vector<double> FastGradient::magnitudes_below(int exponent) const {
  const auto small = [exponent](const Number& number) {
    const Number value = magnitude_of_value(number);
    const bool is_large = to_double(value) >= std::ldexp(1.0, exponent);
    return is_large ? Number{} : value;
  };
  std::vector<double> sums(size());
  const auto add = [&](const ExactTensor& magnitudes) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += magnitudes.approximate(i) * (1 + 0x1p-50);
    }
  };
  if (other_ == nullptr) {
    add(bias_sums(grad_output_, grad_output_extent_, longest_reduction(), small));
    return sums;
  }
  const Dense<Number> grad_output = projected(grad_output_, magnitude_of_value);
  const Dense<Number> other = projected(*other_, magnitude_of_value);
  const Extent left = finite_part(grad_output_extent_);
  const Extent right = finite_part(other_extent_);
  add(oracle::accumulated(geometry_, role_, {projected(grad_output_, small), left},
                          {other, right}));
  add(oracle::accumulated(geometry_, role_, {grad_output, left},
                          {projected(*other_, small), right}));
  return sums;
}

std::vector<double> FastGradient::counted(Projection of_grad_output, Projection of_other) const {
  const ExactTensor counts = accumulated(of_grad_output, of_other);
  std::vector<double> result(counts.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = counts.approximate(i);
  return result;
}

ExactTensor FastGradient::counts() const {
  const Extent left = extent_of_presence(grad_output_extent_);
  if (other_ == nullptr) return bias_sums(grad_output_, left, longest_reduction(), presence);
  const Dense<Number> grad_output = projected(grad_output_, presence);
  const Dense<Number> other = projected(*other_, presence);
  return oracle::accumulated(geometry_, role_, {grad_output, left},
                             {other, extent_of_presence(other_extent_)});
}

std::vector<std::uint32_t> FastGradient::terms() const {
  const ExactTensor exact = counts();
  std::vector<std::uint32_t> result(exact.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<std::uint32_t>(exact.approximate(i));
  }
  return result;
}

/// IEEE rules by counting: a product is NaN if an operand is NaN, or one is infinite and the other
/// 0; it is infinite if an operand is, and the other is neither NaN nor 0.
std::vector<Specials> FastGradient::specials() const {
  if (grad_output_extent_.non_finite + other_extent_.non_finite == 0) return {};
  if (other_ == nullptr) return bias_specials();
  std::vector<Specials> result(size());
  const std::pair<Projection, Projection> to_nan[] = {
      {is_nan, always_one}, {always_one, is_nan}, {is_infinite, is_zero}, {is_zero, is_infinite}};
  for (const auto& [left, right] : to_nan) {
    const auto counts = counted(left, right);
    for (std::size_t i = 0; i < result.size(); ++i) result[i].has_nan |= counts[i] > 0;
  }
  // With p products of +infinity and n of -infinity: count = p + n, balance = p - n, so p > 0
  // exactly where count + balance > 0, and n > 0 where count - balance > 0.
  // Infinity times infinity is counted in both passes, which changes no sign.
  const std::tuple<Projection, Projection, Projection, Projection> to_infinity[] = {
      {sign_of_infinity, sign_of, is_infinite, is_not_nan_or_zero},
      {sign_of, sign_of_infinity, is_not_nan_or_zero, is_infinite}};
  for (const auto& [left_sign, right_sign, left, right] : to_infinity) {
    const auto balance = counted(left_sign, right_sign);  // positive less negative ones
    const auto count = counted(left, right);
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i].has_plus_infinity |= count[i] + balance[i] > 0;
      result[i].has_minus_infinity |= count[i] - balance[i] > 0;
    }
  }
  mark_padding(result);
  return result;
}

std::vector<Specials> FastGradient::bias_specials() const {
  std::vector<Specials> result(size());
  const Shape& shape = grad_output_.shape();
  const auto positions = to_size(shape[2] * shape[3] * shape[4]);
  for (std::size_t i = 0; i < grad_output_.size(); ++i) {
    const Number& number = grad_output_[i];
    Specials& specials = result[i / positions % to_size(shape[1])];
    specials.has_nan |= number.is_nan();
    specials.has_plus_infinity |= number.is_infinite() && !number.negative;
    specials.has_minus_infinity |= number.is_infinite() && number.negative;
  }
  return result;
}

void FastGradient::mark_padding(std::vector<Specials>& specials) const {
  const bool is_weight = role_ == OutputRole::GradWeight;
  const bool big_is_target = !is_weight && !geometry_.transposed;
  const bool partner_is_grad_output = is_weight && !geometry_.transposed;
  const auto met = partner_is_grad_output ? counted(is_non_finite, always_one)
                                          : counted(always_one, is_non_finite);
  const Dense<Number>& partner = partner_is_grad_output ? grad_output_ : *other_;
  const Shape shape = partner.shape();
  // The axis of the partner that an element of the target belongs to: the small channel, which is
  // axis 0 of weight and axis 1 of the small map; or weight's own channel within a group.
  const auto channel_of = [&](const Shape& at) {
    if (is_weight) return at[1];
    return big_is_target ? at[0] / geometry_.small_channels * geometry_.big_channels + at[1]
                         : at[0];
  };
  std::vector<double> total(
      to_size(geometry_.groups * std::max(geometry_.big_channels, geometry_.small_channels)));
  std::size_t index = 0;
  Shape at{};
  for (at[0] = 0; at[0] < shape[0]; ++at[0])
    for (at[1] = 0; at[1] < shape[1]; ++at[1])
      for (std::int64_t i = 0; i < shape[2] * shape[3] * shape[4]; ++i) {
        total[to_size(channel_of(at))] += partner[index++].is_finite() ? 0 : 1;
      }
  const Shape target = geometry_.shape(role_);
  const std::int64_t inner = target[2] * target[3] * target[4];
  for (std::size_t i = 0; i < specials.size(); ++i) {
    const std::int64_t outer = static_cast<std::int64_t>(i) / inner;
    const std::int64_t channel = is_weight ? outer / target[1] : outer % target[1];
    specials[i].meets_padding = total[to_size(channel)] > met[i];
  }
}

}  // namespace gradproof::oracle
