#include "oracle/arithmetic/random_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/arithmetic/probability.h"

namespace gradproof::oracle {
namespace {

/// Values that stand for the law of one addend of an addition: enough for a mean square that is
/// off by one in a hundred.
constexpr std::size_t value_count = 48;

constexpr double infinity = std::numeric_limits<double>::infinity();

int unit_of(double value) { return unit_exponent(NumberFormat::Float, std::ilogb(value)); }

}  // namespace

RandomSum::RandomSum(AddendLaw law, std::vector<SumLength> lengths,
                     const corpus::SummationTree& order)
    : law_(std::move(law)), lengths_(std::move(lengths)), order_(order) {
  double elements = 0;
  for (const SumLength& length : lengths_) elements += length.elements;
  for (SumLength& length : lengths_) length.elements /= elements;
  const std::size_t count = std::min(law_.addends.size(), value_count);
  for (std::size_t i = 0; i < count; ++i) {
    few_addends_.push_back(law_.addends[(2 * i + 1) * law_.addends.size() / (2 * count)]);
  }
}

RandomSum::RandomSum(AddendLaw law, std::int64_t addends)
    : RandomSum(std::move(law), {{addends, 1}}) {
  total_is_known_ = true;
}

/// Variance of a sum of so many addends; for a part of a known sum, of drawing without replacement.
double RandomSum::variance(std::int64_t addends) const {
  const auto count = static_cast<double>(addends);
  const double left =
      total_is_known_ ? 1 - count / static_cast<double>(lengths_.front().addends) : 1;
  return std::max(law_.variance(), 0.0) * count * left;
}

std::vector<RandomAddend> RandomSum::values(std::int64_t addends) const {
  if (addends == 1) return few_addends_;
  static const std::vector<double> normal = normal_values(value_count);
  const double deviation = std::sqrt(variance(addends));
  const int finest = std::ranges::min_element(law_.addends, {}, &RandomAddend::last_bit)->last_bit;
  std::vector<RandomAddend> sums;
  for (const double value : normal) {
    RandomAddend sum{.value = mean(addends) + deviation * value};
    if (sum.value != 0) sum.last_bit = std::max(unit_of(sum.value), finest);
    sums.push_back(sum);
  }
  return sums;
}

/// Addition of a sum of `left` addends and one of `right`. Each tilt asks for it, so it is kept.
const RandomSum::Addition& RandomSum::addition(std::int64_t left, std::int64_t right) {
  const auto [place, is_new] = additions_.try_emplace({left, right});
  Addition& result = place->second;
  if (!is_new) return result;
  const auto lefts = values(left), rights = values(right);
  const double share = 1 / static_cast<double>(lefts.size() * rights.size());
  for (const RandomAddend& one : lefts) {
    for (const RandomAddend& other : rights) {
      const double value = one.value + other.value;
      result.sum += share * value * value;
      if (one.value == 0 || other.value == 0 || value == 0) continue;
      result.error +=
          share * mean_square_of_rounding(unit_of(value), std::min(one.last_bit, other.last_bit));
    }
  }
  return result;
}

RandomSum::Part RandomSum::addend(double tilt) const {
  LogOfMean weight;
  const double share = 1 / static_cast<double>(law_.addends.size());
  double error = 0;
  for (const RandomAddend& one : law_.addends) {
    error += share * (one.by_grad_output + one.by_other + one.rounding);
    weight.add(log_of_uniform(tilt, one.by_grad_output) + log_of_uniform(tilt, one.by_other) +
                   log_of_uniform(tilt, one.rounding),
               share);
  }
  return {1, error, weight.value(), law_.mean, std::max(law_.variance(), 0.0)};
}

/// The sum after `times` roundings of it; the last addition took a sum of `last_added` addends.
/// exp(b t^2 / 2) times the density N(m, v) is a weight times N(m / (1 - b v), v / (1 - b v)).
/// Where b v exceeds 1 it has no integral, but one given the total: then v is negative from here
/// on.
RandomSum::Part RandomSum::rounded(Part sum, std::int64_t last_added, double times, double tilt) {
  const auto& [error, mean_square] = addition(sum.addends - last_added, last_added);
  if (error == 0) return sum;
  const double bend = 2 * times * log_of_uniform(tilt, error) / mean_square;
  const double left = 1 - bend * sum.variance;
  sum.error += times * error;
  const bool has_value = left > 0 || (left < 0 && total_is_known_);
  double log_weight = infinity;
  if (has_value)
    log_weight = bend * sum.mean * sum.mean / (2 * left) - std::log(std::abs(left)) / 2;
  sum.log_weight += log_weight;
  sum.mean /= left;
  sum.variance /= left;
  return sum;
}

/// The exact sum of one and so many copies of the other.
RandomSum::Part RandomSum::joined(const Part& one, const Part& other, std::int64_t copies) {
  const auto count = static_cast<double>(copies);
  return {one.addends + copies * other.addends, one.error + count * other.error,
          one.log_weight + count * other.log_weight, one.mean + count * other.mean,
          one.variance + count * other.variance};
}

/// Several parts at a time where many were added before: roundings of such a step count half where
/// it begins and half where it ends.
RandomSum::Part RandomSum::in_sequence(const Part& part, std::int64_t count, double tilt) {
  constexpr std::int64_t steps_to_double = 8;
  Part sum = part;
  for (std::int64_t before = 1; before < count && std::isfinite(sum.log_weight);) {
    const auto step = std::clamp<std::int64_t>(before / steps_to_double, 1, count - before);
    const auto roundings = static_cast<double>(step);
    if (step > 1) sum = rounded(sum, part.addends, (roundings - 1) / 2, tilt);
    const bool has_integral = sum.variance >= 0;
    sum = joined(sum, part, step);
    if (!has_integral && sum.variance >= 0) sum.log_weight = infinity;  // nor given the total
    sum = rounded(sum, part.addends, (roundings + 1) / 2, tilt);
    before += step;
  }
  return sum;
}

RandomSum::Part RandomSum::in_pairs(const Part& part, std::int64_t count, double tilt) {
  if (count == 1) return part;
  std::int64_t half = 1;
  while (2 * half < count) half *= 2;
  Part sum = in_pairs(part, half, tilt);
  const Part right = count == 2 * half ? sum : in_pairs(part, count - half, tilt);
  sum = joined(sum, right, 1);
  return rounded(sum, right.addends, 1, tilt);
}

/// Sums of `size` addends, combined; addends that fill none are added to a part like the others.
RandomSum::Part RandomSum::in_parts(const Part& one, std::int64_t addends, std::int64_t size,
                                    double tilt) {
  const std::int64_t whole = addends / size;
  if (whole == 0) return in_sequence(one, addends, tilt);
  const Part part = in_sequence(one, size, tilt);
  const bool is_sequential = order_.combine == corpus::TreeCombine::Sequential;
  Part sum = is_sequential ? in_sequence(part, whole, tilt) : in_pairs(part, whole, tilt);
  const std::int64_t rest = addends - whole * size;
  if (rest == 0) return sum;
  const Part last = in_sequence(one, rest, tilt);
  sum = joined(sum, last, 1);
  return rounded(sum, last.addends, 1, tilt);
}

RandomSum::Part RandomSum::added(const Part& one, std::int64_t addends, double tilt) {
  using corpus::TreeFamily;
  if (order_.family == TreeFamily::Pairwise) return in_pairs(one, addends, tilt);
  if (order_.family == TreeFamily::Split) return in_parts(one, addends, order_.size, tilt);
  if (order_.family == TreeFamily::Lanes) {
    return in_parts(one, addends, std::max<std::int64_t>(addends / order_.size, 1), tilt);
  }
  Part sum = in_sequence(one, addends, tilt);
  if (total_is_known_ && std::isfinite(sum.log_weight)) {
    // E exp(z e) given the total: the weighted density there, divided by the density itself.
    const double total = mean(addends), plain = law_.variance() * static_cast<double>(addends);
    const double off = total - sum.mean;
    if (plain > 0) {
      sum.log_weight +=
          -off * off / (2 * sum.variance) - std::log(std::abs(sum.variance) / plain) / 2;
    }
  }
  return sum;
}

double RandomSum::log_of_expected(double tilt) {
  const Part one = addend(tilt);
  LogOfMean mean;
  for (const SumLength& length : lengths_) {
    mean.add(added(one, length.addends, tilt).log_weight, length.elements);
  }
  return mean.value();
}

double RandomSum::deviation() {
  const Part one = addend(0);
  double error = 0;
  for (const SumLength& length : lengths_) {
    error += length.elements * added(one, length.addends, 0).error;
  }
  return std::sqrt(error);
}

/// The error at which the tilted law has its mean, and how likely either sign exceeds it. nullopt:
/// E exp(z e) has no value there.
std::optional<RandomSum::Tail> RandomSum::tail(double tilt) {
  const double step = tilt / 1000;
  const double here = log_of_expected(tilt), above = log_of_expected(tilt + step);
  if (!std::isfinite(here) || !std::isfinite(above)) return std::nullopt;
  const double below = log_of_expected(tilt - step);
  const double error = (above - below) / (2 * step);
  const double curvature = (above - 2 * here + below) / (step * step);
  const double w = std::sqrt(std::max(2 * (tilt * error - here), 0.0));
  const double v = tilt * std::sqrt(curvature);
  return Tail{error, 2 * (normal_tail(w) + normal_density(w) * (1 / v - 1 / w))};
}

double RandomSum::quantile(double probability) {
  const double deviation = this->deviation();
  if (deviation == 0) return 0;
  // A bounded error's tail falls to 1e-12 before the tilt gets here.
  double low = 0.5 / deviation, high = 1e4 / deviation, error = 0;
  for (int i = 0; i < 60 && high > low * (1 + 1e-6); ++i) {
    const double tilt = std::sqrt(low * high);
    const auto found = tail(tilt);
    if (found) error = found->error;
    (found && found->probability > probability ? low : high) = tilt;
  }
  return error;
}

/// P(|e + r| > error) for a normal e and r uniform on half a unit of the rounded sum: averaged over
/// its binades. With G(x) the integral of the normal tail from x it is (G((error - h) / s) -
/// G((error + h) / s)) s / h.
double RandomSum::rounded_tail(double error, double deviation,
                               std::span<const NumberFormat> formats) const {
  double tail = 0;
  for (const SumLength& length : lengths_) {
    const double mean = this->mean(length.addends);
    const double spread = std::max(std::sqrt(variance(length.addends)), 1e-9 * std::abs(mean));
    const int top = std::ilogb(std::abs(mean) + 10 * spread);
    for (int leading = top; leading > top - 30; --leading) {
      int unit = std::numeric_limits<int>::min();
      for (const NumberFormat format : formats) {
        unit = std::max(unit, unit_exponent(format, leading));
      }
      const double low = std::ldexp(1.0, leading), half = std::ldexp(0.5, unit);
      const double share =
          normal_tail((low - mean) / spread) - normal_tail((2 * low - mean) / spread) +
          normal_tail((low + mean) / spread) - normal_tail((2 * low + mean) / spread);
      const double beyond = (normal_tail_integral((error - half) / deviation) -
                             normal_tail_integral((error + half) / deviation)) *
                            deviation / half;
      tail += length.elements * share * beyond;
    }
  }
  return tail;
}

/// The error before the rounding is taken as normal, as wide as makes its own quantile right.
double RandomSum::rounded_quantile(double probability, std::span<const NumberFormat> formats) {
  const double before = quantile(probability);
  if (formats.empty()) return before;
  constexpr double tiny = 1e-200;  // of sums that are exact
  const double deviation = std::max(before / normal_quantile(probability / 2), tiny);
  double low = 0, high = std::max(before, tiny);
  while (rounded_tail(high, deviation, formats) > probability) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (rounded_tail(middle, deviation, formats) > probability ? low : high) = middle;
  }
  return high;
}

}  // namespace gradproof::oracle
