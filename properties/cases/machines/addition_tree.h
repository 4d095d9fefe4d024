#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "corpus/machine/machine.h"

namespace gradproof::cases {

/// Nodes in which the products of one element meet. Children of a node: numbers below leaves.size()
/// are places in `leaves`, leaves.size() + i is the node i, which comes before its parent; the last
/// node is the root. A node of one child rounds a product by itself.
struct AdditionTree {
  std::vector<std::int64_t> leaves;  ///< numbers of products, as corpus::LeafOrder counts them
  std::vector<corpus::TreeNode> nodes;
};

/// Lengths of the four axes by which products are numbered.
using AxisLengths = std::array<std::int64_t, 4>;

/// The tree that a family makes of these products. `present`: ascending.
/// Precondition: an explicit tree has a leaf for each of them.
AdditionTree tree_of(const corpus::SummationTree& family, const corpus::LeafOrder& order,
                     corpus::OutputRole role, const AxisLengths& lengths,
                     const std::vector<std::int64_t>& present);

/// The products in the order in which they come; also those that are not there.
std::vector<std::int64_t> ordered_products(const corpus::LeafOrder& order, corpus::OutputRole role,
                                           const AxisLengths& lengths);

/// Equal for trees that differ only in the order of children; nodes of one child do not count.
std::uint64_t hash_of(const AdditionTree& tree);
/// Hashes the tree without the numbers of the products.
std::uint64_t shape_hash_of(const AdditionTree& tree);
/// 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

/// Additions that the deepest product passes through.
std::size_t depth_of(const AdditionTree& tree);
/// The most addends of a node.
std::size_t widest_node(const AdditionTree& tree);

/// Places of products c0, c1, ... such that c0 and c1 are added first, c2 joins their sum later,
/// c3 that sum later still. c0 is a deepest product. For a single node all its products.
struct Chain {
  std::vector<std::size_t> places;
  /// Further products that are children of the first node.
  std::vector<std::size_t> in_first_node;
};
Chain chain_of(const AdditionTree& tree);

}  // namespace gradproof::cases
