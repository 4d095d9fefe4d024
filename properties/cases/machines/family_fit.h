#pragma once

#include <optional>

#include "properties/cases/machines/addition_tree.h"

namespace gradproof::cases {

/// A family that makes a tree, and the order of the products in it.
struct FittedFamily {
  corpus::SummationTree tree;
  corpus::LeafOrder order;
};

/// The family and order whose tree is the measured one, products in their places; nullopt: none of
/// those that are tried. First families whose trees have the measured form, then orders: loops over
/// whole axes in any order and direction, or with blocks of 4 to 64 channels.
std::optional<FittedFamily> fitted_family(const AdditionTree& measured, corpus::OutputRole role,
                                          const AxisLengths& lengths);

/// The measured tree as it is.
corpus::SummationTree explicit_tree(const AdditionTree& measured);

}  // namespace gradproof::cases
