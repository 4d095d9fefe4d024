#include "oracle/sums/exact_tensor.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace gradproof::oracle {
namespace {

Int128 integer(double sum) { return static_cast<std::int64_t>(sum); }
Int128 integer(Int128 sum) { return sum; }

bool is_zero_sum(double sum) { return sum == 0; }
bool is_zero_sum(Int128 sum) { return sum == 0; }
bool is_zero_sum(const ExactSum& sum) { return sum.is_zero(); }
bool is_zero_sum(const DigitSum& sum) { return sum.is_zero(); }
bool is_zero_sum(const Dyadic& sum) { return sum.is_zero(); }

/// Integers below 2^127 in magnitude fit the 128 bits of a truncated number: nothing is left below.
template <typename Sum>
Truncated truncated_sum(Sum sum, int unit) {
  const Int128 value = integer(sum);
  return {
      .negative = value < 0, .exponent = unit, .significand = magnitude_of(value), .more = false};
}
Truncated truncated_sum(const ExactSum& sum, int /*unit*/) { return sum.truncated(); }
Truncated truncated_sum(const DigitSum& sum, int /*unit*/) { return sum.truncated(); }
Truncated truncated_sum(const Dyadic& sum, int /*unit*/) { return sum.truncated(); }

template <typename Sum>
Dyadic dyadic_sum(Sum sum, int unit) {
  return Dyadic::from(integer(sum), unit);
}
Dyadic dyadic_sum(const ExactSum& sum, int /*unit*/) { return sum.dyadic(); }
Dyadic dyadic_sum(const DigitSum& sum, int /*unit*/) { return sum.dyadic(); }
Dyadic dyadic_sum(const Dyadic& sum, int /*unit*/) { return sum; }

/// sum * 2^unit, by a multiplication, since ldexp is slow. Exact but for DOUBLE: products of two
/// numbers of any other format, and their sums, have magnitudes between 2^-298 and 2^286, inside
/// double's normal range. Those of DOUBLE may leave it, and then round or overflow.
double scaled(double sum, int unit) {
  constexpr int bias = 1023;
  if (unit <= -bias || unit > bias) return std::ldexp(sum, unit);
  return sum * std::bit_cast<double>(static_cast<std::uint64_t>(unit + bias) << 52U);
}

double approximate_sum(double sum, int unit) { return scaled(sum, unit); }
/// The conversion rounds to nearest, ties to even: off by at most 2^-53 of the sum.
double approximate_sum(Int128 sum, int unit) { return scaled(static_cast<double>(sum), unit); }
/// Approximates by at least 97 leading bits rounded to 53: off by at most 2^-53 + 2^-96 of the sum.
double approximate_wide(const Truncated& exact) {
  const double magnitude =
      std::ldexp(static_cast<double>(exact.significand), static_cast<int>(exact.exponent));
  return exact.negative ? -magnitude : magnitude;
}
double approximate_sum(const ExactSum& sum, int /*unit*/) {
  return approximate_wide(sum.truncated());
}
double approximate_sum(const DigitSum& sum, int /*unit*/) {
  return approximate_wide(sum.truncated());
}
/// Approximates by cutting off to 53 bits: off by less than 2^-52 of the sum.
double approximate_sum(const Dyadic& sum, int /*unit*/) { return sum.to_double(); }

}  // namespace

std::size_t ExactTensor::size() const {
  return std::visit([](const auto& sums) { return sums.size(); }, sums_);
}

bool ExactTensor::is_zero(std::size_t index) const {
  return std::visit([&](const auto& sums) { return is_zero_sum(sums[index]); }, sums_);
}

Truncated ExactTensor::truncated(std::size_t index) const {
  return std::visit([&](const auto& sums) { return truncated_sum(sums[index], unit_); }, sums_);
}

Dyadic ExactTensor::dyadic(std::size_t index) const {
  return std::visit([&](const auto& sums) { return dyadic_sum(sums[index], unit_); }, sums_);
}

double ExactTensor::approximate(std::size_t index) const {
  return std::visit([&](const auto& sums) { return approximate_sum(sums[index], unit_); }, sums_);
}

void ExactTensor::approximate(std::size_t first, std::span<double> values) const {
  std::visit(
      [&](const auto& sums) {
        for (double& value : values) value = approximate_sum(sums[first++], unit_);
      },
      sums_);
}

}  // namespace gradproof::oracle
