#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "oracle/numbers/format_row.h"

namespace gradproof::oracle {

/// The room that a recipe has in one format: a column of its row.
inline const FormatRange& range_of(NumberFormat format) { return row(format).range; }

/// Range that fits into both.
inline FormatRange common(const FormatRange& left, const FormatRange& right) {
  return {.largest_integer = std::min(left.largest_integer, right.largest_integer),
          .lowest_exponent = std::max(left.lowest_exponent, right.lowest_exponent),
          .highest_exponent = std::min(left.highest_exponent, right.highest_exponent),
          .result_exponent = std::min(left.result_exponent, right.result_exponent),
          .sparse_low = std::max(left.sparse_low, right.sparse_low),
          .sparse_high = std::min(left.sparse_high, right.sparse_high)};
}

/// The end of the result's range that products are to reach.
enum class Edge : std::uint8_t { Overflow, Underflow };

/// Replaces the binades of a planned recipe, so that results lie at the edge of the narrowest
/// format that they pass through, on both sides of it. The recipe's seed decides whether both
/// factors take half of the way or gradOutput takes all of it, which brings gradBias there too.
/// The case must have a recipe with fills; densities and magnitudes stay. Exponents are clipped to
/// those of finite, normal operands, so that a format with a small range may stay on one side of
/// its edge.
void move_to_edge(Edge edge, corpus::Case& test_case);

/// One reduction: its length, the second factor (none for the bias gradient), and how large its
/// results may become.
/// Lengths count products, padding not subtracted for the longest, and only contributing ones for
/// the mean (Geometry::mean_reduction).
struct Reduction {
  std::int64_t length = 1;  ///< the longest
  double mean_length = 1;   ///< of the elements with any contributing product
  std::optional<corpus::InputRole> partner;
  int result_exponent = 60;
  int precision = 24;  ///< every integer up to 2^this is a sum that does not round
};

/// Properties of a case that a plan of data depends on.
struct RecipeSetting {
  corpus::PerInput<FormatRange> operands{
      range_of(NumberFormat::Float), range_of(NumberFormat::Float), range_of(NumberFormat::Float)};
  corpus::PerOutput<Reduction> reductions;
  corpus::PerInput<std::int64_t> elements{1, 1, 1};
  /// No reduction may rely on its mean: the linear check that judges large cases needs every sum to
  /// be exact, going by the operands' extents alone.
  bool for_the_worst = false;
  bool has_bias = false;  ///< a forward call's, in the place of input
};

/// Operands must fit their dtype and the compute format; the results of a reduction must fit every
/// format that they are rounded to.
/// Errors: a sentence, where a tensor is missing or has no such elements, or shapes do not fit.
tl::expected<RecipeSetting, std::string> recipe_setting_of(const corpus::Case& test_case);

}  // namespace gradproof::oracle
