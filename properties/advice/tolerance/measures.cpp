#include "properties/advice/tolerance/measures.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/arithmetic/precision_standard.h"

namespace gradproof::advice {
namespace {

using oracle::NumberFormat;

/// One element as a tool sees it.
struct Pair {
  double computed = 0, reference = 0;

  /// True if both are the same number, infinity or NaN.
  bool is_same() const {
    return computed == reference || (std::isnan(computed) && std::isnan(reference));
  }
  double error() const { return is_same() ? 0 : std::fabs(computed - reference); }
  /// |computed - reference| / (|reference| + floor).
  double relative_error(double floor) const { return error() / (std::fabs(reference) + floor); }
};

double value_of(const oracle::Number& number) {
  if (number.is_nan()) return std::nan("");
  if (number.is_infinite()) return number.negative ? -HUGE_VAL : HUGE_VAL;
  return oracle::to_double(number);
}

Pair pair_at(const MeasuredOutput& output, const PublishedTolerance& tolerance, std::size_t index) {
  const double exact = output.exact[index];
  const double reference = tolerance.reference == Reference::Output
                               ? value_of(output.expected[index])
                           : tolerance.reference == Reference::Single ? static_cast<float>(exact)
                                                                      : exact;
  return {value_of(output.computed[index]), reference};
}

/// The pairs of all elements. Beyond the output's range a reference in a wider format says nothing.
std::vector<Pair> pairs_of(const MeasuredOutput& output, const PublishedTolerance& tolerance) {
  std::vector<Pair> pairs;
  pairs.reserve(output.exact.size());
  for (std::size_t i = 0; i < output.exact.size(); ++i) {
    const bool is_in_range = output.expected[i].is_finite();
    if (is_in_range || tolerance.reference == Reference::Output) {
      pairs.push_back(pair_at(output, tolerance, i));
    }
  }
  return pairs;
}

/// True if every pair passes; no comparison holds for NaN.
template <typename Passes>
bool every(const MeasuredOutput& output, const PublishedTolerance& tolerance, Passes passes) {
  return std::ranges::all_of(pairs_of(output, tolerance), passes);
}

/// Sums over all elements; not finite where an element is not.
struct Norms {
  double error = 0, reference = 0;  ///< sums of squares
  double largest = 0;               ///< magnitude of either
  std::size_t elements = 0;
};

Norms norms_of(const MeasuredOutput& output, const PublishedTolerance& tolerance) {
  Norms norms;
  for (const Pair& pair : pairs_of(output, tolerance)) {
    ++norms.elements;
    norms.error += pair.error() * pair.error();
    norms.reference += pair.reference * pair.reference;
    norms.largest = std::max({norms.largest, std::fabs(pair.computed), std::fabs(pair.reference)});
  }
  return norms;
}

/// Spacing of the numbers just above 1.
double epsilon(NumberFormat format) { return std::ldexp(1.0, 1 - oracle::precision(format)); }

/// Source: hipDNN test SDK, DynamicTolerancesCommon.hpp.
double growth(double products) {
  const double u = epsilon(NumberFormat::Float);
  const double linear = 2 * products * u;
  return linear < 0.01 ? linear / (1 - linear) : 6 * std::sqrt(2 * products) * u;
}

}  // namespace

bool all_equal(const MeasuredOutput& output, const PublishedTolerance& tolerance,
               const Threshold& /*threshold*/) {
  return every(output, tolerance, [](const Pair& pair) { return pair.is_same(); });
}

bool all_close(const MeasuredOutput& output, const PublishedTolerance& tolerance,
               const Threshold& threshold) {
  return every(output, tolerance, [&](const Pair& pair) {
    const double error = pair.error();  // infinity is close to itself alone
    return std::isfinite(error) &&
           error <= threshold.absolute + threshold.relative * std::fabs(pair.reference);
  });
}

bool root_mean_square_is_small(const MeasuredOutput& output, const PublishedTolerance& tolerance,
                               const Threshold& threshold) {
  const Norms norms = norms_of(output, tolerance);
  if (norms.largest == 0) return norms.error == 0;  // NaN has no magnitude
  const auto elements = static_cast<double>(norms.elements);
  const double figure = std::sqrt(norms.error / elements) / norms.largest;
  return std::isfinite(figure) && figure <= threshold.relative;
}

bool norm_of_difference_is_small(const MeasuredOutput& output, const PublishedTolerance& tolerance,
                                 const Threshold& threshold) {
  const Norms norms = norms_of(output, tolerance);
  if (norms.reference == 0) return norms.error == 0;
  double limit = threshold.relative;
  if (output.role == corpus::OutputRole::GradWeight) {
    limit *= std::max(1.0, std::pow(0.125 * static_cast<double>(output.products), 0.4));
  }
  const double figure = std::sqrt(norms.error / norms.reference);
  return std::isfinite(figure) && figure <= limit;
}

bool relative_errors_are_small(const MeasuredOutput& output, const PublishedTolerance& tolerance,
                               const Threshold& threshold) {
  double sum = 0, largest = 0;
  const auto pairs = pairs_of(output, tolerance);
  for (const Pair& pair : pairs) {
    const double error = pair.relative_error(1e-7);
    if (!std::isfinite(error)) return false;
    sum += error;
    largest = std::max(largest, error);
  }
  const double mean = sum / static_cast<double>(std::max<std::size_t>(pairs.size(), 1));
  return mean < threshold.relative && largest < 10 * threshold.relative;
}

bool most_are_close(const MeasuredOutput& output, const PublishedTolerance& tolerance,
                    const Threshold& /*threshold*/) {
  const bool all_finite =
      every(output, tolerance, [](const Pair& pair) { return std::isfinite(pair.computed); });
  if (!all_finite || output.exact.empty()) return all_finite;
  oracle::ErrorMetrics metrics(output.arithmetic);
  for (std::size_t i = 0; i < output.exact.size(); ++i) {
    if (!output.expected[i].is_finite()) continue;
    metrics.add(output.computed[i], pair_at(output, tolerance, i).reference, output.expected[i]);
  }
  corpus::OutputEvidence evidence;
  metrics.write_to(evidence);
  return std::ranges::all_of(evidence.standards, [](const corpus::StandardResult& standard) {
    return standard.met || !standard.name.starts_with("mixed tolerance");
  });
}

bool few_are_far(const MeasuredOutput& output, const PublishedTolerance& tolerance,
                 const Threshold& threshold) {
  const auto pairs = pairs_of(output, tolerance);
  const auto far = std::ranges::count_if(pairs, [&](const Pair& pair) {
    return !(pair.relative_error(1e-9) <= threshold.relative);  // NaN is far
  });
  const auto elements = static_cast<double>(pairs.size());
  return far == 0 || static_cast<double>(far) < threshold.absolute * elements;
}

bool all_within_bound_of_maxima(const MeasuredOutput& output, const PublishedTolerance& tolerance,
                                const Threshold& /*threshold*/) {
  const auto products = static_cast<double>(output.products);
  const double gamma = growth(products);
  if (gamma >= 0.5) return false;
  const double sum = products * output.largest_grad_output * output.largest_other;
  double bound = gamma * sum;
  for (const NumberFormat format : output.arithmetic.roundings) bound += sum * epsilon(format);
  return every(output, tolerance, [&](const Pair& pair) { return pair.error() <= bound; });
}

}  // namespace gradproof::advice
