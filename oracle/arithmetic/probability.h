#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace gradproof::oracle {

/// P(a standard normal number exceeds x).
double normal_tail(double x);

double normal_density(double x);

/// The integral of normal_tail from x on.
double normal_tail_integral(double x);

/// The x that a standard normal number exceeds with this probability.
double normal_quantile(double probability);

/// Equally likely values that stand for a standard normal number, with mean 0 and variance 1.
std::vector<double> normal_values(std::size_t count);

/// log E exp(z e) for e uniform around 0: log(sinh(y) / y) with y = z sqrt(3 E e^2).
double log_of_uniform(double tilt, double mean_square);

/// log of a mean of exponentials, given their logs and weights that add up to 1.
class LogOfMean {
 public:
  void add(double log, double weight);
  double value() const;

 private:
  double largest_ = -std::numeric_limits<double>::infinity(), sum_ = 0;
};

}  // namespace gradproof::oracle
