#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "corpus/verdict.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/numbers/format_row.h"

namespace gradproof::oracle {

/// The least precise step of an arithmetic: what decides which row of the published standards holds
/// (PublishedPrecision). HIFLOAT8 has none: its outputs are held to "at most one code from the
/// exact value rounded" instead, which is ours.
NumberFormat least_precise(const Arithmetic& arithmetic);

/// Errors of one output's elements as the published standards measure them. Elements that are not
/// finite on both sides are left out.
/// Units: errors those of the output, relative errors none, distances codes (ulp.h). In doubles,
/// added in row-major order: figures for a person, which decide nothing.
class ErrorMetrics {
 public:
  explicit ErrorMetrics(const Arithmetic& arithmetic);

  /// Adds an element. `expected`: the exact value rounded to the output's format.
  void add(const Number& computed, double exact, const Number& expected);
  /// Adds a finite computed element that is the exact value rounded.
  void add_rounded(double computed, double exact);
  /// Adds `count` elements that are their exact values.
  void add_exact(std::uint64_t count);

  /// Writes MARE, MERE, RMSE and the standards' results.
  void write_to(corpus::OutputEvidence& evidence) const;

 private:
  /// Largest, sum and sum of squares.
  /// MARE is the largest relative error, MERE their mean, RMSE the square root of the mean of the
  /// squared absolute errors.
  struct Sums {
    double largest = 0, sum = 0, squares = 0;
    std::uint64_t count = 0;
    void add(double relative, double error);
    double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
    double root_mean_square() const;
  };

  /// Adds an error. `expected`: the exact value rounded, finite.
  void add_error(double error, double exact, double expected);

  std::string name_with_row(std::string_view criterion) const;
  corpus::StandardResult relative_error() const;
  corpus::StandardResult mixed_tolerance() const;
  corpus::StandardResult codes_between() const;

  NumberFormat output_;
  std::optional<PublishedPrecision> row_;
  Sums all_;
  double largest_error_ = 0, ulp_at_largest_ = 0, largest_ulps_ = 0;
  std::uint64_t within_tolerance_ = 0;
};

}  // namespace gradproof::oracle
