#include "properties/runs/fingerprint/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "oracle/geometry/workload.h"
#include "properties/runs/fingerprint/model_fit.h"
#include "properties/runs/probes/arithmetic_probes.h"
#include "properties/runs/probes/tree_search.h"

namespace gradproof::runs {
namespace {

using MaybeProblem = std::optional<ProbeProblem>;

/// Results of the same bits, and of operands that are twice as large.
MaybeProblem look_at_values(Prober& prober, const cases::SitePlan& plan, std::string& reason) {
  const auto role = to_size(plan.role());
  const auto varied = to_size(plan.varied());
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
  Inquiry(Prober& prober, const FingerprintSettings& settings, const cases::SitePlan& plan)
      : prober_(prober),
        settings_(settings),
        plan_(plan),
        site_(plan.richest_site()),
        first_call_(prober.calls()) {
    found_.gradient = plan.role();
    found_.products = site_.products.size();
  }

  /// Errors: why it could not be ended; `found()` holds what was learned.
  MaybeProblem run() {
    if (site_.products.empty()) {
      found_.reason = "no element has any product";
      return std::nullopt;
    }
    if (auto problem = look_at_values(prober_, plan_, found_.reason)) return problem;
    if (!found_.reason.empty()) return std::nullopt;
    if (auto problem = look_at_tree()) return problem;
    if (!found_.reason.empty()) return std::nullopt;
    ModelFit fit(prober_, plan_, site_, settings_, is_reversed_);
    return fit.run(found_.tree, *found_.machine);
  }

  GradientFingerprint found() {
    if (found_.machine) found_.machine->evidence.calls = prober_.calls() - first_call_;
    return std::move(found_);
  }

 private:
  MaybeProblem look_at_tree() {
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
    corpus::GradientMachine machine = std::move(arithmetic->machine);
    machine.evidence.unexplained = std::move(arithmetic->remarks);
    machine.evidence.tree_hash = cases::hash_text(cases::hash_of(tree->tree));
    found_.machine = std::move(machine);
    is_reversed_ = arithmetic->second_place_first;
    return std::nullopt;
  }

  Prober& prober_;
  const FingerprintSettings& settings_;
  const cases::SitePlan& plan_;
  cases::Site site_;
  std::uint64_t first_call_;
  GradientFingerprint found_;
  bool is_reversed_ = false;
};

}  // namespace

bool Fingerprint::is_explained() const {
  return !ended_by && std::ranges::all_of(gradients, &GradientFingerprint::is_explained);
}

std::optional<std::string> cannot_be_asked(const corpus::Case& call) {
  const auto geometry = oracle::geometry_of(call);
  if (!geometry) return geometry.error();
  constexpr std::uint64_t most_macs = 1'000'000'000;  // of one of thousands of probes
  if (const auto macs = oracle::mac_count(call); !macs || *macs > most_macs) {
    return fmt::format("a gradient takes more than {} multiply-accumulates", most_macs);
  }
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

Fingerprint fingerprint_of(targets::Target& target, const corpus::Case& call,
                           const FingerprintSettings& settings, const std::atomic<bool>& stop) {
  Fingerprint fingerprint;
  fingerprint.machine.library = target.library().name();
  fingerprint.machine.soc = call.soc;
  fingerprint.machine.call = call;
  fingerprint.machine.call->data.reset();
  Prober prober(target, call, settings.calls, stop);
  const auto geometry = oracle::geometry_of(call);
  for (const corpus::OutputRole role : corpus::output_roles) {
    if (!geometry || !corpus::is_requested(call, role)) continue;
    const cases::SitePlan plan(*geometry, role);
    Inquiry inquiry(prober, settings, plan);
    fingerprint.ended_by = inquiry.run();
    fingerprint.gradients.push_back(inquiry.found());
    const auto& found = fingerprint.gradients.back();
    if (found.machine) fingerprint.machine.gradients.push_back(*found.machine);
    if (fingerprint.ended_by) break;
  }
  return fingerprint;
}

}  // namespace gradproof::runs
