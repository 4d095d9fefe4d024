#include "properties/cases/machines/neighbours.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace gradproof::cases {
namespace {

using corpus::GradientMachine;
using corpus::MachineProduct;
using corpus::MachineRounding;

constexpr MachineRounding roundings[] = {MachineRounding::NearestEven, MachineRounding::NearestAway,
                                         MachineRounding::TowardZero, MachineRounding::Odd};

/// Products that join a sum are rounded by themselves: they were sums of one.
corpus::SummationTree with_rounded_joiners(const corpus::SummationTree& tree) {
  corpus::SummationTree changed = tree;
  changed.nodes.clear();
  std::vector<std::int64_t> now(to_size(tree.leaves));
  for (std::size_t leaf = 0; leaf < now.size(); ++leaf) now[leaf] = static_cast<std::int64_t>(leaf);
  const auto added = [&](corpus::TreeNode node) {
    changed.nodes.push_back(std::move(node));
    return tree.leaves + static_cast<std::int64_t>(changed.nodes.size()) - 1;
  };
  for (const corpus::TreeNode& node : tree.nodes) {
    corpus::TreeNode children;
    const bool has_sum =
        std::ranges::any_of(node, [&](std::int64_t child) { return child >= tree.leaves; });
    for (const std::int64_t child : node) {
      const std::int64_t part = now[to_size(child)];
      children.push_back(has_sum && child < tree.leaves ? added({part}) : part);
    }
    now.push_back(added(std::move(children)));
  }
  return changed;
}

}  // namespace

std::vector<GradientMachine> neighbours_of(const GradientMachine& machine) {
  std::vector<GradientMachine> all;
  const auto add = [&](auto change) {
    GradientMachine changed = machine;
    change(changed);
    if (!(changed == machine) && !corpus::impossibility(changed)) all.push_back(std::move(changed));
  };
  for (const auto product :
       {MachineProduct::Exact, MachineProduct::Fused, MachineProduct::Rounded}) {
    add([&](GradientMachine& m) { m.product = product; });
  }
  for (const MachineRounding rounding : roundings) {
    add([&](GradientMachine& m) { m.node.rounding = rounding; });
    add([&](GradientMachine& m) { m.operands.rounding = rounding; });
    add([&](GradientMachine& m) { m.output_rounding = rounding; });
  }
  for (const int bits : {-2, -1, 1, 2}) {
    add([&](GradientMachine& m) { m.node.accumulator_bits += bits; });
  }
  for (const std::optional<int> extra : {std::optional<int>{}, {0}, {1}, {2}, {3}, {4}}) {
    add([&](GradientMachine& m) { m.node.extra_bits = extra; });
    add([&](GradientMachine& m) {
      m.node.extra_bits = extra;
      m.node.rounding = MachineRounding::NearestEven;
    });
  }
  add([](GradientMachine& m) { m.order.counts_absent = !m.order.counts_absent; });
  if (machine.tree.family != corpus::TreeFamily::Explicit) return all;
  add([](GradientMachine& m) {
    for (auto& node : m.tree.nodes) std::ranges::reverse(node);
  });
  add([](GradientMachine& m) { m.tree = with_rounded_joiners(m.tree); });
  return all;
}

}  // namespace gradproof::cases
