#include "properties/advice/tensors/suspects.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/numbers/number_format.h"

namespace gradproof::advice {
namespace {

/// Steps of 10^-3 to 10^-8. Larger ones have units that ordinary integers are multiples of.
constexpr int least_digits = 3, most_digits = 8;
constexpr std::size_t least_values = 8, most_values = 4096;
/// So many units, or fewer, are in the largest value: with more, roundings look like multiples.
constexpr double most_units = 1 << 16;
/// Rounding of the step, of the difference and of the quotient to FLOAT.
constexpr double roundings = 0x1p-22;

/// Magnitudes that differ, ascending, none of them 0; empty where one is no finite number.
std::vector<double> magnitudes(const findings::diagnosis::Numbers& results) {
  std::vector<double> all;
  for (const oracle::Number& number : results.elements()) {
    if (!number.is_finite()) return {};
    if (!number.is_zero()) all.push_back(std::abs(oracle::to_double(number)));
    if (all.size() == most_values) break;
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool are_multiples(const std::vector<double>& values, double unit) {
  return std::ranges::all_of(values, [&](double value) {
    const double units = value / unit;
    return std::abs(units - std::round(units)) <= units * roundings;
  });
}

/// The largest unit of a step of so many digits that every value is a multiple of; 0: none.
double unit_of(const std::vector<double>& values, int digits) {
  const double odd = std::pow(5.0, digits);
  const double least = values.front() * (1 + roundings);
  double unit = std::ldexp(odd, static_cast<int>(std::floor(std::log2(least / odd))));
  for (; values.back() / unit <= most_units; unit /= 2) {
    if (are_multiples(values, unit)) return unit;
  }
  return 0;
}

}  // namespace

std::optional<std::string> told_by_finite_differences(const findings::diagnosis::Numbers& results) {
  const std::vector<double> values = magnitudes(results);
  if (values.size() < least_values) return std::nullopt;
  // The smallest step first: its units are multiples of the larger ones' units.
  for (int digits = most_digits; digits >= least_digits; --digits) {
    const double unit = unit_of(values, digits);
    if (unit == 0) continue;
    return fmt::format(
        "all are multiples of {:.3g}: an ulp over a step of 1e-{} or its double, so finite "
        "differences of FLOAT results, each off by about that much; they show no gradient wrong",
        unit, digits);
  }
  return std::nullopt;
}

}  // namespace gradproof::advice
