#include "properties/findings/report/binomial.h"

#include <cmath>

namespace gradproof::findings {
namespace {

/// log of P(X = k). A sum over min(k, n - k) factors: no table and no approximation is needed.
double log_mass(std::uint64_t k, std::uint64_t n, double log_choices, double probability) {
  return log_choices + static_cast<double>(k) * std::log(probability) +
         static_cast<double>(n - k) * std::log1p(-probability);
}

double log_choices(std::uint64_t k, std::uint64_t n) {
  const std::uint64_t fewer = k < n - k ? k : n - k;
  double sum = 0;
  for (std::uint64_t i = 1; i <= fewer; ++i) {
    sum += std::log(static_cast<double>(n - fewer + i) / static_cast<double>(i));
  }
  return sum;
}

/// Terms below this share of their sum are left out; they shrink faster than a geometric series.
constexpr double negligible = 1e-18;

/// P(X <= k) / P(X = k), for k below the mean.
double below(std::uint64_t k, std::uint64_t n, double odds) {
  double term = 1, sum = 1;
  for (std::uint64_t i = k; i > 0 && term > negligible * sum; --i) {
    term *= static_cast<double>(i) / static_cast<double>(n - i + 1) / odds;
    sum += term;
  }
  return sum;
}

/// P(X > k) / P(X = k), for k from the mean on.
double above(std::uint64_t k, std::uint64_t n, double odds) {
  double term = 1, sum = 0;
  for (std::uint64_t i = k; i < n && (sum == 0 || term > negligible * sum); ++i) {
    term *= static_cast<double>(n - i) / static_cast<double>(i + 1) * odds;
    sum += term;
  }
  return sum;
}

double tail(const Trials& trials, double choices, double probability) {
  const auto [k, n] = trials;
  if (k >= n || probability <= 0) return 1;
  if (probability >= 1) return 0;
  const double mass = std::exp(log_mass(k, n, choices, probability));
  const double odds = probability / (1 - probability);
  const bool is_below = static_cast<double>(k) < static_cast<double>(n) * probability;
  return is_below ? mass * below(k, n, odds) : 1 - mass * above(k, n, odds);
}

/// The probability with which P(X <= successes) is `chance`: that tail falls as it grows.
double probability_of(const Trials& trials, double chance) {
  const double choices = log_choices(trials.successes, trials.count);
  double low = 0, high = 1;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (tail(trials, choices, middle) > chance ? low : high) = middle;
  }
  return high;
}

}  // namespace

double binomial_tail(const Trials& trials, double probability) {
  if (trials.successes >= trials.count) return 1;
  return tail(trials, log_choices(trials.successes, trials.count), probability);
}

double upper_limit(const Trials& trials, double confidence) {
  if (trials.successes >= trials.count) return 1;
  if (trials.successes == 0) {
    return -std::expm1(std::log1p(-confidence) / static_cast<double>(trials.count));
  }
  return probability_of(trials, 1 - confidence);
}

/// P(X >= k) = 1 - P(X <= k - 1).
double lower_limit(const Trials& trials, double confidence) {
  if (trials.successes == 0 || trials.count == 0) return 0;
  return probability_of({trials.successes - 1, trials.count}, confidence);
}

std::uint64_t trials_for(double probability, double confidence) {
  return static_cast<std::uint64_t>(std::ceil(std::log1p(-confidence) / std::log1p(-probability)));
}

}  // namespace gradproof::findings
