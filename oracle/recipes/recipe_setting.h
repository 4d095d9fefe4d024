#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "oracle/recipes/format_range.h"

namespace gradproof::oracle {

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
