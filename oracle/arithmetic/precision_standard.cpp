#include "oracle/arithmetic/precision_standard.h"

#include <algorithm>
#include <cmath>

#include "oracle/numbers/ulp.h"

namespace gradproof::oracle {
namespace {

/// Size of the unit in the last place at a finite number; at 0 that of the subnormal range.
/// ilogb is the exponent of the leading bit; within a binade the unit is constant.
double ulp_at(NumberFormat format, double number) {
  const int leading = number == 0 ? smallest_exponent(format) : std::ilogb(number);
  return std::ldexp(1.0, unit_exponent(format, leading));
}

}  // namespace

/// Least precise format; of equal precisions the operands come first, then the earliest rounding.
NumberFormat least_precise(const Arithmetic& arithmetic) {
  NumberFormat least = arithmetic.operands;
  for (const NumberFormat format : arithmetic.roundings) {
    if (precision(format) < precision(least)) least = format;
  }
  return least;
}

ErrorMetrics::ErrorMetrics(const Arithmetic& arithmetic)
    : output_(arithmetic.output), row_(row(least_precise(arithmetic)).published) {}

void ErrorMetrics::Sums::add(double relative, double error) {
  largest = std::max(largest, relative);
  sum += relative;
  squares += error * error;
  ++count;
}

double ErrorMetrics::Sums::root_mean_square() const {
  return count == 0 ? 0 : std::sqrt(squares / static_cast<double>(count));
}

void ErrorMetrics::add(const Number& computed, double exact, const Number& expected) {
  if (!computed.is_finite() || !expected.is_finite() || !std::isfinite(exact)) return;
  add_error(std::fabs(to_double(computed) - exact), exact, to_double(expected));
  if (!row_) largest_ulps_ = std::max(largest_ulps_, ulp_distance(output_, computed, expected));
}

void ErrorMetrics::add_rounded(double computed, double exact) {
  add_error(std::fabs(computed - exact), exact, computed);
}

void ErrorMetrics::add_exact(std::uint64_t count) {
  all_.count += count;
  within_tolerance_ += row_ ? count : 0;
}

/// The 1e-7 is the standard's: it keeps the relative error of an exact 0 finite.
void ErrorMetrics::add_error(double error, double exact, double expected) {
  const double relative = error == 0 ? 0 : error / (std::fabs(exact) + 1e-7);  // divisions are slow
  all_.add(relative, error);
  if (error > largest_error_) {
    largest_error_ = error;
    ulp_at_largest_ = ulp_at(output_, expected);
  }
  if (!row_) return;
  const double tolerance = row_->absolute_tolerance + row_->relative_tolerance * std::fabs(exact);
  within_tolerance_ += error <= tolerance ? 1 : 0;
}

/// "relative error (FLOAT16)"; made for every output, and formatting is slow.
std::string ErrorMetrics::name_with_row(std::string_view criterion) const {
  std::string name(criterion);
  return name.append(" (").append(row_ ? row_->name : name_of(output_)).append(")");
}

corpus::StandardResult ErrorMetrics::relative_error() const {
  const double threshold = row_->relative_threshold;
  return {.name = name_with_row("relative error"),
          .met = all_.mean() < threshold && all_.largest < 10 * threshold};
}

corpus::StandardResult ErrorMetrics::mixed_tolerance() const {
  const double share = static_cast<double>(within_tolerance_) / static_cast<double>(all_.count);
  const double limit = std::max(row_->error_floor, 32 * ulp_at_largest_);
  return {.name = name_with_row("mixed tolerance"),
          .met = share >= 0.99 && largest_error_ <= limit};
}

/// One code: the distance between the two neighbours of any exact value.
corpus::StandardResult ErrorMetrics::codes_between() const {
  return {.name = name_with_row("codes between"), .met = largest_ulps_ <= 1};
}

void ErrorMetrics::write_to(corpus::OutputEvidence& evidence) const {
  if (all_.count == 0) return;
  evidence.mare = all_.largest;
  evidence.mere = all_.mean();
  evidence.rmse = all_.root_mean_square();
  if (row_) {
    evidence.standards = {relative_error(), mixed_tolerance()};
  } else if (output_ != NumberFormat::Double) {  // of which no standard speaks
    evidence.standards = {codes_between()};
  }
}

}  // namespace gradproof::oracle
