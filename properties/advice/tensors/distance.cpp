#include "properties/advice/tensors/distance.h"

#include <algorithm>
#include <cmath>

#include "corpus/random_source.h"
#include "oracle/gradients/contributions.h"

namespace gradproof::advice {
namespace {

using findings::diagnosis::Numbers;
using findings::diagnosis::Witness;
using findings::diagnosis::World;
using oracle::Number;
using oracle::Shape;

/// A double with all its bits.
oracle::Truncated exact_bits(double value) {
  constexpr int digits = 53;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  oracle::Truncated bits;
  bits.negative = std::signbit(value);
  bits.significand = static_cast<oracle::Uint128>(std::ldexp(fraction, digits));
  bits.exponent = exponent - digits;
  return bits;
}

struct Sum {
  double value = 0, magnitude = 0;
};

/// The elements of one world's gradient, one at a time.
class WorldElements {
 public:
  WorldElements(const World& world, const Witness& witness)
      : world_(world), witness_(witness), arithmetic_(world.arithmetics.front()) {}

  /// True if the arrays have the shapes that the geometry says.
  bool is_whole() const {
    const auto& geometry = world_.geometry;
    return world_.grad_output.shape() == geometry.shape(corpus::InputRole::GradOutput) &&
           (!witness_.has_other() || world_.other.shape() == geometry.shape(witness_.other_role()));
  }

  Sum sum_at(std::size_t index) const {
    const Shape at = oracle::coordinate_of(world_.geometry.shape(witness_.role), index);
    Sum sum;
    oracle::for_each_contribution(world_.geometry, witness_.role, at,
                                  [&](const Shape& grad_output, const Shape& other) {
                                    const double product = product_of(grad_output, other);
                                    sum.value += product;
                                    sum.magnitude += std::fabs(product);
                                    return true;
                                  });
    return sum;
  }

  double rounded(double sum) const {
    const auto exact = exact_bits(sum);
    const Number result = world_.output_rounding
                              ? oracle::round_to(arithmetic_.output, exact, *world_.output_rounding,
                                                 arithmetic_.overflow)
                              : oracle::rounded_through(arithmetic_, exact);
    return oracle::to_double(result);
  }

 private:
  double multiplied(const Number& number) const {
    if (number.is_zero()) return 0;
    if (arithmetic_.operands == arithmetic_.sums) return oracle::to_double(number);
    return oracle::to_double(oracle::convert(arithmetic_.operands, number,
                                             arithmetic_.operand_rounding, arithmetic_.overflow));
  }

  double product_of(const Shape& grad_output, const Shape& other) const {
    const double one = multiplied(world_.grad_output.at(grad_output));
    if (!witness_.has_other()) return one;
    const double product = one * multiplied(world_.other.at(other));
    const auto& format = world_.product_format;
    if (!format || !std::isfinite(product)) return product;
    return oracle::to_double(
        oracle::round_to(*format, exact_bits(product), oracle::default_rounding(*format)));
  }

  const World& world_;
  const Witness& witness_;
  const oracle::Arithmetic& arithmetic_;
};

}  // namespace

std::vector<std::size_t> spread(const std::vector<std::size_t>& all, std::size_t count) {
  if (all.size() <= count) return all;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(all[i * all.size() / count]);
  return chosen;
}

std::vector<std::size_t> telling_elements(const Witness& witness,
                                          const std::vector<std::size_t>& wrong,
                                          std::uint64_t products) {
  constexpr std::uint64_t least = 16, most = 512;
  const auto terms = static_cast<std::uint64_t>(
      std::max<std::int64_t>(1, witness.geometry.longest_reduction(witness.role)));
  const std::uint64_t count = std::clamp(products / terms, least, most);
  const auto all =
      static_cast<std::uint64_t>(oracle::element_count(witness.geometry.shape(witness.role)));
  std::vector<std::size_t> chosen = spread(wrong, count / 2);
  for (std::uint64_t i = 0; i < count && chosen.size() < count; ++i) {
    // A regular step would meet the same position of every row.
    chosen.push_back(all <= count ? std::min(i, all - 1) : corpus::mixed(i) % all);
  }
  std::ranges::sort(chosen);
  // Clang 14 cannot compile std::ranges::unique of this library.
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

std::optional<Distance> distance(const World& world, const Witness& witness,
                                 const Numbers& computed, const std::vector<std::size_t>& elements,
                                 double most_error) {
  const WorldElements gradient(world, witness);
  const auto size = to_size(oracle::element_count(world.geometry.shape(witness.role)));
  const bool is_comparable =
      !world.partial_sum_format && gradient.is_whole() &&
      (world.source.empty() ? size == computed.size() : world.source.size() == computed.size());
  if (!is_comparable) return std::nullopt;
  Distance far;
  for (const std::size_t index : elements) {
    const std::int64_t from =
        world.source.empty() ? static_cast<std::int64_t>(index) : world.source[index];
    if (from == World::unwritten) return std::nullopt;
    const Sum sum = from == World::zero ? Sum{} : gradient.sum_at(to_size(from));
    const double found = oracle::to_double(computed[index]);
    if (!std::isfinite(sum.magnitude) || !std::isfinite(found)) continue;
    far.error += std::fabs(found - gradient.rounded(sum.value));
    far.magnitude += sum.magnitude;
    if (far.error > most_error) return std::nullopt;
  }
  if (!std::isfinite(far.error) || far.magnitude == 0) return std::nullopt;
  return far;
}

}  // namespace gradproof::advice
