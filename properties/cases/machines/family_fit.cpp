#include "properties/cases/machines/model.h"

#include <algorithm>
#include <set>

namespace gradproof::cases {
namespace {

using corpus::LeafOrder;
using corpus::OrderAxis;
using corpus::OutputRole;
using corpus::SummationTree;
using corpus::TreeCombine;
using corpus::TreeFamily;

/// Sizes of lanes, parts and blocks: small ones, powers of two and what the axes come to.
std::set<std::int64_t> sizes_to_try(const AxisLengths& lengths, std::int64_t count) {
  std::set<std::int64_t> sizes;
  constexpr std::int64_t small = 64;
  for (std::int64_t size = 1; size <= std::min(small, count); ++size) sizes.insert(size);
  for (std::int64_t size = small; size < count; size *= 2) sizes.insert(size);
  for (unsigned subset = 1; subset < 1U << lengths.size(); ++subset) {
    std::int64_t product = 1;
    for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
      if ((subset >> axis & 1U) != 0) product *= lengths[axis];
    }
    for (std::int64_t parts = 1; parts <= 4; ++parts) {
      sizes.insert((product + parts - 1) / parts);
      if (product * parts < count) sizes.insert(product * parts);
    }
  }
  std::erase_if(sizes, [&](std::int64_t size) { return size < 2 || size >= count; });
  return sizes;
}

std::vector<SummationTree> families_to_try(const AxisLengths& lengths, std::int64_t count) {
  std::vector<SummationTree> families{{TreeFamily::Sequential, 0, TreeCombine::Sequential, 0, {}},
                                      {TreeFamily::Pairwise, 0, TreeCombine::Sequential, 0, {}}};
  auto sizes = sizes_to_try(lengths, count);
  for (const std::int64_t size : sizes) {
    for (const auto combine :
         {TreeCombine::Sequential, TreeCombine::Pairwise, TreeCombine::Halves}) {
      families.push_back({TreeFamily::Split, size, combine, 0, {}});
      families.push_back({TreeFamily::Lanes, size, combine, 0, {}});
    }
  }
  sizes.insert(count);  // one block of all
  for (const std::int64_t size : sizes) {
    families.push_back({TreeFamily::Blocks, size, TreeCombine::Sequential, 0, {}});
  }
  return families;
}

/// Axes longer than 1, by number.
std::vector<std::size_t> long_axes(const AxisLengths& lengths) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    if (lengths[axis] > 1) axes.push_back(axis);
  }
  return axes;
}

/// Adds all orders and directions of these loops; the natural one first.
void add_arrangements(std::vector<OrderAxis> loops, std::vector<LeafOrder>& orders) {
  std::vector<std::size_t> at(loops.size());
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = i;
  do {
    for (unsigned directions = 0; directions < 1U << loops.size(); ++directions) {
      LeafOrder order;
      for (const std::size_t loop : at) {
        order.loops.push_back(loops[loop]);
        order.loops.back().descending = (directions >> loop & 1U) != 0;
      }
      orders.push_back(std::move(order));
    }
  } while (std::next_permutation(at.begin(), at.end()));
}

std::vector<LeafOrder> orders_to_try(OutputRole role, const AxisLengths& lengths) {
  static constexpr const char* of_input[] = {"k", "kd", "kh", "kw"};
  static constexpr const char* of_others[] = {"n", "od", "oh", "ow"};
  const auto* names = role == OutputRole::GradInput ? of_input : of_others;
  std::vector<LeafOrder> orders{{}};
  const auto axes = long_axes(lengths);
  std::vector<OrderAxis> whole;
  whole.reserve(axes.size());
  for (const std::size_t axis : axes) whole.push_back({names[axis], false, {}, 0});
  add_arrangements(whole, orders);
  for (const std::size_t blocked : axes) {
    for (const std::int64_t size : {4, 8, 16, 32, 64}) {
      if (size >= lengths[blocked]) continue;
      std::vector<OrderAxis> loops = whole;
      const auto place = std::find(axes.begin(), axes.end(), blocked) - axes.begin();
      loops[to_size(place)] = {names[blocked], false, OrderAxis::Part::Block, size};
      loops.push_back({names[blocked], false, OrderAxis::Part::Within, size});
      add_arrangements(loops, orders);
    }
  }
  return orders;
}

}  // namespace

corpus::SummationTree explicit_tree(const AdditionTree& measured) {
  return {TreeFamily::Explicit, 0, TreeCombine::Sequential,
          static_cast<std::int64_t>(measured.leaves.size()), measured.nodes};
}

std::optional<FittedFamily> fitted_family(const AdditionTree& measured, OutputRole role,
                                          const AxisLengths& lengths) {
  const std::int64_t all = lengths[0] * lengths[1] * lengths[2] * lengths[3];
  const auto count = static_cast<std::int64_t>(measured.leaves.size());
  const bool is_whole = all == count;
  const std::uint64_t shape = shape_hash_of(measured), hash = hash_of(measured);
  const auto fits = [&](const SummationTree& family, const LeafOrder& order) {
    return hash_of(tree_of(family, order, role, lengths, measured.leaves)) == hash;
  };
  std::vector<SummationTree> alike;
  for (const SummationTree& family : families_to_try(lengths, count)) {
    if (fits(family, {})) return FittedFamily{family, {}};
    const AdditionTree natural = tree_of(family, {}, role, lengths, measured.leaves);
    if (shape_hash_of(natural) == shape) alike.push_back(family);
  }
  const auto orders = orders_to_try(role, lengths);
  constexpr std::size_t most_orders_of_large = 500;
  constexpr std::int64_t large = 2000;
  const std::size_t tried =
      count > large ? std::min(most_orders_of_large, orders.size()) : orders.size();
  for (const bool counts_absent : {false, true}) {
    if (counts_absent && is_whole) break;
    for (const SummationTree& family : counts_absent ? families_to_try(lengths, all) : alike) {
      for (std::size_t i = 0; i < (counts_absent ? std::size_t{1} : tried); ++i) {
        LeafOrder order = orders[i];
        order.counts_absent = counts_absent;
        if (fits(family, order)) return FittedFamily{family, order};
      }
    }
  }
  return std::nullopt;
}

}  // namespace gradproof::cases
