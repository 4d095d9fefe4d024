#include "oracle/gradients/projection.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "corpus/element_hash.h"
#include "oracle/gradients/rows/product_accumulation.h"
#include "oracle/operands/operands.h"
#include "oracle/sums/modular.h"

namespace gradproof::oracle {
namespace {

using corpus::OutputRole;

/// One coefficient for each channel of a group, from SplitMix64's finaliser: the same draws on
/// every platform. The constant separates them from other uses of the seed.
std::vector<Residue> coefficients(std::int64_t count, std::uint64_t seed) {
  std::vector<Residue> result;
  for (std::int64_t i = 0; i < count; ++i) {
    seed += corpus::golden;
    result.emplace_back(corpus::mixed(seed ^ 0x50726F6A65637421U));
  }
  return result;
}

/// The seed and every element of the answer, hashed: one wrong element changes all coefficients.
std::uint64_t drawn_after(const Dense<Number>& computed, std::uint64_t seed) {
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const Number& number = computed[i];
    const auto scale = static_cast<std::uint64_t>(number.exponent) * 2 + (number.negative ? 1 : 0);
    seed = corpus::mixed(seed + corpus::golden + number.significand + corpus::mixed(scale));
  }
  return seed;
}

Dense<Residue> residues(const Dense<Number>& numbers, int unit) {
  Dense<Residue> result(numbers.shape());
  for (std::size_t i = 0; i < numbers.size(); ++i) result[i] = Residue::of(numbers[i], unit);
  return result;
}

/// The tensor with the channels of each group along `axis` summed with the coefficients.
/// With `inner` elements behind the axis, index = ((outer * channels) + channel) * inner + rest;
/// all channels of one group become one, so `outer` counts groups too.
Dense<Residue> summed(const Dense<Residue>& tensor, std::size_t axis,
                      const std::vector<Residue>& coefficients) {
  const auto channels = static_cast<std::int64_t>(coefficients.size());
  Shape shape = tensor.shape();
  shape[axis] /= channels;
  Dense<Residue> result(shape);
  std::int64_t inner = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    const std::int64_t channel = index / inner % channels;
    const std::int64_t outer = index / inner / channels;
    Residue& sum = result[static_cast<std::size_t>(outer * inner + index % inner)];
    sum = sum + tensor[i] * coefficients[static_cast<std::size_t>(channel)];
  }
  return result;
}

/// Which map's channels are summed, and on which axis each tensor holds them.
/// In the matrices of dense_products.h: P = W^T X multiplied by a row vector r from the left is (W
/// r)^T X, and W = X P^T multiplied by r is (r X) P^T or X (r P)^T. So one channel is left of the
/// side that r sums.
struct Projected {
  bool big = true;
  std::int64_t channels = 1;
  Geometry geometry;
};

/// gradInput keeps its own channels apart, so those are summed; of gradWeight either map's, and the
/// more the better.
Projected projected(const Geometry& geometry, OutputRole role) {
  Projected result;
  result.geometry = geometry;
  const bool is_weight = role == OutputRole::GradWeight;
  result.big = is_weight ? geometry.big_channels >= geometry.small_channels : !geometry.transposed;
  std::int64_t& channels =
      result.big ? result.geometry.big_channels : result.geometry.small_channels;
  result.channels = std::max<std::int64_t>(channels, 1);
  channels = 1;
  return result;
}

/// weight holds the big map's channels on axis 1 and the small one's on axis 0.
std::size_t weight_axis(const Projected& how) { return how.big ? 1 : 0; }

/// The exact gradient of one channel a group, by the code that adds products in rows: only the
/// accumulator is another one.
std::vector<Residue> gradient(const Geometry& geometry, OutputRole role,
                              const Dense<Residue>& grad_output, const Dense<Residue>& other) {
  const ProductPlan plan = plan_of(geometry, role, grad_output.size(), other.size());
  Accumulation<ModularAccumulator> accumulate(geometry, plan);
  return plan.driver_is_grad_output ? accumulate(grad_output, 0, other, 0)
                                    : accumulate(other, 0, grad_output, 0);
}

/// The elements that one sum over channels is made of.
std::vector<std::uint64_t> elements_of_sum(const Shape& shape, std::size_t axis,
                                           std::int64_t channels, std::int64_t sum) {
  std::int64_t inner = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  std::vector<std::uint64_t> result;
  for (std::int64_t channel = 0; channel < channels; ++channel) {
    result.push_back(
        static_cast<std::uint64_t>((sum / inner * channels + channel) * inner + sum % inner));
  }
  return result;
}

/// The first element that is not a finite multiple of 2^unit below 2^60 units, if any: it can't be
/// a sum of products.
/// Needed before residues: `Residue::of` has no value for a number below the unit, and the same for
/// numbers that differ by a multiple of p, as 1 and 2^61 do.
std::optional<std::size_t> first_off_grid(const Dense<Number>& computed, int unit) {
  constexpr int largest_width = 60;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const Number& number = computed[i];
    if (!number.is_finite()) return i;
    if (number.significand == 0) continue;
    const int width = static_cast<int>(std::bit_width(number.significand));
    if (number.exponent < unit || number.exponent - unit + width > largest_width) return i;
  }
  return std::nullopt;
}

}  // namespace

/// Products of the projected gradient, one map of which has one channel a group, and the channel
/// sums of the other operand: of one order.
double projection_cost(const Geometry& geometry) {
  double cost = static_cast<double>(geometry.batch * geometry.groups * geometry.taps());
  cost *= static_cast<double>(geometry.small_positions());
  return cost * static_cast<double>(std::max(geometry.big_channels, geometry.small_channels));
}

/// All in units of 2^unit, of which exact results and products are multiples: residues are of
/// integers.
ProjectionResult project(const Geometry& geometry, OutputRole role,
                         const Dense<Number>& grad_output, const Dense<Number>& other,
                         const Dense<Number>& computed, std::uint64_t seed) {
  const bool is_weight = role == OutputRole::GradWeight;
  const Projected how = projected(geometry, role);
  const auto factors = coefficients(how.channels, drawn_after(computed, seed));
  const int grad_output_unit = extent_of(grad_output).unit;
  const int other_unit = extent_of(other).unit;
  const int unit = grad_output_unit + other_unit;
  if (const auto index = first_off_grid(computed, unit)) return {"a result off the grid", {*index}};
  Dense<Residue> left = residues(grad_output, grad_output_unit);
  Dense<Residue> right = residues(other, other_unit);
  // Of gradInput the channels that are summed are weight's other axis; of gradWeight a map's own.
  const bool grad_output_is_summed = is_weight && how.big == geometry.transposed;
  if (grad_output_is_summed) {
    left = summed(left, 1, factors);
  } else {
    right = summed(right, is_weight ? 1 : weight_axis(how), factors);
  }
  const auto expected = gradient(how.geometry, role, left, right);
  const std::size_t axis = is_weight ? weight_axis(how) : 1;
  const auto found = summed(residues(computed, unit), axis, factors).elements();
  ProjectionResult result{
      fmt::format("{} sums over {} channels modulo 2^61 - 1", found.size(), how.channels)};
  const auto [wrong, same] = std::ranges::mismatch(found, expected);
  if (wrong != found.end()) {
    result.suspects = elements_of_sum(computed.shape(), axis, how.channels, wrong - found.begin());
  }
  return result;
}

}  // namespace gradproof::oracle
