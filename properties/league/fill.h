#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/data_recipe.h"

namespace gradproof::properties {

/// What operands are filled with. A verdict depends on its data: every contestant of the league has
/// its own fills, and is also tried under those of all others.
enum class Fill : std::uint8_t {
  SmallIntegers,
  ZeroToHundredth,
  MinusTenthToTenth,
  MinusOneToOne,
  MinusNineToNine,
  ExactGrid,
  SparseFullMantissa,
  Edges,
};

/// A way to fill the inputs, as a tool does it.
struct FillRow {
  Fill fill;
  std::string_view name;   ///< of a column
  std::string_view words;  ///< what the values are
  corpus::Distribution distribution;
  double low = 0, high = 0;    ///< uniform alone
  bool is_gradproofs = false;  ///< of Gradproof's own
  bool is_for_all = true;      ///< else the other verdicts have no reference for such values
};

/// All of them, in the order of the enumeration.
std::span<const FillRow> fill_rows();

const FillRow& row_of(Fill fill);

/// The case with data of this fill, complete and replayable. Errors: a sentence, where the case
/// gets no such data; most get none of `Edges`, which verify draws for 30 cases of 100.
tl::expected<corpus::Case, std::string> with_fill(const corpus::Case& problem, Fill fill,
                                                  std::uint64_t seed);

}  // namespace gradproof::properties
