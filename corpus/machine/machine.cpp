#include "corpus/machine/machine.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

namespace gradproof::corpus {
namespace {

constexpr int most_machine_bits = 53;  // those of a double

/// A node's children are leaves or earlier nodes, and nothing but the root is used less than once.
std::optional<std::string> impossible_nodes(const SummationTree& tree) {
  if (tree.leaves < 1) return "an explicit tree needs leaves";
  const auto parts = to_size(tree.leaves) + tree.nodes.size();
  std::vector<bool> used(parts, false);
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    const std::int64_t own = tree.leaves + static_cast<std::int64_t>(node);
    const bool is_rounded_product =
        tree.nodes[node].size() == 1 && tree.nodes[node].front() < tree.leaves;
    if (tree.nodes[node].size() < 2 && !is_rounded_product) {
      return fmt::format("node {} adds less than two parts", node);
    }
    for (const std::int64_t child : tree.nodes[node]) {
      if (child < 0 || child >= own) {
        return fmt::format("node {} has a child {}, which is no leaf and no earlier node", node,
                           child);
      }
      if (used[to_size(child)]) {
        return fmt::format("part {} is added twice, the second time in node {}", child, node);
      }
      used[to_size(child)] = true;
    }
  }
  const auto unused = std::find(used.begin(), used.end() - 1, false);
  if (unused == used.end() - 1) return std::nullopt;
  const auto number = unused - used.begin();
  if (number < tree.leaves) return std::nullopt;  // a product that is in no element's sum
  return fmt::format("node {} is not the last and no other node adds it", number - tree.leaves);
}

bool needs_size(TreeFamily family) {
  return family == TreeFamily::Lanes || family == TreeFamily::Split || family == TreeFamily::Blocks;
}

std::optional<std::string> impossibility_of(const SummationTree& tree) {
  if (needs_size(tree.family) && tree.size < 1) {
    return fmt::format("tree: {} needs a size of at least 1", name_of(tree.family));
  }
  if (tree.family != TreeFamily::Explicit) return std::nullopt;
  const auto problem = impossible_nodes(tree);
  if (problem) return "tree: " + *problem;
  return std::nullopt;
}

}  // namespace

bool is_of_one_call(const GradientMachine& gradient) {
  return gradient.tree.family == TreeFamily::Explicit || !gradient.elsewhere.empty();
}

const GradientMachine* machine_of(const Machine& machine, OutputRole gradient) {
  const auto found = std::find_if(machine.gradients.begin(), machine.gradients.end(),
                                  [&](const auto& each) { return each.gradient == gradient; });
  return found == machine.gradients.end() ? nullptr : &*found;
}

std::string text_of(const OrderAxis& axis) {
  std::string text = (axis.descending ? "-" : "") + axis.axis;
  if (axis.part == OrderAxis::Part::Block) text += fmt::format("/{}", axis.size);
  if (axis.part == OrderAxis::Part::Within) text += fmt::format("%{}", axis.size);
  return text;
}

std::optional<std::string> impossibility(const GradientMachine& gradient) {
  const auto refuse = [](std::string_view key, int bits) {
    return fmt::format("{}: {} bits; allowed are 2 to {}", key, bits, most_machine_bits);
  };
  const int operand_bits = gradient.operands.significand_bits;
  if (operand_bits < 2 || operand_bits > most_machine_bits) return refuse("operands", operand_bits);
  const int bits = gradient.node.accumulator_bits;
  if (bits < 2 || bits > most_machine_bits) return refuse("accumulator_bits", bits);
  if (gradient.node.extra_bits && *gradient.node.extra_bits < 0) return "extra_bits is negative";
  if (auto problem = impossibility_of(gradient.tree)) return problem;
  for (std::size_t i = 0; i < gradient.elsewhere.size(); ++i) {
    const auto problem = impossibility_of(gradient.elsewhere[i].tree);
    if (problem) return fmt::format("elsewhere[{}]: {}", i, *problem);
  }
  return std::nullopt;
}

}  // namespace gradproof::corpus
