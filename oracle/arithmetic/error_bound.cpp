#include "oracle/arithmetic/error_bound.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

namespace gradproof::oracle {
namespace {

/// Guarantee of an adder: u, and how many times u each rounding counts.
///
/// Round to nearest in FLOAT has u = 2^-24. A faithful adder errs by less than one ULP, which is
/// 2^-23 of the result at most.
/// A block adder aligns b products and its accumulator to the largest exponent e and may truncate
/// each of the b + 1 addends, and the sum, below 2^(e-23). That is an error of up to (b + 2) 2^-23
/// times the magnitude of the block. Blocks without a non-zero product cost nothing; the others at
/// most (b + 2) / b <= 3 times 2^-23 for each product, below 2 * 2^-22. For block multiply-adds
/// with roundings instead see P. Blanchard, N. J. Higham, F. Lopez, T. Mary and S. Pranesh, Mixed
/// precision block fused multiply-add, SIAM J. Sci. Comput. 42 (2020).
/// The factor enters n, as if each operation rounded so many times with this u.
struct AdderRow {
  int bits_lost;  ///< u is 2^(bits_lost - p) for sums of p bits: 24, in DOUBLE 53
  std::uint64_t roundings_factor;
};

constexpr std::array adders{AdderRow{0, 1}, AdderRow{1, 1}, AdderRow{2, 2}};

const AdderRow& row(Adder adder) { return adders.at(static_cast<std::size_t>(adder)); }

/// Fraction bits of gamma. Where it is not 0 it is at least 2^-p, so rounding it up to a multiple
/// of 2^-(p + 72) widens the bound by less than 2^-72 of itself.
int gamma_bits(NumberFormat sums) {
  constexpr int guard = 72;
  return precision(sums) + guard;
}

/// The exponent of what an operation may lose below the normal range; see ErrorBound::underflow.
int lost_exponent(NumberFormat sums, bool may_flush) {
  return may_flush ? smallest_normal_exponent(sums) + 1 : smallest_exponent(sums) - 1;
}

}  // namespace

/// A product is rounded unless it fits FLOAT; a bias gradient multiplies nothing. Both save one
/// rounding in n.
ErrorBound::ErrorBound(Adder adder, const Arithmetic& arithmetic, bool is_bias)
    : adder_(adder),
      sums_(arithmetic.sums),
      product_is_rounded_(!is_bias && !arithmetic.products_are_exact()),
      operand_slack_(arithmetic.operand_slack) {}

/// An integer, with which n u / (1 - n u) = n / (1/u - n) is a quotient of integers.
std::uint64_t ErrorBound::reciprocal_roundoff() const {
  return std::uint64_t{1} << (precision(sums_) - row(adder_).bits_lost);
}

/// n of the theorem. A block adder truncates products with the addends, so each of them counts.
std::uint64_t ErrorBound::roundings(std::uint64_t terms) const {
  if (terms == 0) return 0;
  const bool is_block = adder_ == Adder::Block;
  return row(adder_).roundings_factor * (product_is_rounded_ || is_block ? terms : terms - 1);
}

/// n u < 1 is n < 1 / u. Beyond, gamma_n has no value, and a sum may lose all its bits.
bool ErrorBound::is_defined(std::uint64_t terms) const {
  return roundings(terms) < reciprocal_roundoff();
}

Dyadic ErrorBound::gamma(std::uint64_t terms) const {
  const auto n = static_cast<unsigned long>(roundings(terms));
  const auto below = static_cast<unsigned long>(reciprocal_roundoff()) - n;
  // Division upwards: the quotient is at least gamma_n, by less than one unit of 2^-bits.
  mpz_class quotient = n;  // n u / (1 - n u) = n / (1/u - n)
  const int bits = gamma_bits(sums_);
  quotient <<= static_cast<mp_bitcnt_t>(bits);
  mpz_cdiv_q_ui(quotient.get_mpz_t(), quotient.get_mpz_t(), below);
  Dyadic plain(quotient, -bits);
  if (operand_slack_ == 0) return plain;
  // Operands a' = a (1 + d), |d| <= h: |a' b' - a b| <= (2 h + h^2) |a b|, and S' <= (1 + h)^2 S.
  // gamma S' + (2 h + h^2) S <= ((1 + gamma)(1 + h)^2 - 1) S.
  const Dyadic slack = Dyadic::from_double(operand_slack_);
  const Dyadic one = Dyadic::power_of_two(0);
  return (one + plain) * (one + slack) * (one + slack) - one;
}

Dyadic ErrorBound::underflow(std::uint64_t terms, double subnormal_magnitude) const {
  const auto count = static_cast<std::int64_t>(terms);
  const Dyadic one = Dyadic::power_of_two(0);
  // fl(a b) = a b (1 + d) + e with |e| <= 2^-150, half the smallest FLOAT. Additions add no such
  // term: both addends are multiples of 2^-149, so a sum in the subnormal range is exact
  // (J. R. Hauser, ACM TOPLAS 18, 1996). A device that flushes results loses up to the smallest
  // normal number, 2^-126, at the product and at an addition. In DOUBLE likewise: 2^-1074 and
  // 2^-1022. What is lost passes through later
  // additions, hence the factor 1 + gamma.
  const Dyadic each = Dyadic::power_of_two(lost_exponent(sums_, may_flush()));
  const Dyadic lost = Dyadic::from(count, 0) * each * (one + gamma(terms));
  return may_flush() ? lost + Dyadic::from_double(subnormal_magnitude) : lost;
}

Dyadic ErrorBound::total(std::uint64_t terms, const Dyadic& magnitude,
                         double subnormal_magnitude) const {
  return gamma(terms) * magnitude + underflow(terms, subnormal_magnitude);
}

double ErrorBound::certain(std::uint64_t terms, double magnitude) const {
  const auto n = static_cast<double>(roundings(terms));
  return n / static_cast<double>(reciprocal_roundoff()) * magnitude * (1 - 0x1p-40);
}

double ErrorBound::ceiling(std::uint64_t terms, double magnitude,
                           double subnormal_magnitude) const {
  const double gamma = gamma_estimate(terms);
  const double each = std::ldexp(1, lost_exponent(sums_, may_flush()));
  const double lost = static_cast<double>(terms) * each * (1 + gamma) + subnormal_magnitude;
  return (gamma * magnitude + lost) * (1 + 0x1p-40);
}

/// (1 + g)(1 + h)^2 - 1 = g + s + g s with s = (1 + h)^2 - 1 = h (2 + h): no 1 is subtracted, so
/// that small g and h do not cancel.
double ErrorBound::gamma_estimate(std::uint64_t terms) const {
  const auto n = static_cast<double>(roundings(terms));
  const double plain = n / (static_cast<double>(reciprocal_roundoff()) - n);
  const double slack = operand_slack_ * (2 + operand_slack_);
  return plain + slack + plain * slack;
}

/// The factor 1 + gamma of the underflow is left out: the estimate is for figures.
double ErrorBound::estimate(std::uint64_t terms, double magnitude,
                            double subnormal_magnitude) const {
  const auto n = static_cast<double>(terms);
  const double lost = std::ldexp(n, lost_exponent(sums_, may_flush())) + subnormal_magnitude;
  return gamma_estimate(terms) * magnitude + lost;
}

BoundTerms ErrorBound::parts(std::uint64_t terms, const Dyadic& magnitude,
                             double subnormal_magnitude) const {
  return {.terms = terms,
          .magnitude = magnitude.to_double(),
          .gamma = gamma(terms).to_double(),
          .underflow = underflow(terms, subnormal_magnitude).to_double(),
          .total = total(terms, magnitude, subnormal_magnitude).to_double()};
}

std::string words(const BoundTerms& parts) {
  return fmt::format("{:.4g} = gamma {:.4g} (K={}) * S {:.4g} + underflow {:.2g}", parts.total,
                     parts.gamma, parts.terms, parts.magnitude, parts.underflow);
}

}  // namespace gradproof::oracle
