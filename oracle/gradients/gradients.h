#pragma once

#include <cstdint>
#include <limits>

#include "corpus/case.h"
#include "oracle/geometry/geometry.h"
#include "oracle/numbers/dense.h"
#include "oracle/numbers/number_format.h"
#include "oracle/sums/dyadic.h"

namespace gradproof::oracle {

/// Special value of one element under IEEE rules, from its products' non-finite operands.
struct Specials {
  bool has_nan = false;             ///< a NaN operand, or infinity times zero
  bool has_plus_infinity = false;   ///< a product is +infinity
  bool has_minus_infinity = false;  ///< a product is -infinity
  /// A non-finite operand would be multiplied with padding here. A device that pads with zeros does
  /// so, and gets NaN.
  bool meets_padding = false;

  bool any_product() const { return has_nan || has_plus_infinity || has_minus_infinity; }
  friend bool operator==(const Specials&, const Specials&) = default;
};

/// One gradient element, nothing rounded. Products with a non-finite operand are in `specials`
/// only, and do not count as terms.
/// Why K, s and S: the error bound of an inner product depends on nothing else (error_bound.h). s
/// is exact over Z[1/2], so that no order of summation has to be chosen.
struct ExactElement {
  Dyadic sum;        ///< s, the sum of the products
  Dyadic magnitude;  ///< S, the sum of their absolute values
  /// Contributing products that are neither zero nor special. A zero product adds nothing and
  /// rounds nothing, whatever the order of summation: x + 0 is x in every partial sum.
  std::uint64_t terms = 0;
  Specials specials;
  /// The part of S whose products have an operand below 2^small_below.
  int small_below = std::numeric_limits<int>::min();
  Dyadic small_magnitude = {};
};

/// The exact gradients, straight from the formulas of the API's documentation. Slow and plain: what
/// fast_gradients.h is compared with.
///
/// Shape: operands and results lifted to N C D H W; a bias gradient is (1, C, 1, 1, 1).
/// Source: aclnnConvolutionBackward, formulas for dL/dx, dL/dw and dL/db.
/// Cost: for each element all taps and channels of a group, padding included, and one GMP product
/// and two sums for each product that is not zero.
Dense<ExactElement> plain_grad_input(const Geometry& geometry, const Dense<Number>& grad_output,
                                     const Dense<Number>& weight);
Dense<ExactElement> plain_grad_weight(const Geometry& geometry, const Dense<Number>& grad_output,
                                      const Dense<Number>& input);
Dense<ExactElement> plain_grad_bias(const Dense<Number>& grad_output);

/// One element of any gradient, by the same formulas. `other` is weight or input; not read for
/// gradBias. `small_below` goes into the element.
ExactElement plain_element(const Geometry& geometry, corpus::OutputRole role,
                           const Dense<Number>& grad_output, const Dense<Number>& other,
                           const Shape& at, int small_below = std::numeric_limits<int>::min());

}  // namespace gradproof::oracle
