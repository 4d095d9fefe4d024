#include "properties/advice/tolerance/worst_case.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "oracle/arithmetic/summation.h"
#include "oracle/numbers/number_format.h"

namespace gradproof::advice {
namespace {

using corpus::MachineRounding;

/// A tree as it is walked: leaves first, then its additions, the root last.
class Nodes {
 public:
  Nodes(const corpus::SummationTree& tree, std::size_t leaves) : leaves_(leaves) {
    std::vector<std::size_t> parts(leaves);
    depths_.assign(leaves, 0);
    for (std::size_t i = 0; i < leaves; ++i) parts[i] = i;
    const oracle::summation::Adding<std::size_t> add = [this](std::span<const std::size_t> of) {
      children_.emplace_back(of.begin(), of.end());
      std::uint64_t deepest = 0;
      for (const std::size_t child : of) deepest = std::max(deepest, depths_[child]);
      depths_.push_back(deepest + 1);
      return depths_.size() - 1;
    };
    root_ = oracle::summed<std::size_t>(tree, parts, add);
  }

  std::size_t root() const { return root_; }
  bool is_leaf(std::size_t part) const { return part < leaves_; }
  const std::vector<std::size_t>& children(std::size_t part) const {
    return children_[part - leaves_];
  }
  std::size_t deepest_child(std::size_t part) const {
    return *std::ranges::max_element(children(part), {},
                                     [this](std::size_t c) { return depths_[c]; });
  }
  std::size_t first_leaf(std::size_t part) const {
    while (!is_leaf(part)) part = children(part).front();
    return part;
  }

 private:
  std::size_t leaves_, root_ = 0;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::uint64_t> depths_;  ///< additions below a part, on its longest way
};

/// Product that an addition to a running sum of 1 loses whole. `bits`: of the products'
/// significands, to stay below a unit by as little as they can say.
double lost_product(const corpus::NodeArithmetic& node, int bits) {
  const double below = 1 - std::ldexp(1.0, -bits);
  if (node.extra_bits) {
    return std::ldexp(below, 1 - node.accumulator_bits - *node.extra_bits);
  }
  if (node.rounding == MachineRounding::NearestEven) {
    return std::ldexp(1.0, -node.accumulator_bits);
  }
  const bool is_nearest = node.rounding == MachineRounding::NearestAway;
  return std::ldexp(below, (is_nearest ? 0 : 1) - node.accumulator_bits);
}

/// The first product that joins in a block adder with extra bits: it is lost when the sum is
/// rounded, and its last digits when it is cut.
double lost_in_rounding(const corpus::NodeArithmetic& node, double lost, int bits) {
  const int extra = node.extra_bits.value_or(0);
  if (extra == 0) return lost;
  const bool is_nearest = node.rounding == MachineRounding::NearestEven ||
                          node.rounding == MachineRounding::NearestAway;
  if (!is_nearest) return std::ldexp(1 - std::ldexp(1.0, -bits), 1 - node.accumulator_bits);
  const double unit = std::ldexp(1.0, 1 - node.accumulator_bits - extra);
  return (std::ldexp(1.0, extra - 1) + 0.5) * unit;
}

/// Powers of two that make 1 a tie in each of the roundings, one after the other.
std::vector<double> ties_of(const oracle::Arithmetic& arithmetic) {
  std::vector<double> ties;
  int coarsest = oracle::precision(oracle::NumberFormat::Float);
  for (const oracle::NumberFormat format : arithmetic.roundings) {
    const int bits = oracle::precision(format);
    if (bits >= coarsest) continue;
    ties.push_back(std::ldexp(1.0, -bits));
    coarsest = bits;
  }
  return ties;
}

}  // namespace

WorstProducts worst_products(const corpus::GradientMachine& machine,
                             const oracle::Arithmetic& arithmetic, std::size_t count) {
  const Nodes nodes(machine.tree, count);
  WorstProducts worst{.values = std::vector<double>(count)};
  const int bits = oracle::precision(arithmetic.operands);
  const double lost = lost_product(machine.node, bits);
  std::vector<std::size_t> joining;  // from the last addition to the first
  std::size_t part = nodes.root();
  while (!nodes.is_leaf(part)) {
    const std::size_t deepest = nodes.deepest_child(part);
    bool is_first = true;
    for (const std::size_t child : nodes.children(part)) {
      if (child == deepest) continue;
      const std::size_t leaf = nodes.first_leaf(child);
      worst.values[leaf] = is_first ? lost_in_rounding(machine.node, lost, bits) : lost;
      is_first = false;
      joining.push_back(leaf);
    }
    part = deepest;
  }
  worst.heavy = part;
  worst.values[part] = 1;
  for (const double tie : ties_of(arithmetic)) {
    if (joining.empty()) break;
    worst.values[joining.back()] = tie;
    joining.pop_back();
  }
  return worst;
}

}  // namespace gradproof::advice
