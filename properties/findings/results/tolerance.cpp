#include "properties/findings/results/tolerance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "properties/findings/results/sparse_counts.h"

namespace gradproof::findings {
namespace {

double finite_or_infinite(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

/// The first place at which so many are counted.
template <typename Counts>
std::size_t place_of_quantile(const Counts& counts, std::uint64_t total, double q) {
  const auto wanted = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(total))));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    seen += counts[i];
    if (seen >= wanted) return i;
  }
  return counts.size() - 1;
}

}  // namespace

int length_bucket(std::uint64_t products) {
  if (products <= 1) return 0;
  auto bucket =
      static_cast<int>(std::floor(lengths_per_decade * std::log10(static_cast<double>(products))));
  // The logarithm may be off at an edge.
  if (length_of_bucket(bucket + 1) <= static_cast<double>(products)) ++bucket;
  if (length_of_bucket(bucket) > static_cast<double>(products)) --bucket;
  return bucket;
}

double length_of_bucket(int bucket) {
  constexpr std::array fourths{1.0, 1.7782794100389228, 3.1622776601683795, 5.623413251903491};
  double decade = 1;
  for (int i = 0; i < bucket / lengths_per_decade; ++i) decade *= 10;
  return decade * fourths.at(to_size(bucket % lengths_per_decade));
}

void RatioHistogram::add(double ratio) {
  if (!(ratio > 0)) {
    ++counts_[0];
    return;
  }
  const double place = std::isinf(ratio)
                           ? per_octave * octaves
                           : std::floor(per_octave * (std::log2(ratio) - lowest_octave));
  const double last = static_cast<double>(counts_.size()) - 2;
  ++counts_.at(1 + to_size(std::clamp(place, 0.0, last)));
}

void RatioHistogram::merge(const RatioHistogram& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_.at(i) += other.counts_.at(i);
}

nlohmann::json RatioHistogram::saved() const { return sparse_counts(counts_); }

RatioHistogram RatioHistogram::restored(const nlohmann::json& saved) {
  RatioHistogram histogram;
  add_sparse_counts(saved, histogram.counts_);
  return histogram;
}

std::uint64_t RatioHistogram::total() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

double RatioHistogram::quantile(double q) const {
  const std::uint64_t above_zero = total() - counts_[0];
  if (above_zero == 0) return 0;
  const std::span<const std::uint32_t> buckets = std::span(counts_).subspan(1);
  const std::size_t place = place_of_quantile(buckets, above_zero, q);
  if (place + 1 == buckets.size()) return std::numeric_limits<double>::infinity();
  return std::exp2(lowest_octave + static_cast<double>(place + 1) / per_octave);
}

void Tolerance::add(const corpus::OutputEvidence& evidence, corpus::Outcome outcome) {
  ++outputs;
  elements += evidence.compared_elements;
  if (evidence.sums_are_exact) {
    ++exact_outputs;
    exact_equal += evidence.ulp_max == 0 ? 1 : 0;
  }
  worst_ratio = std::max(worst_ratio, finite_or_infinite(evidence.bound_ratio));
  worst_ulp = std::max(worst_ulp, finite_or_infinite(evidence.ulp_max));
  mare = std::max(mare, finite_or_infinite(evidence.mare));
  ratios.add(finite_or_infinite(evidence.bound_ratio));
  for (std::size_t i = 0; i < ulps.size(); ++i) ulps.at(i) += evidence.ulp_histogram.at(i);
  const auto weight = static_cast<double>(evidence.compared_elements);
  relative_errors.add(evidence.mere * weight);
  squares.add(evidence.rmse * evidence.rmse * weight);
  for (const corpus::StandardResult& standard : evidence.standards) {
    StandardCount& count = standards[standard.name];
    ++count.outputs;
    count.met += standard.met ? 1 : 0;
  }
  ++outcomes.at(to_size(outcome));
}

void Tolerance::merge(const Tolerance& other) {
  outputs += other.outputs;
  elements += other.elements;
  exact_outputs += other.exact_outputs;
  exact_equal += other.exact_equal;
  worst_ratio = std::max(worst_ratio, other.worst_ratio);
  worst_ulp = std::max(worst_ulp, other.worst_ulp);
  mare = std::max(mare, other.mare);
  ratios.merge(other.ratios);
  for (std::size_t i = 0; i < ulps.size(); ++i) ulps.at(i) += other.ulps.at(i);
  relative_errors.merge(other.relative_errors);
  squares.merge(other.squares);
  for (const auto& [name, count] : other.standards) {
    StandardCount& into = standards[name];
    into.met += count.met;
    into.outputs += count.outputs;
  }
  for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes.at(i) += other.outcomes.at(i);
}

double Tolerance::rmse() const { return std::sqrt(squares.mean(elements)); }

double Tolerance::ulp_quantile(double q) const {
  const auto total = std::accumulate(ulps.begin(), ulps.end(), std::uint64_t{0});
  const std::size_t place = total == 0 ? 0 : place_of_quantile(ulps, total, q);
  if (place == 0) return 0;
  if (place + 1 == ulps.size()) return worst_ulp;
  return std::min(worst_ulp, std::exp2(static_cast<double>(place) - 1));
}

ToleranceTable by_mode(const ToleranceTable& table) {
  return folded(table, [](ToleranceKey key) {
    key.length = 0;
    return key;
  });
}

ToleranceTable by_decade(const ToleranceTable& table) {
  return folded(table, [](ToleranceKey key) {
    key.length /= lengths_per_decade;
    return key;
  });
}

}  // namespace gradproof::findings
