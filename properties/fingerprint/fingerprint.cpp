#include "properties/fingerprint/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "properties/fingerprint/arithmetic_probes.h"
#include "properties/fingerprint/prediction.h"
#include "properties/fingerprint/tree_search.h"
#include "properties/machines/family_fit.h"
#include "properties/machines/neighbours.h"

namespace gradproof::properties {
namespace {

using corpus::GradientMachine;
using corpus::OutputRole;
using Problem = std::optional<ProbeProblem>;

/// Results of the same bits, and of operands that are twice as large.
Problem look_at_values(Prober& prober, const SitePlan& plan, std::string& reason) {
  const auto role = static_cast<std::size_t>(plan.role());
  const auto varied = static_cast<std::size_t>(plan.varied());
  const Operands operands = random_operands(prober, 0);
  const auto first = prober.run(operands);
  if (!first) return first.error();
  for (int again = 0; again < 2; ++again) {
    const auto repeated = prober.run(operands);
    if (!repeated) return repeated.error();
    if ((*repeated)[role] != (*first)[role]) {
      reason = "it is not deterministic: equal calls have different bits";
      return std::nullopt;
    }
  }
  for (const double factor : {2.0, -1.0}) {
    Operands scaled = operands;
    for (double& value : scaled[varied]) value *= factor;
    const auto seen = prober.run(scaled);
    if (!seen) return seen.error();
    const auto dtype = corpus::tensor(prober.call(), plan.role())->dtype;
    const std::size_t count = (*seen)[role].size() / corpus::size_bytes(dtype);
    for (std::size_t i = 0; i < count; ++i) {
      const double plain = element_value((*first)[role], dtype, i);
      constexpr double surely_normal = 0x1p-12;  // twice as large, FLOAT16 rounds it elsewhere
      if (std::fabs(plain) < surely_normal || !std::isfinite(factor * plain)) continue;
      if (element_value((*seen)[role], dtype, i) == factor * plain) continue;
      reason = fmt::format(
          "it depends on values in another way than rounding to nearest or toward zero does: "
          "operands times {} do not give results times {}",
          factor, factor);
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// One gradient, from the first question to the last prediction.
class Inquiry {
 public:
  Inquiry(Prober& prober, const FingerprintSettings& settings, const SitePlan& plan)
      : prober_(prober),
        settings_(settings),
        plan_(plan),
        site_(plan.richest_site()),
        first_call_(prober.calls()) {
    found_.gradient = plan.role();
    found_.products = site_.products.size();
  }

  /// Errors: why it could not be ended; `found()` holds what was learned.
  Problem run() {
    if (site_.products.empty()) {
      found_.reason = "no element has any product";
      return std::nullopt;
    }
    if (auto problem = look_at_values(prober_, plan_, found_.reason)) return problem;
    if (!found_.reason.empty()) return std::nullopt;
    if (auto problem = look_at_tree()) return problem;
    if (!found_.reason.empty()) return std::nullopt;
    return predict();
  }

  GradientFingerprint found() {
    if (found_.machine) found_.machine->evidence.calls = prober_.calls() - first_call_;
    return std::move(found_);
  }

 private:
  Problem look_at_tree() {
    const std::uint64_t before = prober_.calls();
    const auto tree = find_tree(prober_, plan_, site_);
    if (!tree) return tree.error();
    found_.tree_calls = prober_.calls() - before;
    found_.pairs = tree->pairs;
    if (!tree->contradiction.empty()) {
      found_.reason = "no tree of additions explains it: " + tree->contradiction;
      return std::nullopt;
    }
    found_.tree = tree->tree;
    auto arithmetic = find_arithmetic(prober_, plan_, site_, tree->tree);
    if (!arithmetic) return arithmetic.error();
    GradientMachine machine = std::move(arithmetic->machine);
    machine.evidence.unexplained = std::move(arithmetic->remarks);
    machine.evidence.tree_hash = hash_text(hash_of(tree->tree));
    place_tree(machine, tree->tree, arithmetic->second_place_first);
    found_.machine = std::move(machine);
    return std::nullopt;
  }

  void place_tree(GradientMachine& machine, const AdditionTree& measured, bool is_reversed) {
    explicit_ = explicit_tree(measured);
    if (is_reversed) {
      for (auto& node : explicit_.nodes) std::ranges::sort(node, std::greater<>());
    } else {
      for (auto& node : explicit_.nodes) std::ranges::sort(node);
    }
    if (machine.product == corpus::MachineProduct::Fused) order_children();
    const auto fitted = fitted_family(measured, plan_.role(), plan_.lengths());
    machine.tree = fitted ? fitted->tree : explicit_;
    if (fitted) machine.order = fitted->order;
  }

  /// Sums come before the products that are added to them. (Clang 14 lacks that of ranges.)
  void order_children() {
    for (auto& node : explicit_.nodes) {
      const auto is_sum = [&](std::int64_t child) { return child >= explicit_.leaves; };
      std::stable_partition(node.begin(), node.end(), is_sum);
    }
  }

  Problem predict() {
    if (auto problem = draw_runs()) return problem;
    Predictor predictor(plan_, prober_.call(), site_);
    GradientMachine& machine = *found_.machine;
    Prediction prediction = predictor.of(Model(machine), runs_, settings_.predictions);
    if (prediction.missed > 0) prediction = mend(predictor, prediction);
    machine.evidence.predicted = prediction.compared;
    machine.evidence.missed = prediction.missed;
    if (prediction.compared == 0) {
      machine.evidence.unexplained.push_back("No random result lies in the range of the model.");
    }
    if (machine.tree.family == corpus::TreeFamily::Explicit) say_scope(prediction);
    return prediction.missed == 0 ? std::nullopt : explain(predictor, prediction);
  }

  void say_scope(const Prediction& prediction) {
    if (prediction.not_compared == 0) return;
    found_.machine->evidence.unexplained.push_back(
        fmt::format("The tree is of no known family, and {} results at positions with other "
                    "products were not predicted.",
                    prediction.not_compared));
  }

  Problem draw_runs() {
    const auto role = static_cast<std::size_t>(plan_.role());
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

  /// The best of the neighbours, step by step; then, for the measured positions alone, the measured
  /// tree instead of its family.
  Prediction mend(Predictor& predictor, Prediction prediction) {
    prediction = best_neighbour(predictor, prediction);
    if (prediction.missed == 0) return prediction;
    GradientMachine family = *found_.machine;
    if (family.tree.family == corpus::TreeFamily::Explicit) return prediction;
    found_.machine->tree = explicit_;
    found_.machine->order = {};
    Prediction measured = predictor.of(Model(*found_.machine), runs_, settings_.predictions);
    if (measured.missed > 0) measured = best_neighbour(predictor, measured);
    if (measured.missed == 0 && measured.compared > 0) return measured;
    *found_.machine = std::move(family);
    return prediction;
  }

  Prediction best_neighbour(Predictor& predictor, Prediction prediction) {
    std::uint64_t most = std::min(settings_.predictions, tried_on);
    const bool is_seen_early =
        predictor.of(Model(*found_.machine), runs_, most).missed >= enough_misses;
    if (!is_seen_early) most = settings_.predictions;
    for (int step = 0; step < most_steps && prediction.missed > 0; ++step) {
      std::uint64_t least = predictor.of(Model(*found_.machine), runs_, most).missed;
      std::optional<GradientMachine> best;
      for (GradientMachine& neighbour : neighbours_of(*found_.machine)) {
        const Prediction tried = predictor.of(Model(neighbour), runs_, most);
        if (tried.compared == 0 || tried.missed >= least) continue;
        least = tried.missed;
        best = std::move(neighbour);
      }
      if (!best) break;
      found_.machine = std::move(best);
      prediction = predictor.of(Model(*found_.machine), runs_, settings_.predictions);
    }
    return prediction;
  }

  Problem explain(Predictor& predictor, const Prediction& prediction) {
    const oracle::Shape at = prediction.misses.front();
    const Model model(*found_.machine);
    const auto run = std::ranges::find_if(
        runs_, [&](const RandomRun& each) { return predictor.misses(model, each, at); });
    if (run == runs_.end()) return std::nullopt;
    const auto miss = predictor.shrunk(prober_, model, *run, at);
    if (!miss) return miss.error();
    found_.machine->evidence.unexplained.push_back(fmt::format(
        "{} of {} random results are not as predicted ({} of them at the measured position). The "
        "smallest sum that shows it, in the element ({}): {}; predicted {:a}, computed {:a}.",
        prediction.missed, prediction.compared, prediction.missed_alike, fmt::join(at, ", "),
        fmt::join(miss->products, ", "), miss->predicted, miss->computed));
    return std::nullopt;
  }

  static constexpr std::uint64_t least_runs = 5;  // each kind of random operands
  static constexpr std::uint64_t tried_on = 500;  // where misses are frequent
  static constexpr std::uint64_t enough_misses = 20;
  static constexpr int most_steps = 4;

  Prober& prober_;
  const FingerprintSettings& settings_;
  const SitePlan& plan_;
  Site site_;
  std::uint64_t first_call_;
  GradientFingerprint found_;
  corpus::SummationTree explicit_;
  std::vector<RandomRun> runs_;
};

}  // namespace

bool Fingerprint::is_explained() const {
  return !ended_by && std::ranges::all_of(gradients, &GradientFingerprint::is_explained);
}

std::optional<std::string> cannot_be_asked(const corpus::Case& call) {
  const auto geometry = oracle::geometry_of(call);
  if (!geometry) return geometry.error();
  const auto check =
      [](const char* what,
         const std::optional<corpus::TensorCase>& tensor) -> std::optional<std::string> {
    if (!tensor) return std::nullopt;
    if (!corpus::is_wide_float(tensor->dtype)) {
      return fmt::format(
          "{} is {}; probes need FLOAT, FLOAT16 or BF16, whose range holds a mark "
          "that swallows ones",
          what, corpus::name_of(tensor->dtype));
    }
    if (tensor->format != corpus::plain_format(tensor->shape.size()) &&
        tensor->format != corpus::Format::Nd) {
      return fmt::format("{} has the format {}; probes need channels second", what,
                         corpus::name_of(tensor->format));
    }
    return std::nullopt;
  };
  for (const auto role : corpus::input_roles) {
    if (auto problem = check(corpus::name_of(role).data(), corpus::tensor(call, role))) {
      return problem;
    }
  }
  for (const auto role : corpus::output_roles) {
    if (auto problem = check(corpus::name_of(role).data(), corpus::tensor(call, role))) {
      return problem;
    }
  }
  return std::nullopt;
}

Fingerprint fingerprint_of(Target& target, const corpus::Case& call,
                           const FingerprintSettings& settings, const std::atomic<bool>& stop) {
  Fingerprint fingerprint;
  fingerprint.machine.library = target.library().name();
  fingerprint.machine.soc = call.soc;
  fingerprint.machine.call = call;
  fingerprint.machine.call->data.reset();
  Prober prober(target, call, settings.calls, stop);
  const auto geometry = oracle::geometry_of(call);
  for (const OutputRole role : corpus::output_roles) {
    if (!geometry || !corpus::is_requested(call, role)) continue;
    const SitePlan plan(*geometry, role);
    Inquiry inquiry(prober, settings, plan);
    fingerprint.ended_by = inquiry.run();
    fingerprint.gradients.push_back(inquiry.found());
    const auto& found = fingerprint.gradients.back();
    if (found.machine) fingerprint.machine.gradients.push_back(*found.machine);
    if (fingerprint.ended_by) break;
  }
  return fingerprint;
}

}  // namespace gradproof::properties
