#include "properties/findings/hypotheses/world.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include "oracle/gradients/fast_gradients.h"
#include "oracle/gradients/sampled_gradient.h"
#include "oracle/judge/comparison.h"
#include "oracle/judge/tile_bounds.h"
#include "oracle/numbers/format_row.h"
#include "oracle/numbers/ulp.h"
#include "oracle/operands/operands.h"
#include "properties/findings/hypotheses/products.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::OutputRole;
using oracle::Arithmetic;
using oracle::Number;
using oracle::NumberFormat;

Numbers as_multiplied(const WorldOperand& operand, const Arithmetic& arithmetic) {
  Numbers numbers = operand.whole();
  if (arithmetic.operands == arithmetic.sums) return numbers;  // which holds every other
  return oracle::converted(numbers, arithmetic.operands, arithmetic.operand_rounding,
                           arithmetic.overflow);
}

using Indices = std::vector<std::uint64_t>;

/// The elements `indices` of the gradient, or all of them where none are chosen.
std::unique_ptr<oracle::ExactGradient> gradient_of(const World& world, OutputRole role,
                                                   const Numbers& grad_output, const Numbers& other,
                                                   const Indices& indices) {
  if (!indices.empty()) {
    return std::make_unique<oracle::SampledGradient>(world.geometry, role, grad_output, other,
                                                     indices);
  }
  if (role == OutputRole::GradBias) {
    return std::make_unique<oracle::FastGradient>(world.geometry, grad_output);
  }
  return std::make_unique<oracle::FastGradient>(world.geometry, role, grad_output, other);
}

/// True if an element is as one that is left out like this.
bool is_left_out(std::int64_t how, const Witness& witness, std::size_t index,
                 const Arithmetic& arithmetic) {
  const auto& observed = witness.observed;
  const std::size_t size = oracle::row(arithmetic.output).word_bytes, offset = index * size;
  const std::byte* bytes = observed.bits.data() + offset;
  if (how == World::unwritten) {
    return observed.before.size() == observed.bits.size() &&
           std::memcmp(bytes, observed.before.data() + offset, size) == 0;
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, size);
  return oracle::decode(arithmetic.output, bits).is_zero();
}

/// Returns the target's result in the order of the world's gradient. Elements that it left out are
/// made right, so that the others decide. nullopt: an element is left out in another way.
std::optional<corpus::OutputObservation> in_order(const World& world, const Witness& witness,
                                                  const oracle::ExactTensor& sums,
                                                  const Arithmetic& arithmetic) {
  const auto& observed = witness.observed;
  if (world.source.empty()) return observed;
  const std::size_t size = observed.bits.size() / world.source.size();
  corpus::OutputObservation ordered;
  ordered.bits.resize(observed.bits.size());
  ordered.before = observed.before;
  for (std::size_t j = 0; j < world.source.size(); ++j) {
    const std::uint64_t right =
        oracle::encode(arithmetic.output, oracle::rounded_through(arithmetic, sums.truncated(j)));
    std::memcpy(ordered.bits.data() + j * size, &right, size);
  }
  for (std::size_t i = 0; i < world.source.size(); ++i) {
    const std::byte* here = observed.bits.data() + i * size;
    const std::int64_t from = world.source[i];
    if (from == World::contested) continue;
    if (from >= 0) {
      std::memcpy(ordered.bits.data() + to_size(from) * size, here, size);
    } else if (!is_left_out(from, witness, i, arithmetic)) {
      return std::nullopt;
    }
  }
  return ordered;
}

/// Those that are looked at.
std::vector<Number> computed_by(const Witness& witness, const Arithmetic& arithmetic) {
  const Numbers all = oracle::decoded(arithmetic.output, witness.observed.bits,
                                      witness.geometry.shape(witness.role));
  if (witness.looked_at.empty()) return all.elements();
  std::vector<Number> some;
  for (const auto index : witness.looked_at) some.push_back(all[index]);
  return some;
}

/// What is looked at of an output whose elements come from elsewhere: elements of the gradient, and
/// the bits that the output has of them. nullopt: an element is left out in another way.
struct SourcedElements {
  Indices indices;
  corpus::OutputObservation ordered;
};

std::optional<SourcedElements> sources_of(const World& world, const Witness& witness,
                                          const Arithmetic& arithmetic) {
  if (world.source.empty()) return SourcedElements{witness.looked_at, witness.observed};
  const std::size_t size = witness.observed.bits.size() / world.source.size();
  SourcedElements sources;
  sources.ordered.bits.resize(witness.observed.bits.size());
  for (const std::uint64_t i : witness.looked_at) {
    const std::int64_t from = world.source[i];
    if (from == World::contested) continue;
    if (from >= 0) {
      std::memcpy(sources.ordered.bits.data() + to_size(from) * size,
                  witness.observed.bits.data() + i * size, size);
      sources.indices.push_back(static_cast<std::uint64_t>(from));
    } else if (!is_left_out(from, witness, i, arithmetic)) {
      return std::nullopt;
    }
  }
  if (sources.indices.empty()) return std::nullopt;  // nothing would be compared
  return sources;
}

/// True if each element is rounded once from the exact sum, in the world's direction. A sum of
/// several products may have been rounded before, by less than a unit in the last place.
bool agrees_rounded_otherwise(const World& world, const Witness& witness,
                              const Arithmetic& arithmetic, const oracle::ExactGradient& exact) {
  const auto sums = exact.sums();
  const auto terms = exact.terms();
  const std::vector<Number> computed = computed_by(witness, arithmetic);
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const Number expected = oracle::round_to(arithmetic.output, sums.truncated(i),
                                             *world.output_rounding, arithmetic.overflow);
    if (oracle::same_value(computed[i], expected)) continue;
    const bool is_near =
        terms[i] > 1 && oracle::ulp_distance(arithmetic.output, computed[i], expected) <= 1;
    if (!is_near) return false;
  }
  return true;
}

/// A sum of products that has no finite value.
Number special(double sum) {
  Number number;
  number.kind = std::isnan(sum) ? Number::Kind::NaN : Number::Kind::Infinite;
  number.negative = sum < 0;
  return number;
}

/// True if the results are sums of rounded products: in doubles, with the bound of a sum of as many
/// terms; twice that for DOUBLE, since the sum here rounds as well.
bool agrees_with_rounded_products(const World& world, const Witness& witness,
                                  const Arithmetic& arithmetic, const Numbers& grad_output,
                                  const Numbers& other) {
  std::map<std::size_t, std::array<double, 3>> sums;  // sum, sum of magnitudes, terms
  for (const Product& product : products_of(world.geometry, witness.role, grad_output, other)) {
    const auto exact =
        oracle::Dyadic(grad_output[product.grad_output]) * oracle::Dyadic(other[product.other]);
    const double rounded = oracle::to_double(oracle::round_to(
        *world.product_format, exact.truncated(), oracle::default_rounding(*world.product_format)));
    auto& [sum, magnitude, terms] = sums[product.output];
    sum += rounded;
    magnitude += std::fabs(rounded);
    terms += 1;
  }
  const std::vector<Number> computed = computed_by(witness, arithmetic);
  const double unit_of_sums = std::ldexp(arithmetic.sums == NumberFormat::Double ? 2 : 1,
                                         -oracle::precision(arithmetic.sums));
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const auto found = sums.find(witness.looked_at.empty() ? i : witness.looked_at[i]);
    const auto [sum, magnitude, terms] =
        found == sums.end() ? std::array<double, 3>{} : found->second;
    if (!std::isfinite(sum)) {
      if (oracle::same_value(computed[i], special(sum))) continue;
      return false;
    }
    const double unit = std::ldexp(1.0, -oracle::precision(arithmetic.output));
    const double bound = terms * unit_of_sums * magnitude + unit * std::fabs(sum);
    if (!(std::fabs(oracle::to_double(computed[i]) - sum) <= bound)) return false;
  }
  return true;
}

/// True if the results agree, in whatever order: one rounding of the exact sum where a single
/// product meets, else a number of the format within the bound of as many roundings to it.
bool agrees_with_rounded_partial_sums(NumberFormat format, const Witness& witness,
                                      const Arithmetic& arithmetic,
                                      const oracle::ExactGradient& exact) {
  const auto sums = exact.sums();
  const auto magnitudes = exact.magnitudes();
  const auto terms = exact.terms();
  const std::vector<Number> computed = computed_by(witness, arithmetic);
  const double unit = std::ldexp(1.0, -oracle::precision(format));
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const Number once =
        oracle::round_to(format, sums.truncated(i), oracle::default_rounding(format));
    if (oracle::same_value(computed[i], once)) continue;
    const double bound = terms[i] * unit * 1.1 * magnitudes.approximate(i);
    const double error = std::fabs(oracle::to_double(computed[i]) - sums.approximate(i));
    const bool is_in_format =
        computed[i].is_finite() &&
        oracle::same_value(computed[i], oracle::round_to(format, oracle::truncated(computed[i]),
                                                         oracle::Rounding::TowardZero));
    if (terms[i] < 2 || !is_in_format || !(error <= bound)) return false;
  }
  return true;
}

constexpr std::uint64_t most_pairs = 4'000'000;

std::uint64_t pairs(const Numbers& one, const Numbers& other) {
  return oracle::extent_of(one).non_zeros * oracle::extent_of(other).non_zeros;
}

/// Tiles in which the witness may compute; nullopt: none, or the world's geometry has no such.
std::optional<oracle::TileBounds> tiles_of(const World& world, const Witness& witness,
                                           const Arithmetic& arithmetic,
                                           const oracle::MeasuredOperand& grad_output,
                                           const oracle::MeasuredOperand& other) {
  const bool keeps_taps = std::ranges::equal(
      world.geometry.axes, witness.geometry.axes, [](const auto& one, const auto& another) {
        return one.kernel == another.kernel && one.stride == another.stride &&
               one.dilation == another.dilation;
      });
  if (!witness.tiles || !keeps_taps || arithmetic.operands != oracle::NumberFormat::Float) {
    return std::nullopt;
  }
  return std::optional<oracle::TileBounds>(std::in_place, *witness.tiles, arithmetic, witness.adder,
                                           world.geometry, witness.role, grad_output, other);
}

bool agrees(const World& world, const Witness& witness, const Arithmetic& arithmetic) {
  const Numbers grad_output = as_multiplied(world.grad_output, arithmetic);
  const Numbers other = witness.has_other() ? as_multiplied(world.other, arithmetic) : Numbers{};
  if (world.product_format) {
    return witness.has_other() && pairs(grad_output, other) <= most_pairs &&
           agrees_with_rounded_products(world, witness, arithmetic, grad_output, other);
  }
  const auto sources =
      witness.looked_at.empty() ? std::nullopt : sources_of(world, witness, arithmetic);
  if (!witness.looked_at.empty() && !sources) return false;
  const Indices indices = sources ? sources->indices : Indices{};
  const auto exact = gradient_of(world, witness.role, grad_output, other, indices);
  if (world.partial_sum_format) {
    return agrees_with_rounded_partial_sums(*world.partial_sum_format, witness, arithmetic, *exact);
  }
  if (world.output_rounding) {
    return agrees_rounded_otherwise(world, witness, arithmetic, *exact);
  }
  const auto ordered = sources ? std::optional(sources->ordered)
                               : in_order(world, witness, exact->sums(), arithmetic);
  if (!ordered) return false;
  const oracle::Extent of_grad_output = oracle::extent_of(grad_output);
  const oracle::Extent of_other = witness.has_other() ? oracle::extent_of(other) : oracle::Extent{};
  auto tiles =
      tiles_of(world, witness, arithmetic, {grad_output, of_grad_output}, {other, of_other});
  const oracle::ComparisonBasis basis{.exact = *exact,
                                      .arithmetic = arithmetic,
                                      .adder = witness.adder,
                                      .is_bias = !witness.has_other(),
                                      .specials_are_demanded = true,
                                      .indices = sources ? &indices : nullptr,
                                      .tiles = tiles ? &*tiles : nullptr};
  const auto comparison =
      oracle::compare(basis, *ordered, corpus::tensor(witness.test_case, witness.role)->shape);
  return comparison.evidence.breaches == 0 && comparison.evidence.compared_elements > 0;
}

}  // namespace

World right_world(const Witness& witness) {
  return {.geometry = witness.geometry,
          .grad_output = WorldOperand(witness.grad_output),
          .other = WorldOperand(witness.other),
          .arithmetics = witness.arithmetics,
          .source = {},
          .product_format = {},
          .partial_sum_format = {},
          .output_rounding = {}};
}

bool agrees(const World& world, const Witness& witness) {
  if (world.transform_fault) return agrees_in_tiles(witness, *world.transform_fault);
  return std::ranges::any_of(world.arithmetics, [&](const Arithmetic& arithmetic) {
    return agrees(world, witness, arithmetic);
  });
}

}  // namespace gradproof::findings::diagnosis
