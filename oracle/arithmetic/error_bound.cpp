#include "oracle/arithmetic/error_bound.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

namespace gradproof::oracle {
namespace {

/// What an adder guarantees.
struct AdderRow {
  int unit_roundoff_exponent;
  /// The derivation for block adders charges a block of b products (b + 2) * 2^-23 of its
  /// magnitude. Blocks without a non-zero product cost nothing, and the others at most 3 per
  /// product, below twice the 2^-22.
  std::uint64_t roundings_factor;
};

constexpr std::array adders{AdderRow{-24, 1}, AdderRow{-23, 1}, AdderRow{-22, 2}};

const AdderRow& row(Adder adder) { return adders.at(static_cast<std::size_t>(adder)); }

std::uint64_t reciprocal_roundoff(Adder adder) {
  return std::uint64_t{1} << -row(adder).unit_roundoff_exponent;
}

/// More bits than any verdict depends on.
constexpr int gamma_bits = 96;

Dyadic from_double(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return Dyadic::from(static_cast<std::int64_t>(std::ldexp(fraction, 53)), exponent - 53);
}

}  // namespace

ErrorBound::ErrorBound(Adder adder, const Arithmetic& arithmetic, bool is_bias)
    : adder_(adder),
      product_is_rounded_(!is_bias && !arithmetic.products_are_exact()),
      operand_slack_(arithmetic.operand_slack) {}

std::uint64_t ErrorBound::roundings(std::uint64_t terms) const {
  if (terms == 0) return 0;
  const bool is_block = adder_ == Adder::Block;
  return row(adder_).roundings_factor * (product_is_rounded_ || is_block ? terms : terms - 1);
}

bool ErrorBound::is_defined(std::uint64_t terms) const {
  return roundings(terms) < reciprocal_roundoff(adder_);
}

Dyadic ErrorBound::gamma(std::uint64_t terms) const {
  const auto n = static_cast<unsigned long>(roundings(terms));
  const auto below = static_cast<unsigned long>(reciprocal_roundoff(adder_)) - n;
  mpz_class quotient = n;  // n u / (1 - n u) = n / (1/u - n)
  quotient <<= gamma_bits;
  mpz_cdiv_q_ui(quotient.get_mpz_t(), quotient.get_mpz_t(), below);
  Dyadic plain(quotient, -gamma_bits);
  if (operand_slack_ == 0) return plain;
  // |a' b' - a b| <= (2 h + h^2) |a b| for operands off by a factor of up to 1 + h.
  const Dyadic slack = from_double(operand_slack_);
  const Dyadic one = Dyadic::power_of_two(0);
  return (one + plain) * (one + slack) * (one + slack) - one;
}

Dyadic ErrorBound::underflow(std::uint64_t terms, double subnormal_magnitude) const {
  const auto count = static_cast<std::int64_t>(terms);
  const Dyadic one = Dyadic::power_of_two(0);
  // Rounded products lose up to half the smallest FLOAT each; a device that flushes results loses
  // up to the smallest normal one twice. Sums of multiples of 2^-149 do not underflow.
  const Dyadic each = Dyadic::power_of_two(may_flush() ? -125 : -150);
  const Dyadic lost = Dyadic::from(count, 0) * each * (one + gamma(terms));
  return may_flush() ? lost + from_double(subnormal_magnitude) : lost;
}

Dyadic ErrorBound::total(std::uint64_t terms, const Dyadic& magnitude,
                         double subnormal_magnitude) const {
  return gamma(terms) * magnitude + underflow(terms, subnormal_magnitude);
}

double ErrorBound::certain(std::uint64_t terms, double magnitude) const {
  const auto n = static_cast<double>(roundings(terms));
  return n / static_cast<double>(reciprocal_roundoff(adder_)) * magnitude * (1 - 0x1p-40);
}

double ErrorBound::gamma_estimate(std::uint64_t terms) const {
  const auto n = static_cast<double>(roundings(terms));
  const double plain = n / (static_cast<double>(reciprocal_roundoff(adder_)) - n);
  const double slack = operand_slack_ * (2 + operand_slack_);
  return plain + slack + plain * slack;
}

double ErrorBound::estimate(std::uint64_t terms, double magnitude,
                            double subnormal_magnitude) const {
  const auto n = static_cast<double>(terms);
  const double lost = std::ldexp(n, may_flush() ? -125 : -150) + subnormal_magnitude;
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
