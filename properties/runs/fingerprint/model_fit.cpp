#include "properties/runs/fingerprint/model_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "corpus/machine/machine.h"
#include "properties/cases/machines/model.h"
#include "properties/runs/probes/tree_search.h"

namespace gradproof::runs {
namespace {

using corpus::GradientMachine;
using corpus::MachineProduct;
using corpus::MachineRounding;
using corpus::OtherTree;
using corpus::SummationTree;

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

/// Machines that differ from this one in one thing that probes can mistake: the product, a
/// rounding, a bit, the order of children, products that padding leaves out.
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

/// True if they differ in trees and orders alone.
bool has_arithmetic_of(GradientMachine one, const GradientMachine& other) {
  one.tree = other.tree;
  one.order = other.order;
  one.elsewhere = other.elsewhere;
  return one == other;
}

/// A tree, its neighbours while the arithmetic stays, and theirs.
std::vector<OtherTree> variants_of(const OtherTree& tree, GradientMachine machine) {
  constexpr std::size_t most = 12;
  std::vector<OtherTree> variants{tree};
  for (std::size_t i = 0; i < variants.size(); ++i) {
    machine.tree = variants[i].tree;
    machine.order = variants[i].order;
    for (const GradientMachine& neighbour : neighbours_of(machine)) {
      OtherTree variant{tree.positions, neighbour.tree, neighbour.order};
      const bool is_new = std::ranges::find(variants, variant) == variants.end();
      if (!has_arithmetic_of(neighbour, machine) || !is_new || variants.size() == most) continue;
      variants.push_back(std::move(variant));
    }
  }
  return variants;
}

/// Rank of a prediction, less is better. Misses count most where the arithmetic was probed.
auto rank(const Prediction& prediction) {
  return std::tuple(prediction.missed_here, prediction.missed, prediction.open.size());
}

}  // namespace

/// Orders the tree's children. The first product of a pair may be rounded, and sums come before the
/// products that are added to them. (Clang 14 lacks the partition of ranges.)
SummationTree ModelFit::ordered(const cases::AdditionTree& measured,
                                corpus::MachineProduct product) const {
  SummationTree tree = cases::explicit_tree(measured);
  for (auto& node : tree.nodes) {
    std::ranges::sort(node);
    if (is_reversed_) std::ranges::reverse(node);
    if (product != corpus::MachineProduct::Fused) continue;
    std::stable_partition(node.begin(), node.end(),
                          [&](std::int64_t child) { return child >= tree.leaves; });
  }
  return tree;
}

Prediction ModelFit::predict(const GradientMachine& machine) {
  return predictor_.predict(cases::Model(machine), runs_, settings_.predictions);
}

std::optional<ProbeProblem> ModelFit::run(const cases::AdditionTree& measured,
                                          GradientMachine& machine) {
  const SummationTree as_measured = ordered(measured, machine.product);
  const auto fitted = cases::fitted_family(measured, plan_.role(), plan_.lengths());
  machine.tree = fitted ? fitted->tree : as_measured;
  if (fitted) machine.order = fitted->order;
  if (auto problem = draw_runs()) return problem;
  mend(machine, as_measured);
  if (auto problem = look_elsewhere(machine)) return problem;
  const Prediction prediction = predict(machine);
  machine.evidence.predicted = prediction.compared;
  machine.evidence.missed = prediction.missed;
  auto& unexplained = machine.evidence.unexplained;
  if (prediction.compared == 0) {
    unexplained.push_back("No random result lies in the range of the model.");
  }
  if (prediction.not_compared > 0) {
    unexplained.push_back(fmt::format(
        "{} random results at {} positions were not predicted: these have trees of their own, {}.",
        prediction.not_compared, prediction.open.size(),
        is_out_of_calls_ ? "and a quarter of --cases was not enough for all of them"
                         : "which none that was measured there explains"));
  }
  return prediction.missed == 0 ? std::nullopt : explain(machine, prediction);
}

std::optional<ProbeProblem> ModelFit::draw_runs() {
  constexpr std::uint64_t least_runs = 5;  // each kind of random operands
  const auto role = to_size(plan_.role());
  const std::uint64_t elements = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(oracle::element_count(plan_.geometry().shape(plan_.role()))));
  const std::uint64_t calls =
      std::max<std::uint64_t>(least_runs, (settings_.predictions + elements - 1) / elements);
  for (std::uint64_t i = 0; i < calls; ++i) {
    RandomRun run{random_operands(prober_, settings_.seed + i), {}};
    auto outputs = prober_.run(run.operands);
    if (!outputs) return outputs.error();
    run.result = std::move((*outputs)[role]);
    runs_.push_back(std::move(run));
  }
  return std::nullopt;
}

void ModelFit::mend(GradientMachine& machine, const SummationTree& measured) {
  const Prediction now = predict(machine);
  if (now.missed == 0) return;
  GradientMachine as_listed = machine;
  as_listed.tree = measured;
  as_listed.order = {};
  for (const GradientMachine& start : {machine, as_listed}) {
    GradientMachine mended = best_neighbour(start);
    const Prediction prediction = predict(mended);
    const bool is_free_of_misses = prediction.missed == 0 && prediction.compared > 0;
    if (is_free_of_misses || (prediction.missed_here == 0 && has_arithmetic_of(mended, machine))) {
      machine = std::move(mended);
      return;
    }
  }
}

GradientMachine ModelFit::best_neighbour(GradientMachine machine) {
  constexpr std::uint64_t tried_on = 500;  // where misses are frequent
  constexpr std::uint64_t enough_misses = 20;
  constexpr int most_steps = 4;
  std::uint64_t most = std::min(settings_.predictions, tried_on);
  if (predictor_.predict(cases::Model(machine), runs_, most).missed < enough_misses) {
    most = settings_.predictions;
  }
  for (int step = 0; step < most_steps; ++step) {
    auto least = rank(predictor_.predict(cases::Model(machine), runs_, most));
    if (std::get<1>(least) == 0) break;
    std::optional<GradientMachine> best;
    for (GradientMachine& neighbour : neighbours_of(machine)) {
      const Prediction tried = predictor_.predict(cases::Model(neighbour), runs_, most);
      if (tried.compared == 0 || rank(tried) >= least) continue;
      least = rank(tried);
      best = std::move(neighbour);
    }
    if (!best) break;
    machine = std::move(*best);
  }
  return machine;
}

std::optional<ProbeProblem> ModelFit::look_elsewhere(GradientMachine& machine) {
  constexpr std::uint64_t most_trees = 64, share_of_calls = 4;
  const std::uint64_t most_calls = prober_.calls() + settings_.calls / share_of_calls;
  std::set<Position> given_up;
  for (std::uint64_t tries = 0; tries < most_trees; ++tries) {
    std::set<Position> open = predict(machine).open;
    for (const Position& position : given_up) open.erase(position);
    is_out_of_calls_ = !open.empty() && prober_.calls() >= most_calls;
    if (open.empty() || is_out_of_calls_) break;
    const Position position = *open.begin();
    if (auto problem = measure(position, open, machine)) return problem;
    given_up.insert(position);
  }
  return std::nullopt;
}

/// Adds the tree of this position, if it predicts it, for all open ones that it predicts.
std::optional<ProbeProblem> ModelFit::measure(const Position& position,
                                              const std::set<Position>& open,
                                              GradientMachine& machine) {
  const auto site_of = [&](const Position& at) {
    return plan_.site_at({0, 0, at[0], at[1], at[2]});
  };
  const cases::Site site = site_of(position);
  const auto tree = find_tree(prober_, plan_, site);
  if (!tree) return tree.error();
  if (!tree->contradiction.empty()) return std::nullopt;
  std::vector<OtherTree> candidates;
  if (const auto fitted = cases::fitted_family(tree->tree, plan_.role(), plan_.lengths())) {
    candidates = variants_of({{}, fitted->tree, fitted->order}, machine);
  }
  std::ranges::move(variants_of({{}, ordered(tree->tree, machine.product), {}}, machine),
                    std::back_inserter(candidates));
  for (OtherTree& candidate : candidates) {
    const bool is_explicit = candidate.tree.family == corpus::TreeFamily::Explicit;
    candidate.positions = {position};
    for (const Position& other : open) {
      const bool can_hold = !is_explicit || site_of(other).numbers() == site.numbers();
      if (other != position && can_hold) candidate.positions.push_back(other);
    }
    GradientMachine tried = machine;
    tried.elsewhere.push_back(candidate);
    const auto left = predict(tried).open;
    if (left.contains(position)) continue;
    std::erase_if(tried.elsewhere.back().positions,
                  [&](const Position& other) { return left.contains(other); });
    machine = std::move(tried);
    break;
  }
  return std::nullopt;
}

std::optional<ProbeProblem> ModelFit::explain(GradientMachine& machine,
                                              const Prediction& prediction) {
  const oracle::Shape at = prediction.misses.front();
  const cases::Model model(machine);
  const auto run = std::ranges::find_if(
      runs_, [&](const RandomRun& each) { return predictor_.misses(model, each, at); });
  if (run == runs_.end()) return std::nullopt;
  const auto miss = predictor_.shrunk(prober_, model, *run, at);
  if (!miss) return miss.error();
  machine.evidence.unexplained.push_back(fmt::format(
      "{} of {} random results are not as predicted ({} of them at the measured position). The "
      "smallest sum that shows it, in the element ({}): {}; predicted {:a}, computed {:a}.",
      prediction.missed, prediction.compared, prediction.missed_here, fmt::join(at, ", "),
      fmt::join(miss->products, ", "), miss->predicted, miss->computed));
  return std::nullopt;
}

}  // namespace gradproof::runs
