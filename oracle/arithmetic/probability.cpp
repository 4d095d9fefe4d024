#include "oracle/arithmetic/probability.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gradproof::oracle {

double normal_tail(double x) { return std::erfc(x / std::numbers::sqrt2) / 2; }

double normal_density(double x) {
  return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

double normal_tail_integral(double x) { return normal_density(x) - x * normal_tail(x); }

double normal_quantile(double probability) {
  double low = -40, high = 40;
  for (int i = 0; i < 64; ++i) {
    const double middle = (low + high) / 2;
    (normal_tail(middle) > probability ? low : high) = middle;
  }
  return low;
}

std::vector<double> normal_values(std::size_t count) {
  std::vector<double> values;
  double squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double above = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    values.push_back(normal_quantile(above));
    squares += values.back() * values.back();
  }
  for (double& value : values) value /= std::sqrt(squares / static_cast<double>(count));
  return values;
}

double log_of_uniform(double tilt, double mean_square) {
  const double y = tilt * std::sqrt(3 * mean_square);
  if (y < 1e-2) return y * y / 6;
  return y + std::log(-std::expm1(-2 * y) / (2 * y));
}

void LogOfMean::add(double log, double weight) {
  if (log > largest_) sum_ *= std::exp(largest_ - log);
  largest_ = std::max(largest_, log);
  if (std::isfinite(largest_)) sum_ += weight * std::exp(log - largest_);
}

double LogOfMean::value() const {
  return std::isfinite(largest_) ? largest_ + std::log(sum_) : largest_;
}

}  // namespace gradproof::oracle
