#include "properties/cases/machines/addition_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace gradproof::cases {
namespace {

using corpus::OrderAxis;
using corpus::TreeCombine;
using corpus::TreeFamily;
using corpus::TreeNode;
using Part = std::int64_t;  ///< a child of a node; none: `nothing`

constexpr Part nothing = -1;

/// Adds nodes; parts that are absent products vanish.
class TreeBuilder {
 public:
  explicit TreeBuilder(AdditionTree& tree) : tree_(tree) {}

  Part add(TreeNode children) {
    std::erase(children, nothing);
    if (children.empty()) return nothing;
    if (children.size() == 1) return children.front();
    return node(std::move(children));
  }

  Part sequential(const std::vector<Part>& parts) {
    Part sum = nothing;
    for (const Part part : parts) sum = add({sum, part});
    return sum;
  }

  Part pairwise(std::vector<Part> parts) {
    while (parts.size() > 1) {
      std::vector<Part> next;
      for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
        next.push_back(add({parts[i], parts[i + 1]}));
      }
      if (parts.size() % 2 == 1) next.push_back(parts.back());
      parts = std::move(next);
    }
    return parts.empty() ? nothing : parts.front();
  }

  Part halves(std::vector<Part> parts) {
    while (parts.size() > 1) {
      const std::size_t half = (parts.size() + 1) / 2;
      for (std::size_t i = 0; i + half < parts.size(); ++i) {
        parts[i] = add({parts[i], parts[i + half]});
      }
      parts.resize(half);
    }
    return parts.empty() ? nothing : parts.front();
  }

  Part combine(TreeCombine how, const std::vector<Part>& parts) {
    if (how == TreeCombine::Sequential) return sequential(parts);
    return how == TreeCombine::Pairwise ? pairwise(parts) : halves(parts);
  }

  /// A part by itself: one product is rounded.
  Part rounded_part(Part part) {
    const bool is_product = part != nothing && part < static_cast<Part>(tree_.leaves.size());
    return is_product ? node({part}) : part;
  }

  Part lanes(const std::vector<Part>& parts, std::size_t count, TreeCombine how) {
    std::vector<std::vector<Part>> lanes(std::min(count, parts.size()));
    for (std::size_t i = 0; i < parts.size(); ++i) lanes[i % count].push_back(parts[i]);
    return combined(lanes, how);
  }

  Part split(const std::vector<Part>& parts, std::size_t size, TreeCombine how) {
    std::vector<std::vector<Part>> pieces;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i % size == 0) pieces.emplace_back();
      pieces.back().push_back(parts[i]);
    }
    return combined(pieces, how);
  }

  Part blocks(const std::vector<Part>& parts, std::size_t size) {
    Part sum = nothing;
    for (std::size_t i = 0; i < parts.size(); i += size) {
      TreeNode node{sum};
      for (std::size_t j = i; j < std::min(i + size, parts.size()); ++j) node.push_back(parts[j]);
      sum = add(std::move(node));
    }
    return sum;
  }

 private:
  Part node(TreeNode children) {
    tree_.nodes.push_back(std::move(children));
    return static_cast<Part>(tree_.leaves.size() + tree_.nodes.size()) - 1;
  }

  Part combined(const std::vector<std::vector<Part>>& pieces, TreeCombine how) {
    std::vector<Part> sums;
    sums.reserve(pieces.size());
    for (const auto& piece : pieces) {
      const Part sum = sequential(piece);
      sums.push_back(pieces.size() == 1 ? sum : rounded_part(sum));
    }
    return combine(how, sums);
  }

  AdditionTree& tree_;
};

std::uint64_t mixed(std::uint64_t value) {  // splitmix64
  value += 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

std::uint64_t hash_with(const AdditionTree& tree, bool labelled) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(tree.leaves.size() + tree.nodes.size());
  for (const std::int64_t leaf : tree.leaves) {
    hashes.push_back(mixed(labelled ? static_cast<std::uint64_t>(leaf) + 2 : 1));
  }
  for (const TreeNode& node : tree.nodes) {
    std::uint64_t sum = 0;
    for (const Part child : node) sum += hashes[to_size(child)];
    hashes.push_back(node.size() == 1 ? sum : mixed(sum ^ (node.size() << 56U)));
  }
  return hashes.empty() ? 0 : hashes.back();
}

std::vector<std::size_t> depths_from_root(const AdditionTree& tree) {
  std::vector<std::size_t> depths(tree.leaves.size() + tree.nodes.size(), 0);
  for (std::size_t node = tree.nodes.size(); node-- > 0;) {
    const std::size_t own = depths[tree.leaves.size() + node];
    for (const Part child : tree.nodes[node]) depths[to_size(child)] = own + 1;
  }
  depths.resize(tree.leaves.size());
  return depths;
}

/// A product below this part.
std::size_t any_leaf(const AdditionTree& tree, Part part) {
  while (part >= static_cast<Part>(tree.leaves.size())) {
    part = tree.nodes[to_size(part) - tree.leaves.size()].front();
  }
  return to_size(part);
}

}  // namespace

std::vector<std::int64_t> ordered_products(const corpus::LeafOrder& order, corpus::OutputRole role,
                                           const AxisLengths& lengths) {
  static constexpr std::array<std::string_view, 4> of_input{"k", "kd", "kh", "kw"};
  static constexpr std::array<std::string_view, 4> of_others{"n", "od", "oh", "ow"};
  const auto& names = role == corpus::OutputRole::GradInput ? of_input : of_others;
  const std::int64_t count = lengths[0] * lengths[1] * lengths[2] * lengths[3];
  std::vector<std::int64_t> numbers(to_size(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  if (order.loops.empty()) return numbers;
  std::vector<std::int64_t> keys(numbers.size(), 0);
  for (const OrderAxis& loop : order.loops) {
    const auto axis = to_size(std::find(names.begin(), names.end(), loop.axis) - names.begin());
    if (axis == names.size()) continue;
    std::int64_t below = 1;
    for (std::size_t inner = axis + 1; inner < lengths.size(); ++inner) below *= lengths[inner];
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::int64_t at = numbers[i] / below % lengths[axis];
      if (loop.part == OrderAxis::Part::Block) at /= loop.size;
      if (loop.part == OrderAxis::Part::Within) at %= loop.size;
      keys[i] = keys[i] * lengths[axis] + (loop.descending ? lengths[axis] - 1 - at : at);
    }
  }
  std::stable_sort(numbers.begin(), numbers.end(), [&](std::int64_t one, std::int64_t other) {
    return keys[to_size(one)] < keys[to_size(other)];
  });
  return numbers;
}

AdditionTree tree_of(const corpus::SummationTree& family, const corpus::LeafOrder& order,
                     corpus::OutputRole role, const AxisLengths& lengths,
                     const std::vector<std::int64_t>& present) {
  AdditionTree tree{present, {}};
  if (family.family == TreeFamily::Explicit) {
    tree.nodes = family.nodes;
    return tree;
  }
  std::unordered_map<std::int64_t, Part> places;
  for (std::size_t i = 0; i < present.size(); ++i) places[present[i]] = static_cast<Part>(i);
  std::vector<Part> parts;
  for (const std::int64_t number : ordered_products(order, role, lengths)) {
    const auto place = places.find(number);
    if (place != places.end()) parts.push_back(place->second);
    if (place == places.end() && order.counts_absent) parts.push_back(nothing);
  }
  TreeBuilder builder(tree);
  const auto size = to_size(std::max<std::int64_t>(family.size, 1));
  switch (family.family) {
    case TreeFamily::Sequential:
    case TreeFamily::Explicit:
      builder.sequential(parts);
      break;
    case TreeFamily::Pairwise:
      builder.pairwise(parts);
      break;
    case TreeFamily::Lanes:
      builder.lanes(parts, size, family.combine);
      break;
    case TreeFamily::Split:
      builder.split(parts, size, family.combine);
      break;
    case TreeFamily::Blocks:
      builder.blocks(parts, size);
      break;
  }
  return tree;
}

std::uint64_t hash_of(const AdditionTree& tree) { return hash_with(tree, true); }
std::uint64_t shape_hash_of(const AdditionTree& tree) { return hash_with(tree, false); }
std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

std::size_t depth_of(const AdditionTree& tree) {
  const auto depths = depths_from_root(tree);
  return depths.empty() ? 0 : *std::max_element(depths.begin(), depths.end());
}

std::size_t widest_node(const AdditionTree& tree) {
  std::size_t widest = 0;
  for (const TreeNode& node : tree.nodes) widest = std::max(widest, node.size());
  return widest;
}

Chain chain_of(const AdditionTree& tree) {
  if (tree.nodes.empty())
    return {tree.leaves.empty() ? std::vector<std::size_t>{} : std::vector<std::size_t>{0}, {}};
  const auto leaves = static_cast<Part>(tree.leaves.size());
  std::vector<Part> parents(tree.leaves.size() + tree.nodes.size(), nothing);
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    for (const Part child : tree.nodes[node]) {
      parents[to_size(child)] = leaves + static_cast<Part>(node);
    }
  }
  const auto depths = depths_from_root(tree);
  Part below = std::max_element(depths.begin(), depths.end()) - depths.begin();
  Chain chain{{to_size(below)}, {}};
  for (Part part = parents[to_size(below)]; part != nothing;
       below = part, part = parents[to_size(part)]) {
    for (const Part child : tree.nodes[to_size(part - leaves)]) {
      if (child == below) continue;
      const bool is_taken = chain.places.size() > 1 && below < leaves;
      (is_taken ? chain.in_first_node : chain.places).push_back(any_leaf(tree, child));
      if (below >= leaves) break;
    }
  }
  return chain;
}

}  // namespace gradproof::cases
