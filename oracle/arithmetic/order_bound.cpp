#include "oracle/arithmetic/order_bound.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/arithmetic/summation.h"

namespace gradproof::oracle {
namespace {

using corpus::MachineProduct;
using corpus::MachineRounding;

/// Half a unit in the last place of a double near 1.
constexpr double double_rounding = 0x1p-53;
/// Exceeds the roundings of these computations, which all add numbers of one sign.
constexpr double upwards = 1 + 0x1p-30;

bool is_to_nearest(const corpus::NodeArithmetic& node) {
  return node.rounding == MachineRounding::NearestEven ||
         node.rounding == MachineRounding::NearestAway;
}

bool keeps_subnormals(const corpus::SubnormalHandlings& subnormals) {
  using corpus::SubnormalHandling;
  return subnormals.operands == SubnormalHandling::Kept &&
         subnormals.products == SubnormalHandling::Kept &&
         subnormals.sums == SubnormalHandling::Kept &&
         subnormals.results == SubnormalHandling::Kept;
}

}  // namespace

/// A subtree: exact sum, magnitudes, what it may be off by, roundings on the longest way.
struct OrderBound::Part {
  double sum = 0, magnitude = 0, by_depth = 0, by_partial_sums = 0;
  std::uint64_t roundings = 0;
  bool is_product = false;
};

OrderBound::OrderBound(const corpus::GradientMachine& machine, const Arithmetic& arithmetic,
                       bool is_bias)
    : machine_(machine) {
  const corpus::NodeArithmetic& node = machine.node;
  const int bits = (is_bias ? 1 : 2) * precision(arithmetic.operands);
  product_is_rounded_ = bits > node.accumulator_bits;
  extra_bits_ = node.extra_bits.value_or(0);
  product_may_be_cut_ = bits > node.accumulator_bits + extra_bits_;
  rounding_ = std::ldexp(1.0, (is_to_nearest(node) ? 0 : 1) - node.accumulator_bits);
  unit_ = std::ldexp(1.0, 1 - node.accumulator_bits - extra_bits_);
}

/// Addends that lose bits when they are cut at the unit: all but the largest, and that one too
/// where a product has more bits than lie above the unit.
double OrderBound::lossy(std::size_t addends) const {
  return static_cast<double>(product_may_be_cut_ ? addends : addends - 1);
}

/// Cost, in units, of the rounding of a sum that did not grow after the addends were cut.
double OrderBound::units_of_rounding() const {
  const double whole = std::ldexp(1.0, extra_bits_);
  return is_to_nearest(machine_.node) ? std::floor(whole / 2) : whole - 1;
}

/// `lost` as a share of S, the sum of magnitudes: the largest addend is at most S; and where the
/// sum reaches twice the power of two in the largest addend, that power, of which the units are, is
/// at most S / 2. The greater of the two cases holds for both.
double OrderBound::share_lost(std::size_t addends) const {
  if (!machine_.node.extra_bits) return rounding_;
  const double in_units = lossy(addends) + units_of_rounding();
  return std::max(in_units * unit_, lossy(addends) / 2 * unit_ + rounding_);
}

/// Bounds what a sum loses by cuts. Where the sum stays below twice the power of two in the largest
/// addend, it has the unit that the addends were cut to.
double OrderBound::lost(std::size_t addends, const Largest& largest, double sum) const {
  if (!machine_.node.extra_bits) return rounding_ * sum;
  if (largest.at_most == 0) return 0;
  const double unit = std::ldexp(unit_, std::ilogb(largest.at_most));
  const bool may_grow =
      largest.at_least <= 0 || sum >= std::ldexp(1.0, std::ilogb(largest.at_least) + 1);
  const double grown = may_grow ? rounding_ * sum : 0;
  return lossy(addends) * unit + std::max(units_of_rounding() * unit, grown);
}

OrderBound::Part OrderBound::rounded_product(const Part& product) const {
  if (!product.is_product) return product;
  Part rounded = product;
  rounded.is_product = false;
  if (!product_is_rounded_ || product.magnitude == 0) return rounded;
  rounded.by_depth = rounded.by_partial_sums = rounding_ * product.magnitude;
  rounded.roundings = 1;
  return rounded;
}

/// `sum` is off by the rounding of doubles; twice that goes into the bound, once for the difference
/// of the machine's sum from it and once for its own from the exact one.
OrderBound::Part OrderBound::added(std::span<const Part> parts) const {
  Part result;
  Largest largest;
  double magnitudes_of_sums = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_rounded_here = i == 0 && machine_.product == MachineProduct::Fused;
    const Part part = is_rounded_here ? rounded_product(parts[i]) : parts[i];
    result.sum += part.sum;
    result.magnitude += part.magnitude;
    result.by_depth += part.by_depth;
    result.by_partial_sums += part.by_partial_sums;
    result.roundings = std::max(result.roundings, part.roundings);
    const double sum = std::fabs(part.sum), error = part.by_partial_sums;
    largest.at_most = std::max(largest.at_most, sum + error);
    largest.at_least = std::max(largest.at_least, sum - error);
    magnitudes_of_sums += std::fabs(part.sum);
  }
  const auto count = static_cast<double>(parts.size());
  const double computed = std::fabs(result.sum) + result.by_partial_sums;
  // E(node) = sum E(i) + e (S + sum E(i)), which over d nodes grows to ((1 + e)^d - 1) S.
  result.by_depth += share_lost(parts.size()) * (result.magnitude + result.by_depth);
  result.by_partial_sums += lost(parts.size(), largest, computed);
  result.by_partial_sums += 2 * count * double_rounding * magnitudes_of_sums;
  result.roundings += 1;
  return result;
}

OrderTerms OrderBound::terms(std::span<const double> products) const {
  std::vector<Part> leaves;
  leaves.reserve(products.size());
  for (const double product : products) {
    const Part leaf{.sum = product, .magnitude = std::fabs(product), .is_product = true};
    const bool is_rounded = machine_.product == MachineProduct::Rounded;
    leaves.push_back(is_rounded ? rounded_product(leaf) : leaf);
  }
  const summation::Adding<Part> add = [this](std::span<const Part> parts) { return added(parts); };
  // A sum of one product has no addition; its result is a number of the accumulator all the same.
  const Part root = rounded_product(summed<Part>(machine_.tree, leaves, add));
  return {root.magnitude * upwards, root.by_depth * upwards, root.by_partial_sums * upwards,
          root.roundings};
}

/// Adder with the guarantee of the weakest of the machine's properties: a block adder truncates,
/// directed rounding and flushed subnormals are faithful at best, and fewer than 24 bits are less
/// than any of the three promises.
std::optional<Adder> adder_of(const corpus::GradientMachine& machine) {
  if (machine.node.accumulator_bits < 24) return std::nullopt;
  if (machine.node.extra_bits) return Adder::Block;
  const bool is_ieee = is_to_nearest(machine.node) && keeps_subnormals(machine.subnormals);
  return is_ieee ? Adder::Ieee : Adder::Faithful;
}

}  // namespace gradproof::oracle
