#include "properties/advice/tolerance/gradient_tolerance.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/error_bound.h"
#include "oracle/arithmetic/machine_scope.h"
#include "oracle/arithmetic/order_bound.h"
#include "oracle/geometry/geometry.h"
#include "oracle/geometry/workload.h"
#include "oracle/numbers/number_format.h"
#include "properties/advice/explain/change.h"
#include "properties/advice/tolerance/measured_output.h"
#include "properties/targets/session/phases.h"

namespace gradproof::advice {
namespace {

using corpus::Case;
using corpus::OutputRole;
using oracle::Arithmetic;

double share_of(double error, double bound) { return bound == 0 ? 0 : error / bound; }

/// The element's, of the only gradient that the run was asked for.
const MeasuredOutput* output_of(const std::vector<MeasuredOutput>& outputs, OutputRole role) {
  const auto found = std::ranges::find(outputs, role, &MeasuredOutput::role);
  return found == outputs.end() ? nullptr : &*found;
}

void add_opinions(const MeasuredOutput& output, WorstRun& run) {
  for (const PublishedTolerance& tolerance : published_tolerances()) {
    run.standards.push_back({tolerance.name, opinion_of(tolerance, output)});
  }
}

/// Runs the case on the target, where there is one.
void run_worst_case(OutputRole role, const ToleranceSettings& settings, WorstRun& run) {
  const Case& call = run.worst.call;
  const std::uint64_t macs = oracle::mac_count(call).value_or(settings.largest_run + 1);
  if (settings.target == nullptr) {
    run.not_run = "no target is loaded";
  } else if (macs > settings.largest_run) {
    run.not_run = fmt::format("{:.3g} multiply-accumulates; --max-macs allows more than {:.3g}",
                              static_cast<double>(macs), static_cast<double>(settings.largest_run));
  }
  if (!run.not_run.empty()) return;
  const corpus::Observation seen = settings.target->run_case(call, {});
  if (seen.failure || seen.unsupported || !targets::has_computed(seen)) {
    run.not_run = "the target did not compute it";
    return;
  }
  const auto outputs = measured_outputs(call, seen);
  const MeasuredOutput* output = output_of(outputs, role);
  const auto geometry = oracle::geometry_of(call);
  if (output == nullptr || !geometry) {
    run.not_run = "the target gave no result that can be read";
    return;
  }
  const std::size_t index = oracle::offset_of(geometry->shape(role), run.worst.at);
  const oracle::Number& computed = output->computed.at(index);
  if (!computed.is_finite()) {
    run.not_run = "the target's result is not finite";
    return;
  }
  run.reached = share_of(std::fabs(oracle::to_double(computed) - run.worst.exact), run.bound);
  add_opinions(*output, run);
}

/// One gradient of one call.
class Asked {
 public:
  Asked(const Case& test_case, const GradientComputation& computation, const Arithmetic& way,
        const ToleranceSettings& settings)
      : problem_(test_case),
        narrow_(narrow_call(test_case, computation.role)),
        computation_(computation),
        way_(way),
        settings_(settings) {}

  tl::expected<GradientTolerance, std::string> operator()() const {
    GradientTolerance result{.computation = computation_,
                             .scalar = computation_.tolerance(settings_.data.largest)};
    auto run = worst_run(narrow_, sequential_machine(role()), computation_.sum_bound);
    if (!run) return tl::unexpected(run.error());
    result.any_order = std::move(*run);
    const double scalar =
        result.scalar.absolute + result.scalar.relative * std::fabs(result.any_order.worst.exact);
    result.times_looser = share_of(scalar, result.any_order.bound);
    result.computation.typical = typical();
    if (settings_.machine == nullptr) return result;
    auto order = in_order();
    if (order) {
      result.order = std::move(*order);
    } else {
      result.no_order = order.error();
    }
    return result;
  }

 private:
  OutputRole role() const { return computation_.role; }

  /// Typical error in the machine's order, where it says how this call is added.
  std::optional<TypicalError> typical() const {
    const auto* machine =
        settings_.machine == nullptr ? nullptr : corpus::machine_of(*settings_.machine, role());
    const bool is_in_scope =
        machine != nullptr && !oracle::out_of_scope(*settings_.machine, *machine, problem_);
    return typical_error(problem_, computation_, settings_.judge, settings_.data,
                         is_in_scope ? machine : nullptr);
  }

  /// `sum_bound`: of the sum, as a share of the magnitudes of the converted products.
  tl::expected<WorstRun, std::string> worst_run(const Case& call,
                                                const corpus::GradientMachine& machine,
                                                double sum_bound) const {
    auto worst = worst_case(call, role(), machine, way_, settings_.data.largest);
    if (!worst) return tl::unexpected(worst.error());
    return finished(std::move(*worst), machine, sum_bound);
  }

  WorstRun finished(WorstCase worst, const corpus::GradientMachine& machine,
                    double sum_bound) const {
    WorstRun run{.worst = std::move(worst)};
    GradientComputation bounded = computation_;
    bounded.sum_bound = sum_bound;
    const auto tolerance = bounded.tolerance_of_element(run.worst.magnitude);
    run.bound = tolerance.absolute + tolerance.relative * std::fabs(run.worst.exact);
    if (const auto computed = computed_in_order(run.worst, machine, way_)) {
      run.reached_in_order = share_of(std::fabs(*computed - run.worst.exact), run.bound);
    }
    run_worst_case(role(), settings_, run);
    return run;
  }

  /// The case with the data of the order, and what the order says about its products.
  tl::expected<OrderTolerance, std::string> in_order() const {
    const auto* machine = corpus::machine_of(*settings_.machine, role());
    if (machine == nullptr) {
      return tl::unexpected(fmt::format("the machine says nothing of {}", name_of(role())));
    }
    if (const auto test_case = oracle::out_of_scope(*settings_.machine, *machine, problem_)) {
      return tl::unexpected(*test_case);
    }
    Case call = corpus::is_of_one_call(*machine) ? asked_for_this_alone() : narrow_;
    auto worst = worst_case(call, role(), *machine, way_, settings_.data.largest);
    if (!worst) return tl::unexpected(worst.error());
    const bool is_bias = role() == OutputRole::GradBias;
    const auto terms = oracle::OrderBound(*machine, way_, is_bias).terms(products_of(*worst));
    OrderTolerance result{.by_order = terms.by_depth, .roundings = terms.roundings};
    result.any_order = computation_.sum_bound * terms.magnitude;
    const double share = share_of(terms.by_depth, terms.magnitude);
    result.run = finished(std::move(*worst), *machine, share);
    return result;
  }

  std::vector<double> products_of(const WorstCase& worst) const {
    return converted_products(worst, role(), way_);
  }

  Case asked_for_this_alone() const {
    Case call = problem_;
    call.data.reset();
    call.expect.reset();
    call.output_mask = {role() == OutputRole::GradInput, role() == OutputRole::GradWeight,
                        role() == OutputRole::GradBias};
    return call;
  }

  const Case& problem_;
  Case narrow_;
  const GradientComputation& computation_;
  const Arithmetic& way_;
  const ToleranceSettings& settings_;
};

/// Errors: why there are no tolerances.
std::optional<std::string> refusal(const Case& test_case, const ToleranceSettings& settings) {
  if (test_case.api != corpus::Api::ConvolutionBackward) {
    return "tolerances are of calls of aclnnConvolutionBackward";
  }
  if (!may_succeed(test_case, settings.judge.profile)) {
    return "the call is not legal on " + test_case.soc + "; gradproof explain says why";
  }
  if (!(settings.data.largest >= 0x1p-20 && settings.data.largest <= 0x1p20)) {
    return fmt::format(
        "a largest magnitude of {} is outside of 2^-20 to 2^20, for which cases are "
        "constructed",
        settings.data.largest);
  }
  return std::nullopt;
}

}  // namespace

tl::expected<std::vector<GradientTolerance>, std::string> tolerances_of(
    const Case& test_case, const ToleranceSettings& settings) {
  if (const auto problem_found = refusal(test_case, settings)) {
    return tl::unexpected(*problem_found);
  }
  const auto computation = computation_of(test_case, settings.judge, nullptr);
  if (!computation || computation->gradients.empty()) {
    return tl::unexpected(std::string("nothing is multiplied: the problem is empty"));
  }
  std::vector<GradientTolerance> result;
  for (const GradientComputation& gradient : computation->gradients) {
    if (gradient.longest_sum < 1) continue;
    if (!std::isfinite(gradient.sum_bound)) {
      return tl::unexpected(fmt::format("{}: sums of {} products have no bound",
                                        name_of(gradient.role), gradient.longest_sum));
    }
    const auto ways = oracle::arithmetics(test_case, gradient.role, settings.judge);
    auto asked = Asked(test_case, gradient, ways.front(), settings)();
    if (!asked) return tl::unexpected(asked.error());
    result.push_back(std::move(*asked));
  }
  return result;
}

std::vector<Case> stored_cases(const Case& test_case,
                               const std::vector<GradientTolerance>& gradients) {
  std::vector<Case> cases;
  for (const GradientTolerance& gradient : gradients) {
    const WorstRun& run = gradient.order ? gradient.order->run : gradient.any_order;
    cases.push_back(run.worst.call);
    cases.back().id = fmt::format("{}-worst-{}", test_case.id.empty() ? "call" : test_case.id,
                                  name_of(gradient.computation.role));
  }
  return cases;
}

}  // namespace gradproof::advice
