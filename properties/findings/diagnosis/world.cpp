#include "properties/findings/diagnosis/world.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "oracle/gradients/fast_gradients.h"
#include "oracle/judge/comparison.h"
#include "oracle/numbers/ulp.h"
#include "oracle/operands/operands.h"
#include "properties/findings/diagnosis/products.h"

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

oracle::FastGradient gradient_of(const World& world, OutputRole role, const Numbers& grad_output,
                                 const Numbers& other) {
  if (role == OutputRole::GradBias) return {world.geometry, grad_output};
  return {world.geometry, role, grad_output, other};
}

void put(std::vector<std::byte>& bytes, std::size_t index, std::size_t size, std::uint64_t bits) {
  std::memcpy(bytes.data() + index * size, &bits, size);
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
    const Number right = oracle::rounded_through(arithmetic, sums.truncated(j));
    put(ordered.bits, j, size, oracle::encode(arithmetic.output, right));
  }
  for (std::size_t i = 0; i < world.source.size(); ++i) {
    const std::byte* here = observed.bits.data() + i * size;
    const std::int64_t from = world.source[i];
    if (from == World::contested) continue;
    if (from >= 0) {
      std::memcpy(ordered.bits.data() + to_size(from) * size, here, size);
    } else if (from == World::unwritten) {
      const bool has_before = observed.before.size() == observed.bits.size();
      if (!has_before || std::memcmp(here, observed.before.data() + i * size, size) != 0) {
        return std::nullopt;
      }
    } else {
      std::uint64_t bits = 0;
      std::memcpy(&bits, here, size);
      if (!oracle::decode(arithmetic.output, bits).is_zero()) return std::nullopt;
    }
  }
  return ordered;
}

Numbers computed_by(const Witness& witness, const Arithmetic& arithmetic) {
  return oracle::decoded(arithmetic.output, witness.observed.bits,
                         witness.geometry.shape(witness.role));
}

/// True if each element is rounded once from the exact sum, in the world's direction. A sum of
/// several products may have been rounded before, by less than a unit in the last place.
bool agrees_rounded_otherwise(const World& world, const Witness& witness,
                              const Arithmetic& arithmetic, const oracle::FastGradient& exact) {
  const auto sums = exact.sums();
  const auto terms = exact.terms();
  const Numbers computed = computed_by(witness, arithmetic);
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
  const Numbers computed = computed_by(witness, arithmetic);
  const double unit_of_sums = std::ldexp(arithmetic.sums == NumberFormat::Double ? 2 : 1,
                                         -oracle::precision(arithmetic.sums));
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const auto [sum, magnitude, terms] = sums.contains(i) ? sums[i] : std::array<double, 3>{};
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
                                      const oracle::FastGradient& exact) {
  const auto sums = exact.sums();
  const auto magnitudes = exact.magnitudes();
  const auto terms = exact.terms();
  const Numbers computed = computed_by(witness, arithmetic);
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

bool agrees(const World& world, const Witness& witness, const Arithmetic& arithmetic) {
  const Numbers grad_output = as_multiplied(world.grad_output, arithmetic);
  const Numbers other = witness.has_other() ? as_multiplied(world.other, arithmetic) : Numbers{};
  if (world.product_format) {
    return witness.has_other() && pairs(grad_output, other) <= most_pairs &&
           agrees_with_rounded_products(world, witness, arithmetic, grad_output, other);
  }
  const auto exact = gradient_of(world, witness.role, grad_output, other);
  if (world.partial_sum_format) {
    return agrees_with_rounded_partial_sums(*world.partial_sum_format, witness, arithmetic, exact);
  }
  if (world.output_rounding) {
    return agrees_rounded_otherwise(world, witness, arithmetic, exact);
  }
  const auto ordered = in_order(world, witness, exact.sums(), arithmetic);
  if (!ordered) return false;
  const oracle::ComparisonBasis basis{.exact = exact,
                                      .arithmetic = arithmetic,
                                      .adder = witness.adder,
                                      .is_bias = !witness.has_other(),
                                      .specials_are_demanded = true,
                                      .indices = nullptr};
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
  return std::ranges::any_of(world.arithmetics, [&](const Arithmetic& arithmetic) {
    return agrees(world, witness, arithmetic);
  });
}

}  // namespace gradproof::findings::diagnosis
