#include "oracle/recipes/recipe_setting.h"

#include <array>
#include <cmath>

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {
namespace {

using corpus::InputRole;
using corpus::OutputRole;

/// [low, high], of binades.
struct Exponents {
  int low = 0, high = 0;
};

/// The binades of finite, normal operands: from the first one that has a fraction (HIFLOAT8 has
/// lower ones of powers of two alone) to that of the largest number.
Exponents operands_of(NumberFormat format) {
  const Format& stored = row(format);
  const auto* first = std::ranges::find_if(
      stored.binades, [](const Binades& binades) { return binades.fraction_bits > 0; });
  return {first->lowest_exponent, std::ilogb(stored.largest_finite)};
}

/// Exponents around the overflow (underflow) threshold: products of two significands in [1, 2)
/// range from safely inside to safely outside.
///
/// A product with the sum e of exponents lies in [2^e, 2^(e+2)). Overflow: with e = high - 2 it is
/// below 2^high, with e = high + 1 it is beyond every finite number. Underflow: with
/// e = smallest - 2 it is below the smallest positive number, with e = low it is normal.
Exponents products_at(Edge edge, NumberFormat result) {
  const Exponents normal = operands_of(result);
  if (edge == Edge::Overflow) return {normal.high - 2, normal.high + 1};
  return {smallest_exponent(result) - 2, normal.low};
}

/// The format with the least range among those that the result passes through.
/// By the largest exponent, which decides overflow. BF16 has that of FLOAT, which is then taken.
NumberFormat narrowest(const Arithmetic& arithmetic) {
  NumberFormat found = arithmetic.sums;
  for (const NumberFormat format : arithmetic.roundings) {
    if (operands_of(format).high < operands_of(found).high) found = format;
  }
  return found;
}

/// The nearest exponents that are possible; the result is never empty, since low <= high in both.
Exponents clipped(Exponents wanted, const Exponents& possible) {
  wanted.low = std::clamp(wanted.low, possible.low, possible.high);
  wanted.high = std::clamp(wanted.high, wanted.low, possible.high);
  return wanted;
}

Exponents possible_for(const corpus::Case& test_case, InputRole role, NumberFormat compute) {
  const auto stored = format_of(tensor(test_case, role)->dtype);
  const Exponents own = operands_of(stored.value_or(NumberFormat::Float));
  const Exponents computed = operands_of(compute);
  return {std::max(own.low, computed.low), std::min(own.high, computed.high)};
}

struct Plan {
  std::optional<InputRole> partner;  ///< none for gradBias
  Exponents products;
  NumberFormat compute;
};

std::optional<Plan> plan_of(Edge edge, const corpus::Case& test_case, OutputRole role,
                            std::optional<InputRole> partner) {
  if (!corpus::is_requested(test_case, role) || !tensor(test_case, role)) return std::nullopt;
  const auto ways = arithmetics(test_case, role, {});
  if (ways.empty()) return std::nullopt;
  return Plan{partner, products_at(edge, narrowest(ways.front())), ways.front().operands};
}

void set(corpus::TensorFill& fill, const Exponents& binades) {
  fill.exponent_low = binades.low;
  fill.exponent_high = binades.high;
}

}  // namespace

/// Exponents of products are sums of the operands' exponents: where they are to be in [low, high]
/// and gradOutput has the one exponent g, the partner gets [low - g, high - g].
/// The first gradient that is there decides gradOutput's exponent g: half of the way (g about e /
/// 2, the partner the rest), or, in a third of the seeds, the whole (g about e, the partner near
/// 0). Other gradients follow with their own partners; a sum of few terms stays within a few
/// binades of its products.
void move_to_edge(Edge edge, corpus::Case& test_case) {
  auto& recipe = *test_case.data;
  auto& fills = *recipe.fills;
  const std::array plans{
      plan_of(edge, test_case, OutputRole::GradInput, InputRole::Weight),
      plan_of(edge, test_case, OutputRole::GradWeight, InputRole::Input),
      plan_of(edge, test_case, OutputRole::GradBias, std::nullopt),
  };
  const auto* first =
      std::ranges::find_if(plans, [](const auto& plan) { return plan.has_value(); });
  if (first == plans.end()) return;
  const int middle = ((*first)->products.low + (*first)->products.high) / 2;
  const bool both_halves = (*first)->partner && recipe.seed % 3 != 0;
  const int exponent = both_halves ? middle / 2 : middle;
  const Exponents of_grad_output = clipped(
      {exponent, exponent}, possible_for(test_case, InputRole::GradOutput, (*first)->compute));
  set(fills[InputRole::GradOutput], of_grad_output);
  for (const auto& plan : plans) {
    if (!plan || !plan->partner) continue;
    const Exponents wanted{plan->products.low - of_grad_output.low,
                           plan->products.high - of_grad_output.low};
    set(fills[to_size(*plan->partner)],
        clipped(wanted, possible_for(test_case, *plan->partner, plan->compute)));
  }
}

}  // namespace gradproof::oracle
