#include "properties/runs/prove/proof_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/geometry/geometry.h"
#include "oracle/numbers/number_format.h"

namespace gradproof::runs {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;
using oracle::NumberFormat;

/// Partial sums are taken in FLOAT, which holds every integer up to 2^24.
constexpr std::int64_t largest_partial_sum = std::int64_t{1} << 24;
/// The assumption on a wrong kernel's work: at most so many times the products of the right one.
constexpr std::int64_t times_the_products = 2;

/// Every integer up to here is a number of the format, with both signs: a power of two.
std::int64_t integers_of(NumberFormat format) {
  int leading = 0;
  while (leading < 24 && oracle::unit_exponent(format, leading) <= 0) ++leading;
  return std::int64_t{1} << leading;
}

int width(std::int64_t positive) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(positive)));
}

/// Demand of a requested output on the data.
struct Demand {
  OutputRole role;
  std::int64_t products;  ///< of one term of each operand: |dy| |other| may be so large
  /// Bits of both together: with them the judge knows from the extents alone that all is exact.
  int bits;
};

/// The limits of a call: of each requested output, and of each operand.
struct Limits {
  std::vector<Demand> demands;
  std::int64_t operand = largest_partial_sum;
  std::int64_t result = largest_partial_sum;  ///< exact integers of all results
  std::int64_t longest = 1;                   ///< reduction
};

/// A result is rounded once or twice after the sum: an integer below 2^t stays as it is, and, since
/// rounding is monotonic, no other integer becomes it.
std::int64_t exact_result(const oracle::Arithmetic& way) {
  std::int64_t largest = integers_of(way.output);
  for (const NumberFormat format : way.roundings) largest = std::min(largest, integers_of(format));
  return std::min(largest, largest_partial_sum);
}

std::optional<Limits> limits_of(const Case& test_case, const oracle::JudgeSettings& settings) {
  const auto geometry = oracle::geometry_of(test_case);
  if (!geometry) return std::nullopt;
  Limits limits;
  for (const InputRole role : corpus::input_roles) {
    const auto format = oracle::format_of(corpus::tensor(test_case, role)->dtype);
    if (!format) return std::nullopt;
    limits.operand = std::min(limits.operand, integers_of(*format) - 1);
  }
  for (const OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(test_case, role)) continue;
    const auto ways = oracle::arithmetics(test_case, role, settings);
    if (ways.empty()) return std::nullopt;
    std::int64_t result = largest_partial_sum;
    for (const oracle::Arithmetic& way : ways) {  // all that are accepted must agree on these data
      if (way.operand_slack > 0) return std::nullopt;  // bits are not due then
      limits.operand = std::min(limits.operand, integers_of(way.operands) - 1);
      result = std::min(result, exact_result(way) - 1);
    }
    const std::int64_t sum = std::max<std::int64_t>(geometry->longest_sum(role), 1);
    const std::int64_t reduction = std::max<std::int64_t>(geometry->longest_reduction(role), 1);
    limits.demands.push_back(
        {role, std::min(result / sum, largest_partial_sum / times_the_products / reduction),
         width(largest_partial_sum - 1) - width(reduction)});
    limits.result = std::min(limits.result, result);
    limits.longest = std::max(limits.longest, reduction);
  }
  if (limits.demands.empty()) return std::nullopt;
  return limits;
}

InputRole partner_of(OutputRole role) {
  return role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input;
}

/// Schwartz and Zippel: D(y, w) = y' M w of an integer matrix M != 0 is 0 with at most this
/// probability. Proved: proofs/Chance.v, prove_misses and, of the number of runs, runs_suffice.
double missed_once(std::int64_t grad_output, std::int64_t other) {
  const auto values = [](std::int64_t magnitude) { return 2 * static_cast<double>(magnitude); };
  return 1 - (1 - 1 / values(grad_output)) * (1 - 1 / values(other));
}

std::uint64_t runs_for(double missed) {
  return static_cast<std::uint64_t>(std::floor(wanted_bits / -std::log2(missed))) + 1;
}

/// Operands all drawn, as large as the demands allow for this magnitude of gradOutput.
std::optional<ProofPlan> dense_plan(const Limits& limits, std::int64_t grad_output) {
  ProofPlan plan;
  plan.magnitudes[InputRole::GradOutput] = grad_output;
  double missed = 0;
  for (const Demand& demand : limits.demands) {
    if (demand.role == OutputRole::GradBias) {
      if (grad_output > demand.products || width(grad_output) + 1 > demand.bits) {
        return std::nullopt;
      }
      missed = std::max(missed, 1 / (2 * static_cast<double>(grad_output)));
      continue;
    }
    const int bits = demand.bits - width(grad_output);
    if (bits < 1) return std::nullopt;
    const std::int64_t other =
        std::min({demand.products / grad_output, limits.operand, (std::int64_t{1} << bits) - 1});
    if (other < 1) return std::nullopt;
    plan.magnitudes[partner_of(demand.role)] = other;
    missed = std::max(missed, missed_once(grad_output, other));
  }
  plan.runs = runs_for(missed);
  plan.bits = -std::log2(missed) * static_cast<double>(plan.runs);
  return plan;
}

/// The magnitude is best near the root of what the tightest product allows; where that is small,
/// its neighbours may be better.
std::optional<ProofPlan> best_dense_plan(const Limits& limits) {
  std::int64_t products = std::numeric_limits<std::int64_t>::max();
  bool multiplies = false;
  for (const Demand& demand : limits.demands) {
    products = std::min(products, demand.products);
    multiplies = multiplies || demand.role != OutputRole::GradBias;
  }
  const std::int64_t middle = std::max<std::int64_t>(
      multiplies ? static_cast<std::int64_t>(std::sqrt(static_cast<double>(products))) : products,
      1);
  std::optional<ProofPlan> best;
  const std::int64_t below = (std::int64_t{1} << (width(middle) - 1)) - 1;
  for (const std::int64_t one : {middle - 1, middle, middle + 1, below, below / 2}) {
    if (one < 1) continue;
    const auto plan = dense_plan(limits, std::min(one, limits.operand));
    if (plan && (!best || plan->runs < best->runs)) best = plan;
  }
  return best;
}

/// One element of gradOutput is +-1, the others 0: each result is 0 or one label of weight or
/// input.
std::optional<ProofPlan> one_hot_plan(const Limits& limits) {
  std::int64_t label = std::min(
      {limits.operand, limits.result, largest_partial_sum / times_the_products / limits.longest});
  for (const Demand& demand : limits.demands) {
    label = std::min(label, (std::int64_t{1} << std::max(demand.bits - 1, 0)) - 1);
  }
  if (label < 1) return std::nullopt;
  ProofPlan plan;
  plan.one_hot = true;
  plan.magnitudes[InputRole::Input] = plan.magnitudes[InputRole::Weight] = label;
  const double missed = 1 / (2 * static_cast<double>(label));
  plan.runs = runs_for(missed);
  plan.bits = -std::log2(missed) * static_cast<double>(plan.runs);
  return plan;
}

}  // namespace

std::uint64_t ProofPlan::all_runs(const Case& test_case) const {
  if (!one_hot) return runs;
  return runs * static_cast<std::uint64_t>(
                    corpus::element_count(test_case.grad_output->shape).value_or(0));
}

std::optional<ProofPlan> proof_plan(const Case& test_case, const oracle::JudgeSettings& settings,
                                    std::uint64_t most_runs) {
  const auto limits = limits_of(test_case, settings);
  if (!limits) return std::nullopt;
  std::optional<ProofPlan> best = best_dense_plan(*limits);
  // Dense data reach every product in each run; labels are for results of few bits.
  constexpr std::uint64_t few_runs = 9;
  if (best && best->runs <= std::min(few_runs, most_runs)) return best;
  for (const auto& plan : {std::exchange(best, std::nullopt), one_hot_plan(*limits)}) {
    if (!plan || plan->all_runs(test_case) > most_runs) continue;
    if (!best || plan->all_runs(test_case) < best->all_runs(test_case)) best = plan;
  }
  return best;
}

}  // namespace gradproof::runs
