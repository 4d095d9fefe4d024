#pragma once

#include <string>
#include <vector>

#include "bench/kernel_gradient.h"

namespace gradproof::bench {

/// One way to compute something, with the seconds that it took.
struct Contender {
  std::string name;
  Computation compute;
  int times_in_a_row = 1;
  std::vector<double> seconds;

  double median() const;  ///< NaN without a measurement
};

/// Measures `repeats` rounds of one measurement each, so that other load on the machine affects all
/// alike; those without a computation are removed. cpu_time: of this thread alone.
void measure(std::vector<Contender>& contenders, int repeats, bool cpu_time);

/// The median of the one of that name; NaN where there is none.
double median_of(const std::vector<Contender>& contenders, const std::string& name);

}  // namespace gradproof::bench
