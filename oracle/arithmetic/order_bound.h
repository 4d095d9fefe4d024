#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "corpus/machine/machine.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/judge_settings.h"

namespace gradproof::oracle {

/// Bounds on the error of one sum by its order of additions, before its result is rounded; each
/// bound holds for |computed sum - exact sum|, rounded up. Units: those of the products.
struct OrderTerms {
  double magnitude = 0;  ///< S: sum of |p(i)|
  /// Sum of ((1 + e)^d(i) - 1) |p(i)|: d(i) roundings lie on the way of product i to the result,
  /// each of at most e of what it rounds.
  double by_depth = 0;
  /// Bound with each node's exact partial sum in place of its magnitudes: what it rounds is the
  /// partial sum, and where signs differ that is far less than the sum of magnitudes.
  double by_partial_sums = 0;
  std::uint64_t roundings = 0;  ///< the largest d(i)
};

/// The error of a sum whose order and arithmetic are known.
///
/// A node that rounds the exact sum of its addends x errs by at most r |x|, r = 2^-p to nearest and
/// 2^(1-p) otherwise, p the bits of the accumulator. With children that err by E(i) and exact sums
/// t(i), a node errs by at most sum E(i) + r (|sum t(i)| + sum E(i)) (N. J. Higham, Accuracy and
/// Stability of Numerical Algorithms, 2nd ed., section 3.3: running error bounds; here before the
/// computation, from exact partial sums).
///
/// A block adder cuts m addends to p + x bits below the largest, each by less than a unit of
/// 2^(1-p-x) times the largest. The largest addend loses nothing where it has at most p + x bits.
/// The sum is a multiple of the unit. Where it stays below twice the power of two in the largest
/// addend, rounding it to p bits costs at most 2^x - 1 units cut, or 2^(x-1) to nearest (0 where x
/// is 0); where not, a unit in the last place of the sum (half of it to nearest).
class OrderBound {
 public:
  /// Takes the machine, which decides if products are rounded, and `arithmetic`, if they fit.
  OrderBound(const corpus::GradientMachine& machine, const Arithmetic& arithmetic, bool is_bias);

  /// The products in the order in which the machine takes them, zeros that have a place included;
  /// at least one. Of an explicit tree as many as it has leaves.
  OrderTerms terms(std::span<const double> products) const;

  /// Most of what one addition of `addends` parts loses, as a share of the sum of their magnitudes.
  double share_lost(std::size_t addends) const;

 private:
  struct Part;
  Part added(std::span<const Part> parts) const;
  Part rounded_product(const Part& product) const;
  /// Magnitudes between which the largest addend lies, as it was computed.
  struct Largest {
    double at_most = 0, at_least = 0;
  };
  /// `sum`: a magnitude that the sum of the addends does not exceed.
  double lost(std::size_t addends, const Largest& largest, double sum) const;
  double lossy(std::size_t addends) const;
  double units_of_rounding() const;

  const corpus::GradientMachine& machine_;
  bool product_is_rounded_, product_may_be_cut_;
  double rounding_ = 0;  ///< r
  double unit_ = 0;      ///< of a block adder, for a largest addend of 1
  int extra_bits_ = 0;   ///< x
};

/// The guarantee that holds for the machine in any order; nullopt: none of the three does.
std::optional<Adder> adder_of(const corpus::GradientMachine& machine);

}  // namespace gradproof::oracle
