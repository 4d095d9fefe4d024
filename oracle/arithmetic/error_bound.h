#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/sums/dyadic.h"

namespace gradproof::oracle {

/// Parts of the bound of one element: total = gamma * magnitude + underflow, in doubles.
/// Units: `magnitude`, `underflow` and `total` those of the gradient, `gamma` none. Rounded to
/// double, for messages.
struct BoundTerms {
  std::uint64_t terms = 0;  ///< K: contributing products that are not zero
  double magnitude = 0;     ///< S, the sum of their absolute values
  double gamma = 0;         ///< the factor of S
  double underflow = 0;     ///< what may be lost below the normal range
  double total = 0;
};

/// The rigorous bound on |computed sum - exact sum| of an inner product evaluated in FLOAT, or in
/// DOUBLE, in any order, before the output is rounded: gamma_n * S plus what underflow may cost.
///
/// Theorem. With s = sum of a_i b_i, S = sum of |a_i b_i| and an arithmetic whose operations give
/// (x op y)(1 + d), |d| <= u, every order and every parenthesisation gives a computed sum with
///   |computed - s| <= gamma_n S,  gamma_n = n u / (1 - n u),  n u < 1,
/// where n is the largest number of roundings that one product passes through: a product with n
/// factors (1 + d) is off by a factor 1 + t with |t| <= gamma_n.
///
/// n: with K non-zero products it is one for the product and at most K - 1 for additions, however
/// the sum is split over cores, blocks or atomics. Zero products cost nothing, since adding an
/// exact zero is exact; a product that fits FLOAT's significand is not rounded either. A fused
/// multiply-add rounds a product and an addition once, which is fewer.
///
/// Blocked sums have smaller bounds (P. Blanchard, N. J. Higham and T. Mary, A class of fast and
/// accurate summation algorithms, SIAM J. Sci. Comput. 42, 2020), but the order of the target is
/// unknown. The sharper n u of C.-P. Jeannerod and S. M. Rump (Improved error bounds for inner
/// products in floating-point arithmetic, SIAM J. Matrix Anal. Appl. 34, 2013) needs rounding to
/// nearest, which not every target guarantees.
/// Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1,
/// lemma 3.1 and (3.2) to (3.5).
/// That orders do not matter: an evaluation is a binary tree whose leaves are the K products. The
/// path of a leaf to the root has at most K - 1 additions, so its product is multiplied by at most
/// K - 1 factors (1 + d), and the computed sum is sum of a_i b_i (1 + t_i) with |t_i| <= gamma_n.
/// The triangle inequality then gives the theorem. Pairwise sums have paths of about log2 K
/// additions, and are included.
/// Units: those of the products. Precondition: no operation overflows; ElementJudge::may_overflow
/// looks for that.
class ErrorBound {
 public:
  /// `is_bias`: gradBias adds elements without multiplying them, so that no product is rounded.
  ErrorBound(Adder adder, const Arithmetic& arithmetic, bool is_bias);

  /// True if a sum of `terms` products has a bound: n * u < 1. For u = 2^-24: up to 2^24 - 1
  /// roundings; in DOUBLE 2^53 - 1.
  bool is_defined(std::uint64_t terms) const;

  /// gamma_n, rounded upwards, so that the bound stays one. `is_defined(terms)` must hold. With
  /// operands that were rounded in an unknown direction: (1 + gamma_n)(1 + h)^2 - 1, where h is
  /// Arithmetic::operand_slack.
  /// The composition rule is gamma_j + gamma_k + gamma_j gamma_k <= gamma_(j+k) (Higham, lemma
  /// 3.3); it is not used here, since n counts all roundings of a path at once.
  Dyadic gamma(std::uint64_t terms) const;

  /// A_K: what products and, where results are flushed, sums may lose below the normal range.
  /// K 2^-150 (1 + gamma) without flushing, K 2^-125 (1 + gamma) plus the products of subnormal
  /// operands with it, in DOUBLE 2^-1075 and 2^-1021; units of the gradient.
  Dyadic underflow(std::uint64_t terms, double subnormal_magnitude) const;

  /// The whole bound, never less than the true one. `subnormal_magnitude`: upper bound on the
  /// magnitude of products with a subnormal operand, which a device may read as zero.
  Dyadic total(std::uint64_t terms, const Dyadic& magnitude, double subnormal_magnitude) const;

  /// A lower bound on `total` in doubles: n u S (1 - 2^-40), since gamma_n >= n u and underflow is
  /// not negative. The factor pays for the roundings of these doubles and for those of an
  /// approximate `magnitude`. An error below it is surely admitted; that decides most elements.
  /// In doubles: n / 2^k is exact, two products round by at most 2^-53 each, and an approximate
  /// magnitude is off by at most 2^-52; together far below 2^-40.
  double certain(std::uint64_t terms, double magnitude) const;

  /// An upper bound on `total` in doubles, for errors that are surely not admitted: the few
  /// roundings of these doubles, each below 2^-52, and that of gamma upwards are within the factor
  /// 1 + 2^-40. Every term is positive, so that nothing cancels.
  double ceiling(std::uint64_t terms, double magnitude, double subnormal_magnitude) const;

  /// gamma_n and the whole bound in doubles, off by a few roundings: for figures, not for verdicts.
  double gamma_estimate(std::uint64_t terms) const;
  double estimate(std::uint64_t terms, double magnitude, double subnormal_magnitude) const;

  /// The summands and factors of `total`, for messages.
  BoundTerms parts(std::uint64_t terms, const Dyadic& magnitude, double subnormal_magnitude) const;

  /// True if the device may flush subnormal operands and results.
  bool may_flush() const { return adder_ != Adder::Ieee; }

 private:
  /// n: the most roundings that one product passes through, times the adder's factor.
  /// With K terms: K, or K - 1 where products are exact; twice K for a block adder; 0 for an empty
  /// sum.
  std::uint64_t roundings(std::uint64_t terms) const;

  std::uint64_t reciprocal_roundoff() const;  ///< 1 / u

  Adder adder_;
  NumberFormat sums_;
  bool product_is_rounded_;
  double operand_slack_;
};

/// "2.4e-07 = gamma(n=4) 2.4e-07 * S 1 + underflow 5.6e-45"
std::string words(const BoundTerms& parts);

}  // namespace gradproof::oracle
