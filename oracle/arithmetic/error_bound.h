#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/sums/dyadic.h"

namespace gradproof::oracle {

/// What the bound of one element is made of.
struct BoundTerms {
  std::uint64_t terms = 0;  ///< products that meet and are not zero
  double magnitude = 0;     ///< S, the sum of their absolute values
  double gamma = 0;         ///< the factor of S
  double underflow = 0;     ///< what may be lost below the normal range
  double total = 0;
};

/// The rigorous bound on |computed FLOAT sum - exact sum| of an inner product evaluated in any
/// order, before the output is rounded: gamma_n * S plus what underflow may cost.
///
/// n counts the roundings that one product can pass through. With K non-zero products these are one
/// for the product and K - 1 for additions; zero products cost nothing, since adding an exact zero
/// is exact; a product that fits FLOAT's significand is not rounded either.
/// Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1.
class ErrorBound {
 public:
  ErrorBound(Adder adder, const Arithmetic& arithmetic, bool is_bias);

  /// The largest number of roundings that the bound holds for: n * u < 1.
  bool is_defined(std::uint64_t terms) const;

  /// gamma_n, rounded upwards. `is_defined(terms)` must hold.
  Dyadic gamma(std::uint64_t terms) const;

  /// The whole bound, never less than the true one. `subnormal_magnitude`: upper bound on the
  /// magnitude of products with a subnormal operand, which a device may read as zero.
  Dyadic total(std::uint64_t terms, const Dyadic& magnitude, double subnormal_magnitude) const;

  /// A number that `total` certainly reaches, in doubles: for deciding most elements quickly.
  double certain(std::uint64_t terms, double magnitude) const;

  /// gamma_n and the whole bound in doubles, off by a few roundings: for figures, not for verdicts.
  double gamma_estimate(std::uint64_t terms) const;
  double estimate(std::uint64_t terms, double magnitude, double subnormal_magnitude) const;

  BoundTerms parts(std::uint64_t terms, const Dyadic& magnitude, double subnormal_magnitude) const;

  /// Whether the device may flush subnormal operands and results.
  bool may_flush() const { return adder_ != Adder::Ieee; }

 private:
  std::uint64_t roundings(std::uint64_t terms) const;
  Dyadic underflow(std::uint64_t terms, double subnormal_magnitude) const;

  Adder adder_;
  bool product_is_rounded_;
  double operand_slack_;
};

/// "2.4e-07 = gamma(n=4) 2.4e-07 * S 1 + underflow 5.6e-45"
std::string words(const BoundTerms& parts);

}  // namespace gradproof::oracle
