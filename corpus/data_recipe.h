#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gradproof::corpus {

/// Rule that fills the inputs of a case. Every element is a pure function of (seed, tensor,
/// coordinate, recipe), so that a smaller case keeps the values of the elements that remain.
enum class Distribution : std::uint8_t {
  Uniform,             ///< real numbers in [range_low, range_high], rounded towards zero
  ExactGrid,           ///< integers times a power of two: sums are exact when magnitudes allow
  SparseFullMantissa,  ///< few non-zeros, every significand bit drawn, over several binades
  NearOverflow,        ///< the same, in binades whose products meet the end of the result's range
  NearUnderflow,       ///< the same, where results become subnormal or zero
  Specials,            ///< the same, with NaN, infinities, -0 and both ends of the finite range
  Cancellation,        ///< +-1 and a little more: sums far smaller than their terms
  Listed,              ///< the elements listed; every other one is +0
};

std::string_view name_of(Distribution distribution);
std::optional<Distribution> distribution_named(std::string_view name);

/// True if the distribution has a fill for each input, which the oracle can plan.
bool has_fills(Distribution distribution);

/// Properties of a distribution by itself.
struct DistributionRow {
  Distribution distribution;
  std::string_view name;
  std::string_view words;  ///< for people who choose one
  bool has_fills;          ///< a fill for each input, which the oracle can plan
  bool is_dense;           ///< every element is drawn; else as many as the fill's density says
  bool has_lanes;          ///< many elements are drawn at once (lane_steps.cpp), with the same bits
  bool is_in_turn;  ///< one of those that some generated cases get in addition to the defaults
};

/// The order is that of the turns.
std::span<const DistributionRow> all_distributions();
const DistributionRow& row_of(Distribution distribution);

/// Recipe that fills one input tensor.
struct TensorFill {
  std::uint32_t density = 65536;   ///< elements that are drawn at all, of 65536; the others are +0
  std::int64_t magnitude = 1;      ///< exact grid: integers in [-magnitude, magnitude] ...
  std::int32_t exponent = 0;       ///< exact grid: ... times 2^exponent
  std::int32_t exponent_low = 0;   ///< all others: lowest binade, values in [2^low, 2^(low+1))
  std::int32_t exponent_high = 0;  ///< all others: highest binade

  friend bool operator==(const TensorFill&, const TensorFill&) = default;
};

/// One element of a `Listed` tensor.
struct ListedElement {
  std::vector<std::int64_t> at;  ///< coordinate in the tensor's shape
  std::uint64_t bits = 0;        ///< the element's bits in the tensor's dtype

  friend bool operator==(const ListedElement&, const ListedElement&) = default;
};

/// Contents of the three inputs of a case. Their bits follow from it (corpus/element_values.h).
struct DataRecipe {
  std::uint64_t seed = 0;
  Distribution distribution = Distribution::Uniform;
  double range_low = -1, range_high = 1;  ///< uniform
  /// Where has_fills(distribution), by InputRole. Absent: the oracle plans magnitudes and
  /// densities for the case (oracle/recipes/recipe_plan.h); a planned recipe is stored with its
  /// numbers, so that it replays without the planner.
  std::optional<std::array<TensorFill, 3>> fills;
  std::array<std::vector<ListedElement>, 3> listed;  ///< by InputRole

  friend bool operator==(const DataRecipe&, const DataRecipe&) = default;
};

}  // namespace gradproof::corpus
