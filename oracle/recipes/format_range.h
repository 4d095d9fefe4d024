#pragma once

#include <algorithm>

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

}  // namespace gradproof::oracle
