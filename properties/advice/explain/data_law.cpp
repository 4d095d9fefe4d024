#include "properties/advice/explain/typical_error.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "oracle/arithmetic/probability.h"

namespace gradproof::advice {
namespace {

/// Values that stand for a law: its mean square is off by less than one in a thousand, where it is
/// uniform.
constexpr std::size_t value_count = 32;

/// Position of the i-th of them: in the middle of its share.
double middle(std::size_t i, std::size_t count) {
  return (static_cast<double>(i) + 0.5) / static_cast<double>(count);
}

}  // namespace

DataLaw uniform_law(double low, double high) {
  DataLaw law{
      fmt::format("uniform on [{}, {}]", low, high), std::max(std::fabs(low), std::fabs(high)), {}};
  for (std::size_t i = 0; i < value_count; ++i) {
    law.values.push_back(low + (high - low) * middle(i, value_count));
  }
  return law;
}

DataLaw normal_law(double deviation) {
  constexpr double rare = 1e-9;
  DataLaw law{fmt::format("normal with standard deviation {}", deviation),
              deviation * oracle::normal_quantile(rare / 2),
              {}};
  for (const double value : oracle::normal_values(value_count)) {
    law.values.push_back(deviation * value);
  }
  return law;
}

DataLaw law_of_values(std::vector<double> values, std::string words) {
  DataLaw law{std::move(words), 0, {}};
  std::ranges::sort(values);
  law.largest = std::max(std::fabs(values.front()), std::fabs(values.back()));
  const std::size_t count = std::min(values.size(), value_count);
  for (std::size_t i = 0; i < count; ++i) {
    law.values.push_back(values[(2 * i + 1) * values.size() / (2 * count)]);
  }
  return law;
}

}  // namespace gradproof::advice
