#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <iterator>
#include <string_view>

#include "properties/advice/explain/typical_error.h"
#include "properties/advice/tolerance/gradient_tolerance.h"

namespace gradproof::advice {
namespace {

using Names = std::vector<std::string_view>;

std::string share_words(const WorstRun& run, const std::string& target) {
  std::string words;
  if (run.reached_in_order)
    words = fmt::format("{:.3f} of it, added in FLOAT", *run.reached_in_order);
  const std::string_view separator = words.empty() ? "" : "; ";
  if (run.reached) return words + fmt::format("{}{:.3f} by {}", separator, *run.reached, target);
  return words + fmt::format("{}not run: {}", separator, run.not_run);
}

/// "0.0015 * S + 0.0039 * |exact| + 3e-08": each term that there is.
std::string bound_words(const GradientComputation& gradient, double sum_bound) {
  GradientComputation bounded = gradient;
  bounded.sum_bound = sum_bound;
  const auto unit = bounded.tolerance_of_element(1);
  const double share = unit.absolute - gradient.smallest_step;
  std::string words = share > 0 ? fmt::format("{} * S", rounded_up(share)) : "0";
  if (unit.relative > 0) words += fmt::format(" + {} * |exact|", rounded_up(unit.relative));
  if (gradient.smallest_step > 0) words += fmt::format(" + {}", rounded_up(gradient.smallest_step));
  return words;
}

/// Describes the origins of the terms.
std::string term_words(const GradientComputation& gradient) {
  std::vector<std::string> terms;
  if (gradient.operand_rounding > 0) {
    terms.push_back(fmt::format("factors converted to {}: 2 * {:.2g}", gradient.operands,
                                gradient.operand_rounding));
  }
  terms.push_back(fmt::format(
      "{} added: {:.2g}", gradient.role == corpus::OutputRole::GradBias ? "elements" : "products",
      gradient.sum_bound));
  if (!gradient.roundings.empty()) {
    terms.push_back(fmt::format("then rounded to {}: {:.2g}", fmt::join(gradient.roundings, ", "),
                                gradient.output_rounding));
  }
  return fmt::format("{}", fmt::join(terms, "; "));
}

Names named(const WorstRun& run, Opinion opinion) {
  Names names;
  for (const StandardOpinion& standard : run.standards) {
    if (standard.opinion == opinion) names.push_back(standard.name);
  }
  return names;
}

std::string standards_words(const WorstRun& run) {
  const Names rejecting = named(run, Opinion::Rejects), accepting = named(run, Opinion::Accepts);
  return fmt::format(
      "    published tolerances, on this correct result\n      reject it: {}\n      accept it: "
      "{}\n",
      rejecting.empty() ? "none" : fmt::format("{}", fmt::join(rejecting, ", ")),
      accepting.empty() ? "none" : fmt::format("{}", fmt::join(accepting, ", ")));
}

std::string order_words(const GradientTolerance& gradient, const std::string& target) {
  if (!gradient.no_order.empty()) return fmt::format("    this machine  {}\n", gradient.no_order);
  if (!gradient.order) return {};
  const OrderTolerance& order = *gradient.order;
  return fmt::format(
      "    this machine  at most {} roundings on the way of a product; |sum - exact sum| <= {} in\n"
      "                  the element of its case, {:.3g} times less than in any order\n"
      "    its case      |result - exact| <= {}; reached {}\n",
      order.roundings, rounded_up(order.by_order), order.any_order / order.by_order,
      rounded_up(order.run.bound), share_words(order.run, target));
}

/// Returns a line with the tolerance that a test can use on such data, and what it means.
std::string line_to_paste(const GradientTolerance& gradient) {
  const auto& typical = gradient.computation.typical;
  if (!typical) {
    return "      no tolerance to paste: what is typical is not known of this arithmetic; "
           "gradproof judge\n"
           "      decides, and gradproof.limits gives each element's limit\n";
  }
  const auto rtol = rounded_up(typical->relative), atol = rounded_up(typical->absolute);
  return fmt::format(
      "    {2}, added in {6}\n"
      "      torch.testing.assert_close(result, exact, rtol={0}, atol={1})\n"
      "      numpy.testing.assert_allclose(result, exact, rtol={0}, atol={1})\n"
      "      fails a right kernel {3}{4} of random data; misses errors below {1}{5};\n"
      "      for a verdict on any data: gradproof judge, gradproof.limits\n",
      rtol, atol, typical_words(typical), typical->relative > 0 ? "less than " : "",
      typical_rate_words, typical->relative > 0 ? " + rtol * |exact|" : "",
      gradient.order ? "this machine's order" : "sequence (in other usual orders less)");
}

std::string gradient_words(const GradientTolerance& gradient, const ToleranceSettings& settings,
                           const std::string& target) {
  const GradientComputation& computation = gradient.computation;
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "  {} {}, sums of up to {} products\n", name_of(computation.role),
                 computation.shape, computation.longest_sum);
  fmt::format_to(out, "    any order     |result - exact| <= {}\n",
                 bound_words(computation, computation.sum_bound));
  fmt::format_to(out, "                  ({})\n", term_words(computation));
  if (!computation.in_tiles.empty()) {
    fmt::format_to(out, "    or in tiles   |result - exact| <= {}\n", computation.in_tiles);
  }
  if (!computation.in_released_tiles.empty()) {
    fmt::format_to(out,
                   "    or in tiles   the released library may compute it by {}, whose errors are "
                   "others: --profile released says their bound\n",
                   computation.in_released_tiles);
  }
  fmt::format_to(out, "    its case      |result - exact| <= {}; reached {}\n",
                 rounded_up(gradient.any_order.bound), share_words(gradient.any_order, target));
  text += order_words(gradient, target);
  fmt::format_to(out, "    on data {}: rtol {}, atol {} at worst{}\n", settings.data.words,
                 rounded_up(gradient.scalar.relative), rounded_up(gradient.scalar.absolute),
                 computation.in_tiles.empty()
                     ? fmt::format("; {:.3g} times looser than the bound of that element",
                                   gradient.times_looser)
                     : ", in tiles too");
  text += line_to_paste(gradient);
  const WorstRun& run = gradient.order ? gradient.order->run : gradient.any_order;
  if (!run.standards.empty()) text += standards_words(run);
  return text;
}

}  // namespace

std::string rounded_up(double value) {
  if (value == 0) return "0";
  const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(value))) - 2);
  std::string text = fmt::format("{:.3g}", value);
  if (std::stod(text) >= value) return text;
  return fmt::format("{:.3g}", value + unit / 2);
}

std::string tolerance_text(const corpus::Case& test_case,
                           const std::vector<GradientTolerance>& gradients,
                           const ToleranceSettings& settings) {
  const std::string target = settings.target == nullptr ? "" : settings.target->library().name();
  std::string text =
      fmt::format("{} on {}\n", test_case.id.empty() ? "call" : test_case.id, test_case.soc);
  for (const GradientTolerance& gradient : gradients) {
    text += gradient_words(gradient, settings, target);
  }
  return text +
         "  S is the element's sum of |a||b|, exact the gradient of the operands as they are in "
         "memory\n";
}

}  // namespace gradproof::advice
