#pragma once

#include <string>
#include <vector>

namespace gradproof::advice {

/// Law from which the elements of a call's operands are drawn.
struct DataLaw {
  std::string words;           ///< "uniform on [-1, 1]"
  double largest = 0;          ///< magnitude
  std::vector<double> values;  ///< equally likely
};

DataLaw uniform_law(double low, double high);

/// Normal with mean 0. `largest` is what one value in 10^9 exceeds.
DataLaw normal_law(double deviation);

/// The law of numbers that there are, finite and at least one. `words` says where.
DataLaw law_of_values(std::vector<double> values, std::string words);

}  // namespace gradproof::advice
