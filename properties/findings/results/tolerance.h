#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "corpus/verdict.h"
#include "properties/findings/results/exact_total.h"

namespace gradproof::findings {

/// Properties of a call that a user sets or that decide the arithmetic: cases are counted by it.
struct Mode {
  std::string soc;
  std::string dtypes;  ///< of the inputs: "FLOAT", or "mixed"
  int cube_math_type = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): the 0 that the compiler compares with is no pointer
  friend auto operator<=>(const Mode&, const Mode&) = default;
};

/// Under what outputs' errors are counted together.
struct ToleranceKey {
  Mode mode;
  std::string compute_format;
  corpus::OutputRole gradient = corpus::OutputRole::GradInput;
  /// Fourth of a decade of the longest sum's number of products: floor(4 log10 K).
  int length = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): as above
  friend auto operator<=>(const ToleranceKey&, const ToleranceKey&) = default;
};

inline constexpr int lengths_per_decade = 4;

/// floor(4 log10 K), exactly; 0 for K = 0.
int length_bucket(std::uint64_t products);

/// The smallest number of products in a bucket, as a real number: 10^(bucket/4).
double length_of_bucket(int bucket);

/// Numbers above zero by their logarithm, eight buckets an octave, and zeros apart. Counts, so that
/// merging is exact.
class RatioHistogram {
 public:
  void add(double ratio);
  void merge(const RatioHistogram& other);
  std::uint64_t total() const;
  /// Upper edge of the bucket that holds the q-th quantile of the numbers above zero, at most 9 %
  /// above it; 0 where there are none.
  double quantile(double q) const;

  /// Converts the counts to JSON, and back. The latter throws where they are none.
  nlohmann::json saved() const;
  static RatioHistogram restored(const nlohmann::json& saved);

  friend bool operator==(const RatioHistogram&, const RatioHistogram&) = default;

 private:
  static constexpr int per_octave = 8, lowest_octave = -40, octaves = 44;
  /// Zeros; then from 2^-40 on, what lies below counted with the first; the last without an end.
  std::array<std::uint32_t, 1 + per_octave * octaves> counts_{};
};

/// Outputs that met a published standard, of those that it speaks about.
struct StandardCount {
  std::uint64_t met = 0, outputs = 0;
  friend bool operator==(const StandardCount&, const StandardCount&) = default;
};

inline constexpr std::size_t outcome_count = 6;
inline constexpr std::size_t ulp_buckets = 16;

/// The errors of all outputs under one key.
struct Tolerance {
  std::uint64_t outputs = 0, elements = 0;
  std::uint64_t exact_outputs = 0, exact_equal = 0;  ///< on the exact grid, and equal throughout
  double worst_ratio = 0, worst_ulp = 0, mare = 0;
  RatioHistogram ratios;                          ///< worst of each output
  std::array<std::uint64_t, ulp_buckets> ulps{};  ///< elements: 0, (0,1], (1,2], (2,4], ...
  ExactTotal relative_errors;                     ///< MERE times elements
  ExactTotal squares;                             ///< RMSE squared times elements
  std::map<std::string, StandardCount> standards;
  std::array<std::uint64_t, outcome_count> outcomes{};  ///< of the runs that the outputs are of

  void add(const corpus::OutputEvidence& evidence, corpus::Outcome outcome);
  void merge(const Tolerance& other);

  /// The median of the outputs' worst ratios. Outputs without any error, as on the exact grid, are
  /// left out: they say nothing about rounding.
  double typical_ratio() const { return std::min(ratios.quantile(0.5), worst_ratio); }
  double mere() const { return relative_errors.mean(elements); }
  double rmse() const;
  /// Upper edge of the bucket with the q-th quantile of the elements' ULP distances; the largest
  /// distance where that is the open one or smaller.
  double ulp_quantile(double q) const;

  friend bool operator==(const Tolerance&, const Tolerance&) = default;
};

using ToleranceTable = std::map<ToleranceKey, Tolerance>;

/// A table with keys made coarser, what becomes equal merged.
template <typename Coarser>
ToleranceTable folded(const ToleranceTable& table, Coarser&& coarser) {
  ToleranceTable result;
  for (const auto& [key, tolerance] : table) result[coarser(key)].merge(tolerance);
  return result;
}

/// All lengths together: the rows of the reports.
ToleranceTable by_mode(const ToleranceTable& table);

/// Lengths by decade: `length` is the decade.
ToleranceTable by_decade(const ToleranceTable& table);

}  // namespace gradproof::findings
