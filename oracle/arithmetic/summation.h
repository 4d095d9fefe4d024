#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "corpus/machine/machine.h"

namespace gradproof::oracle {

// A sum in the order of a machine, over parts of any kind: numbers, bounds, numbers of nodes.
// `Add` makes one part of those that one addition takes, at least two. Lanes, parts and blocks that
// no product reaches take no part: adding their zeros changes nothing.

namespace summation {

template <typename Part>
using Adding = std::function<Part(std::span<const Part>)>;

/// ((x0 + x1) + x2) + ...: the longest way has n - 1 additions.
template <typename Part>
Part in_sequence(std::span<const Part> parts, const Adding<Part>& add) {
  Part sum = parts.front();
  for (const Part& part : parts.subspan(1)) {
    const Part both[] = {sum, part};
    sum = add(both);
  }
  return sum;
}

/// Neighbours, level by level; an odd last one goes up as it is. The longest way has ceil(log2 n)
/// additions (pairwise summation; N. J. Higham, The accuracy of floating point summation, SIAM J.
/// Sci. Comput. 14, 1993).
template <typename Part>
Part in_pairs(std::vector<Part> parts, const Adding<Part>& add) {
  while (parts.size() > 1) {
    std::vector<Part> above;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
      above.push_back(add(std::span<const Part>(parts).subspan(i, 2)));
    }
    if (parts.size() % 2 == 1) above.push_back(parts.back());
    parts = std::move(above);
  }
  return parts.front();
}

/// s(i) + s(i + half), level by level; the middle one of an odd number goes up as it is.
template <typename Part>
Part in_halves(std::vector<Part> parts, const Adding<Part>& add) {
  while (parts.size() > 1) {
    const std::size_t half = (parts.size() + 1) / 2;
    for (std::size_t i = 0; i + half < parts.size(); ++i) {
      const Part both[] = {parts[i], parts[i + half]};
      parts[i] = add(both);
    }
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(half), parts.end());
  }
  return parts.front();
}

/// Combines the sums of lanes or parts into one.
template <typename Part>
Part combined(corpus::TreeCombine combine, std::vector<Part> parts, const Adding<Part>& add) {
  if (combine == corpus::TreeCombine::Pairwise) return in_pairs(std::move(parts), add);
  if (combine == corpus::TreeCombine::Halves) return in_halves(std::move(parts), add);
  return in_sequence<Part>(parts, add);
}

/// Lane l adds x(l), x(l + size), x(l + 2 size), ... in sequence, as a vector unit does: about n /
/// size additions, then those of the lanes' sums.
template <typename Part>
Part in_lanes(const corpus::SummationTree& tree, std::span<const Part> leaves,
              const Adding<Part>& add) {
  std::vector<Part> lanes;
  const auto size = static_cast<std::size_t>(tree.size);
  for (std::size_t lane = 0; lane < std::min(size, leaves.size()); ++lane) {
    std::vector<Part> members;
    for (std::size_t i = lane; i < leaves.size(); i += size) members.push_back(leaves[i]);
    lanes.push_back(in_sequence<Part>(members, add));
  }
  return combined(tree.combine, std::move(lanes), add);
}

/// Sums parts of neighbours: part i adds x(i size) to x(i size + size - 1), as threads share a sum.
template <typename Part>
Part in_parts(const corpus::SummationTree& tree, std::span<const Part> leaves,
              const Adding<Part>& add) {
  std::vector<Part> parts;
  const auto size = static_cast<std::size_t>(tree.size);
  for (std::size_t i = 0; i < leaves.size(); i += size) {
    parts.push_back(in_sequence(leaves.subspan(i, std::min(size, leaves.size() - i)), add));
  }
  return combined(tree.combine, std::move(parts), add);
}

/// One addition takes the sum so far and `size` further addends, as a matrix unit does.
template <typename Part>
Part in_blocks(const corpus::SummationTree& tree, std::span<const Part> leaves,
               const Adding<Part>& add) {
  std::vector<Part> addends;
  const auto size = static_cast<std::size_t>(tree.size);
  for (std::size_t i = 0; i < leaves.size(); i += size) {
    const auto block = leaves.subspan(i, std::min(size, leaves.size() - i));
    addends.insert(addends.end(), block.begin(), block.end());
    if (addends.size() > 1) addends = {add(addends)};
  }
  return addends.front();
}

/// Nodes in the order in which they add; a child is a leaf or an earlier node, numbered behind the
/// leaves.
template <typename Part>
Part as_listed(const corpus::SummationTree& tree, std::span<const Part> leaves,
               const Adding<Part>& add) {
  std::vector<Part> parts(leaves.begin(), leaves.end());
  for (const corpus::TreeNode& node : tree.nodes) {
    std::vector<Part> children;
    for (const std::int64_t child : node) {
      children.push_back(parts[static_cast<std::size_t>(child)]);
    }
    parts.push_back(add(children));
  }
  return parts.back();
}

}  // namespace summation

/// Sums the leaves by the tree. There is at least one leaf; an explicit tree needs as many as it
/// names.
template <typename Part>
Part summed(const corpus::SummationTree& tree, std::span<const Part> leaves,
            const summation::Adding<Part>& add) {
  using corpus::TreeFamily;
  switch (tree.family) {
    case TreeFamily::Sequential:
      return summation::in_sequence(leaves, add);
    case TreeFamily::Pairwise:
      return summation::in_pairs(std::vector<Part>(leaves.begin(), leaves.end()), add);
    case TreeFamily::Lanes:
      return summation::in_lanes(tree, leaves, add);
    case TreeFamily::Split:
      return summation::in_parts(tree, leaves, add);
    case TreeFamily::Blocks:
      return summation::in_blocks(tree, leaves, add);
    case TreeFamily::Explicit:
      break;
  }
  return summation::as_listed(tree, leaves, add);
}

}  // namespace gradproof::oracle
