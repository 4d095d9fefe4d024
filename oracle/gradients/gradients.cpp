#include "oracle/gradients/gradients.h"

#include <bit>

namespace gradproof::oracle {
namespace {

/// Calls visit(coordinate) for every coordinate of the shape.
template <typename Visit>
void for_each(const Shape& shape, Visit visit) {
  Shape at{};
  for (at[0] = 0; at[0] < shape[0]; ++at[0])
    for (at[1] = 0; at[1] < shape[1]; ++at[1])
      for (at[2] = 0; at[2] < shape[2]; ++at[2])
        for (at[3] = 0; at[3] < shape[3]; ++at[3])
          for (at[4] = 0; at[4] < shape[4]; ++at[4]) visit(at);
}

/// True if a finite number other than zero has a magnitude below 2^exponent. |x| = m 2^e with
/// 2^(w-1) <= m < 2^w is below 2^k exactly where e + w <= k.
bool is_below(const Number& number, int exponent) {
  return number.exponent + static_cast<int>(std::bit_width(number.significand)) <= exponent;
}

/// The rules of IEEE 754 for products: a NaN operand, or infinity times zero, gives NaN; infinity
/// times any other number has the product of the signs. Zero products are left out, because they
/// change neither a sum nor a rounding.
/// Source: IEEE 754-2019, clauses 6.1 (infinity arithmetic), 6.2 (NaN) and 7.2 (0 times infinity is
/// invalid).
void add_product(ExactElement& element, const Number& a, const Number& b) {
  Specials& specials = element.specials;
  if (a.is_finite() && b.is_finite()) {
    if (a.is_zero() || b.is_zero()) return;
    const Dyadic product = Dyadic(a) * Dyadic(b);
    element.sum += product;
    element.magnitude += product.magnitude();
    if (is_below(a, element.small_below) || is_below(b, element.small_below)) {
      element.small_magnitude += product.magnitude();
    }
    ++element.terms;
  } else if (a.is_nan() || b.is_nan() || a.is_zero() || b.is_zero()) {
    specials.has_nan = true;
  } else {
    (a.negative == b.negative ? specials.has_plus_infinity : specials.has_minus_infinity) = true;
  }
}

/// Adds an element at padding: `other` belongs to a tap whose position is outside of the tensor.
void add_padding(ExactElement& element, const Number& other) {
  element.specials.meets_padding |= !other.is_finite();
}

/// The position of one map that a position of the other is multiplied with through a tap's
/// relation, axis by axis: Axis::big_at or Axis::small_at.
using PartnerAt = std::optional<std::int64_t> (Axis::*)(std::int64_t, std::int64_t) const;

/// nullopt if any axis meets padding: the axes are independent, so one suffices.
std::optional<Shape> partner(const Geometry& geometry, PartnerAt partner_at, const Shape& position,
                             const Shape& tap) {
  Shape result = position;
  for (std::size_t i = 0; i < geometry.axes.size(); ++i) {
    const auto met = (geometry.axes[i].*partner_at)(position[i + 2], tap[i + 2]);
    if (!met) return std::nullopt;
    result[i + 2] = *met;
  }
  return result;
}

/// gradInput[n, g*Cig + c, ...] = sum over o, k of gradOutput[n, g*Cog + o, ...] *
/// weight[g*Cog + o, c, k]: the positions of gradOutput are those from which x was read.
/// Cig and Cog are the channels of input and output in a group: big_channels and small_channels.
void add_all_of_normal(const Geometry& geometry, const Dense<Number>& grad_output,
                       const Dense<Number>& weight, const Shape& at, ExactElement& element) {
  const std::int64_t group = at[1] / geometry.big_channels;
  const Shape kernel = geometry.weight_shape();
  for_each({geometry.small_channels, 1, kernel[2], kernel[3], kernel[4]}, [&](Shape tap) {
    tap[0] += group * geometry.small_channels;
    tap[1] = at[1] % geometry.big_channels;
    auto met = partner(geometry, &Axis::small_at, at, tap);
    if (!met) return add_padding(element, weight.at(tap));
    (*met)[1] = tap[0];
    add_product(element, grad_output.at(*met), weight.at(tap));
  });
}

/// The input gradient of a transposed convolution is the forward convolution of gradOutput with
/// the weight, whose axes are (Ci, Cog, ...).
void add_all_of_transposed(const Geometry& geometry, const Dense<Number>& grad_output,
                           const Dense<Number>& weight, const Shape& at, ExactElement& element) {
  const std::int64_t group = at[1] / geometry.small_channels;
  const Shape kernel = geometry.weight_shape();
  for_each({1, geometry.big_channels, kernel[2], kernel[3], kernel[4]}, [&](Shape tap) {
    tap[0] = at[1];
    auto met = partner(geometry, &Axis::big_at, at, tap);
    if (!met) return add_padding(element, weight.at(tap));
    (*met)[1] = group * geometry.big_channels + tap[1];
    add_product(element, grad_output.at(*met), weight.at(tap));
  });
}

/// gradWeight[g*Cog + o, c, k] = sum over n and the small map's positions of small * big.
/// Index in words: the kernel element (o, c, k) has the products of small[n, g*Cog + o, i] with
/// big[n, g*Cig + c, i * stride - padding_begin + k * dilation], over all n and i; of a transposed
/// call the big map is gradOutput.
void add_all_of_weight(const Geometry& geometry, const Dense<Number>& grad_output,
                       const Dense<Number>& input, const Shape& at, ExactElement& element) {
  const Dense<Number>& small = geometry.transposed ? input : grad_output;
  const Dense<Number>& big = geometry.transposed ? grad_output : input;
  const std::int64_t group = at[0] / geometry.small_channels;
  const Shape map = small.shape();
  for_each({map[0], 1, map[2], map[3], map[4]}, [&](Shape position) {
    position[1] = at[0];
    auto met = partner(geometry, &Axis::big_at, position, at);
    if (!met) return add_padding(element, small.at(position));
    (*met)[1] = group * geometry.big_channels + at[1];
    add_product(element, small.at(position), big.at(*met));
  });
}

/// Adds the products of gradBias[o] = sum of gradOutput over all axes but the channels. Multiplied
/// by 1, which is exact, so that gradBias is an inner product like the others.
void add_all_of_bias(const Dense<Number>& grad_output, const Shape& at, ExactElement& element) {
  constexpr Number one{.significand = 1};
  const Shape& map = grad_output.shape();
  for_each({map[0], 1, map[2], map[3], map[4]}, [&](Shape position) {
    position[1] = at[1];
    add_product(element, grad_output.at(position), one);
  });
}

}  // namespace

ExactElement plain_element(const Geometry& geometry, corpus::OutputRole role,
                           const Dense<Number>& grad_output, const Dense<Number>& other,
                           const Shape& at, int small_below) {
  ExactElement element;
  element.small_below = small_below;
  switch (role) {
    case corpus::OutputRole::GradInput:
      (geometry.transposed ? add_all_of_transposed : add_all_of_normal)(geometry, grad_output,
                                                                        other, at, element);
      break;
    case corpus::OutputRole::GradWeight:
      add_all_of_weight(geometry, grad_output, other, at, element);
      break;
    case corpus::OutputRole::GradBias:
      add_all_of_bias(grad_output, at, element);
      break;
  }
  return element;
}

Dense<ExactElement> plain_grad_input(const Geometry& geometry, const Dense<Number>& grad_output,
                                     const Dense<Number>& weight) {
  constexpr auto role = corpus::OutputRole::GradInput;
  Dense<ExactElement> result(geometry.shape(role));
  for_each(result.shape(), [&](const Shape& at) {
    result.at(at) = plain_element(geometry, role, grad_output, weight, at);
  });
  return result;
}

Dense<ExactElement> plain_grad_weight(const Geometry& geometry, const Dense<Number>& grad_output,
                                      const Dense<Number>& input) {
  constexpr auto role = corpus::OutputRole::GradWeight;
  Dense<ExactElement> result(geometry.weight_shape());
  for_each(result.shape(), [&](const Shape& at) {
    result.at(at) = plain_element(geometry, role, grad_output, input, at);
  });
  return result;
}

Dense<ExactElement> plain_grad_bias(const Dense<Number>& grad_output) {
  Dense<ExactElement> result(Shape{1, grad_output.shape()[1], 1, 1, 1});
  for_each(result.shape(),
           [&](const Shape& at) { add_all_of_bias(grad_output, at, result.at(at)); });
  return result;
}

}  // namespace gradproof::oracle
