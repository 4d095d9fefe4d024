#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/machine/machine.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/numbers/dense.h"

namespace gradproof::advice {

/// A call with data that a correct kernel computes as wrongly as its bound allows, in one element.
struct WorstCase {
  corpus::Case call;   ///< with its data, complete
  oracle::Shape at{};  ///< the element, in N C D H W
  /// The element's factors as they are in memory, in the machine's order; of gradBias the second
  /// is 1. Zeros for products that meet padding and have a place.
  struct Factors {
    double grad_output = 0, other = 0;
  };
  std::vector<Factors> factors = {};
  double exact = 0;      ///< the sum of their products, to half a unit of double
  double magnitude = 0;  ///< the sum of their magnitudes
};

/// The machine that adds the products one after the other in FLOAT, each rounded before. No order
/// loses more: its worst case attains the bound that holds for every order.
corpus::GradientMachine sequential_machine(corpus::OutputRole role);

/// The worst case of one gradient of a legal call, whose magnitudes are at most `largest`, which is
/// from 2^-20 to 2^20. `call` is asked for this gradient alone (narrow_call). Errors: a sentence
/// (a sum too long, an explicit tree for another sum).
tl::expected<WorstCase, std::string> worst_case(const corpus::Case& call, corpus::OutputRole role,
                                                const corpus::GradientMachine& machine,
                                                const oracle::Arithmetic& arithmetic,
                                                double largest);

/// The products of the element as they are multiplied: operands converted. In the machine's order.
std::vector<double> converted_products(const WorstCase& worst, corpus::OutputRole role,
                                       const oracle::Arithmetic& arithmetic);

/// Result for the element by a kernel that adds in FLOAT in the machine's order; nullopt where
/// additions are not to nearest even with 24 bits.
std::optional<double> computed_in_order(const WorstCase& worst,
                                        const corpus::GradientMachine& machine,
                                        const oracle::Arithmetic& arithmetic);

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
