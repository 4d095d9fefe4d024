#include "oracle/judge/rounded_match.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "oracle/numbers/check.h"

namespace gradproof::oracle {
namespace {

constexpr int double_bias = 1023;
constexpr int double_fraction_bits = 52;

/// For exponents of normal doubles, -1022 to 1023: units of formats and their multiples by 2^52.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + double_bias)
                               << double_fraction_bits);
}

}  // namespace

DoubleRounding::DoubleRounding(NumberFormat format)
    : lowest_leading_(smallest_exponent(format) + precision(format) - 1),
      precision_(precision(format)),
      largest_(largest_finite(format)) {}

bool DoubleRounding::is_possible(NumberFormat format) { return format != NumberFormat::HiFloat8; }

/// Rounds to nearest, ties to even, to a multiple of the format's ulp: adding a constant whose own
/// ulp is the wanted one rounds the sum there, and subtracting it is exact (Sterbenz' lemma: the
/// two are within a factor of 2 of each other). Source: Muller et al., Handbook of Floating-Point
/// Arithmetic, 2018, on rounding to the nearest integer; P. Sterbenz, Floating-Point Computation,
/// 1974.
DoubleRounding::Rounded DoubleRounding::operator()(double value) const {
  constexpr std::uint64_t field_mask = 0x7ff;
  const auto field = std::bit_cast<std::uint64_t>(value) >> double_fraction_bits & field_mask;
  const int leading = std::max(static_cast<int>(field) - double_bias, lowest_leading_);
  const int unit = leading - precision_ + 1;
  // |value| < 2^24 ulp with ulp = 2^unit, so the sum stays in [2^52 ulp, 2^53 ulp), where doubles
  // are ulp apart, for either sign of `value`: that is what the factor 1.5 is for.
  const double shifter = 1.5 * power_of_two(unit + double_fraction_bits);
  // The difference below is exact: it is at most ulp / 2 and a multiple of the last bit of `value`.
  const double rounded = (value + shifter) - shifter;
  return {rounded, std::fabs(value - rounded) == power_of_two(unit - 1)};
}

RoundedMatch::RoundedMatch(const ExactTensor& exact, const Arithmetic& arithmetic)
    : sums_(exact), output_(arithmetic.output) {
  const auto& formats = arithmetic.roundings;
  if (arithmetic.sums == NumberFormat::Double) return;  // an approximation is as coarse as it
  if (!std::ranges::all_of(formats, DoubleRounding::is_possible)) return;
  if (formats.empty()) roundings_.emplace_back(NumberFormat::Float);
  for (const NumberFormat format : formats) roundings_.emplace_back(format);
}

/// Only the first rounding sees an approximation: what it gives is a number of its format, which
/// doubles hold, so that the later roundings are exact functions of it.
void RoundedMatch::look_at(std::size_t first, std::size_t count, std::span<const std::byte> bits) {
  check(count <= block, "a match looks at one block of elements");
  std::ranges::fill(holds_, false);
  if (roundings_.empty()) return;
  decode_all(output_, bits, std::span(computed_).first(count));
  const std::span<double> exact = std::span(exact_).first(count);
  sums_.approximate(first, exact);
  const bool is_exact = sums_.is_of_doubles();
  for (std::size_t i = 0; i < count; ++i) {
    auto [value, is_tie] = roundings_.front()(exact[i]);
    bool is_sure = (is_exact || !is_tie) && std::fabs(value) <= roundings_.front().largest();
    for (std::size_t next = 1; next < roundings_.size(); ++next) {
      value = roundings_[next](value).value;
      is_sure = is_sure && std::fabs(value) <= roundings_[next].largest();
    }
    holds_[i] = is_sure && computed_[i] == value;
  }
}

}  // namespace gradproof::oracle
