#include "properties/findings/diagnosis/special_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <string_view>
#include <vector>

#include "corpus/element_values.h"
#include "oracle/geometry/geometry.h"
#include "oracle/numbers/number_format.h"
#include "oracle/operands/operands.h"
#include "properties/findings/diagnosis/fresh_runs.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::Case;
using oracle::Number;

/// Names a special value; empty for an ordinary number.
std::string_view special_name(oracle::NumberFormat format, const Number& number) {
  if (number.is_nan()) return "a NaN";
  if (number.is_infinite()) return number.negative ? "a negative infinity" : "an infinity";
  if (number.is_zero()) return number.negative ? "a negative zero" : "";
  const int leading = static_cast<int>(std::bit_width(number.significand)) - 1 + number.exponent;
  return leading < oracle::smallest_normal_exponent(format) ? "a subnormal number" : "";
}

/// "a NaN in input", each once.
std::vector<std::string> special_values_of(const Case& test_case) {
  std::vector<std::string> found;
  if (!test_case.data) return found;
  for (const auto role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(test_case, role);
    const auto format = tensor ? oracle::format_of(tensor->dtype) : std::nullopt;
    if (!format) continue;
    const auto count = corpus::element_count(tensor->shape).value_or(0);
    const auto numbers =
        oracle::decoded(*format, corpus::element_values(test_case, role), {1, 1, 1, 1, count});
    for (const Number& number : numbers.elements()) {
      const std::string_view name = special_name(*format, number);
      if (name.empty()) continue;
      auto words = fmt::format("{} in {}", name, corpus::name_of(test_case, role));
      if (std::ranges::find(found, words) == found.end()) found.push_back(std::move(words));
    }
  }
  return found;
}

}  // namespace

std::optional<std::string> special_values_needed(targets::Target& target, const Case& shrunk,
                                                 const cases::CheckSettings& settings) {
  const auto values = special_values_of(shrunk);
  if (values.empty()) return std::nullopt;
  const auto runs = fresh_runs(shrunk, std::nullopt, settings);
  const bool agrees = std::ranges::all_of(runs, [&](const Case& run) {
    return run.data && cases::check(target, run, settings).outcome == corpus::Outcome::Agree;
  });
  if (!agrees) return std::nullopt;
  return fmt::format("needs {} (ordinary values agree)", fmt::join(values, " and "));
}

}  // namespace gradproof::findings::diagnosis
