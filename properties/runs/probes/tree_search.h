#pragma once

#include <string>

#include "properties/cases/machines/addition_tree.h"
#include "properties/runs/probes/prober.h"

namespace gradproof::runs {

/// A tree that was found, or why the answers are those of no tree.
struct FoundTree {
  cases::AdditionTree tree;
  std::string contradiction;  ///< empty: `tree` explains every answer
  std::uint64_t pairs = 0;    ///< of products that were asked about
  std::string marks;          ///< what the products were, in words
};

/// The tree in which the products of the site are added.
///
/// Method (FPRev, USENIX ATC 2025): one product is M, one -M, so large that what is added to them
/// is lost, and all others are 1. What remains counts the products outside the smallest node that
/// holds both. From the counts of one product with all others follow the nodes above it; the
/// products that join it at one node make a smaller question of the same kind. One call asks about
/// as many pairs as there are slots. Where a result cannot hold the count, ones are given to a part
/// of the products at a time. An adder that rounds toward zero or to odd moves M by what it loses:
/// there M is so small that what it moved by is a multiple of a power of two above every count.
Probed<FoundTree> find_tree(Prober& prober, const cases::SitePlan& plan, const cases::Site& site);

}  // namespace gradproof::runs
