#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "corpus/machine/machine.h"
#include "oracle/arithmetic/addend_law.h"
#include "oracle/geometry/sum_lengths.h"
#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {

/// The error that a right FLOAT sum of random addends exceeds with a given probability. It is no
/// bound: a right sum may be further off, so that no verdict can rest on it.
///
/// Model (N. J. Higham and T. Mary, A new approach to probabilistic rounding error analysis, SIAM
/// J. Sci. Comput. 41, 2019; Sharper probabilistic backward error analysis for basic linear algebra
/// kernels with random data, ibid. 42, 2020): addends are independent, roundings too and of mean
/// zero. Here a rounding is moreover uniform in the unit of the partial sum t that it rounds, and t
/// is normal with the mean and variance of so many addends.
///
/// Given the partial sums the error e has the variance V = sum of unit(t)^2 / 12. V is random as
/// well, and its tail makes large errors much more frequent than a normal law would: of long
/// sums of mean zero in sequence E exp(z e) is 1 / sqrt(cos z) in suitable units (R. H. Cameron and
/// W. T. Martin, J. Math. Phys. Mass. Inst. Tech. 23, 1944), so that one error in 10^9 exceeds 17
/// standard deviations, not 6.
///
/// So E exp(z e) is carried through the additions, z being the tilt: E[exp(z e); t] is kept as a
/// weight and a normal density of t. Adding sums convolves the densities. Rounding multiplies by
/// E exp(z * rounding), an exponential of unit(t)^2; with a multiple of t^2 of the same mean in its
/// place, the product is normal again. The tail follows from log E exp(z e) by the saddle point
/// formula of R. Lugannani and S. Rice (Adv. Appl. Probab. 12, 1980).
///
/// Calibrated: tests/oracle/arithmetic/random_sum_test.cpp, docs/tolerances.md.
class RandomSum {
 public:
  /// Elements of these lengths, at least one addend each, taken at random. `order`: any family but
  /// blocks and explicit trees.
  RandomSum(AddendLaw law, std::vector<SumLength> lengths, const corpus::SummationTree& order = {});

  /// One sum of known addends that are added in random order, in sequence: `law` is theirs, and
  /// `addends` their number.
  RandomSum(AddendLaw law, std::int64_t addends);

  /// Standard deviation of the error; 0 where every partial sum is exact.
  double deviation();

  /// The magnitude of error that is exceeded with this probability, from 1e-12 to 0.1.
  double quantile(double probability);

  /// Quantile of the sum after it is rounded to these formats; `quantile` where there is none.
  double rounded_quantile(double probability, std::span<const NumberFormat> formats);

 private:
  /// A sum of so many addends: its errors' variance, and E[exp(z e); t] as exp(log_weight) times a
  /// normal density of t.
  struct Part {
    std::int64_t addends = 0;
    double error = 0, log_weight = 0, mean = 0, variance = 0;
  };
  /// Mean squares of what rounding a sum costs, and of the sum.
  struct Addition {
    double error = 0, sum = 0;
  };
  struct Tail {
    double error = 0, probability = 0;
  };

  Part addend(double tilt) const;
  Part in_sequence(const Part& part, std::int64_t count, double tilt);
  Part in_pairs(const Part& part, std::int64_t count, double tilt);
  Part in_parts(const Part& one, std::int64_t addends, std::int64_t size, double tilt);
  Part added(const Part& one, std::int64_t addends, double tilt);
  static Part joined(const Part& one, const Part& other, std::int64_t copies);
  Part rounded(Part sum, std::int64_t last_added, double times, double tilt);
  const Addition& addition(std::int64_t left, std::int64_t right);
  std::vector<RandomAddend> values(std::int64_t addends) const;
  double mean(std::int64_t addends) const { return law_.mean * static_cast<double>(addends); }
  double variance(std::int64_t addends) const;
  double log_of_expected(double tilt);
  std::optional<Tail> tail(double tilt);
  double rounded_tail(double error, double deviation, std::span<const NumberFormat> formats) const;

  AddendLaw law_;
  std::vector<RandomAddend> few_addends_;  ///< of the law, spread evenly
  std::vector<SumLength> lengths_;         ///< elements as a share of all
  corpus::SummationTree order_;
  bool total_is_known_ = false;
  std::map<std::pair<std::int64_t, std::int64_t>, Addition> additions_;
};

}  // namespace gradproof::oracle
