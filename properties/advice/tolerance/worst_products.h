#pragma once

#include <cstddef>
#include <vector>

#include "corpus/machine/machine.h"
#include "oracle/arithmetic/arithmetic_model.h"

namespace gradproof::advice {

/// Products whose sum loses as much as the order of additions can lose, as powers of two and
/// numbers next to them; the largest is near 1. In the machine's order, most of them 0.
///
/// Construction: the product with the most additions above it is 1. Into each addition on its way
/// comes one product more that is lost whole: half a unit in the last place of the running sum,
/// which ties to even, or a little less than one unit where sums are cut. Where the result is
/// rounded to a shorter format, the next products make the sum a tie there as well.
struct WorstProducts {
  std::vector<double> values;
  std::size_t heavy = 0;  ///< the one that is 1
};

/// `arithmetic` has the roundings of the sum; `count` is at least 1.
WorstProducts worst_products(const corpus::GradientMachine& machine,
                             const oracle::Arithmetic& arithmetic, std::size_t count);

}  // namespace gradproof::advice
