#pragma once

#include <cstdint>

namespace gradproof::findings {

/// Successes in independent trials.
struct Trials {
  std::uint64_t successes = 0, count = 0;
};

/// P(X <= successes) for X binomial with this probability. Errs by some 1e-12 of itself.
double binomial_tail(const Trials& trials, double probability);

/// Upper end of the exact one-sided confidence interval of the probability of a success: the
/// probability with which so few successes are seen with a chance of 1 - confidence. 1 where there
/// are no trials or nothing but successes. Without a success it is 1 - (1 - confidence)^(1/n).
/// Source: C. J. Clopper and E. S. Pearson, The use of confidence or fiducial limits illustrated in
/// the case of the binomial, Biometrika 26 (1934).
double upper_limit(const Trials& trials, double confidence);

/// The lower end likewise; 0 without a success.
double lower_limit(const Trials& trials, double confidence);

/// The fewest trials without a success whose upper limit is below `probability`.
std::uint64_t trials_for(double probability, double confidence);

}  // namespace gradproof::findings
