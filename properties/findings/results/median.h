#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gradproof::findings {

/// The value in the middle, or the mean of the two there; 0 of none.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace gradproof::findings
