#include "corpus/data_recipe.h"

#include <algorithm>
#include <iterator>

namespace gradproof::corpus {
namespace {

constexpr DistributionRow distributions[] = {
    {.distribution = Distribution::ExactGrid,
     .name = "exact_grid",
     .words = "integers whose sums are exact in any order; judged by equality",
     .has_fills = true,
     .has_lanes = true},
    {.distribution = Distribution::SparseFullMantissa,
     .name = "sparse_full_mantissa",
     .words = "few non-zeros, every significand bit in use; judged by the rigorous bound",
     .has_fills = true,
     .has_lanes = true},
    {.distribution = Distribution::NearOverflow,
     .name = "near_overflow",
     .words = "few non-zeros whose products meet the end of the result's range",
     .has_fills = true,
     .has_lanes = true,
     .is_in_turn = true},
    {.distribution = Distribution::NearUnderflow,
     .name = "near_underflow",
     .words = "few non-zeros whose products become subnormal or zero",
     .has_fills = true,
     .has_lanes = true,
     .is_in_turn = true},
    {.distribution = Distribution::Specials,
     .name = "specials",
     .words = "few non-zeros, some of them NaN, infinite, -0, the smallest or the largest",
     .has_fills = true,
     .is_in_turn = true},
    {.distribution = Distribution::Cancellation,
     .name = "cancellation",
     .words = "dense numbers near +1 and -1: sums far smaller than their terms",
     .is_dense = true,
     .has_lanes = true,
     .is_in_turn = true},
    {.distribution = Distribution::Uniform,
     .name = "uniform",
     .words = "dense real numbers of a range; judged by the rigorous bound",
     .is_dense = true,
     .has_lanes = true,
     .is_in_turn = true},
    {.distribution = Distribution::Listed,
     .name = "listed",
     .words = "the elements that a case lists"},
};

}  // namespace

std::string_view name_of(Distribution distribution) {
  const auto* row = std::ranges::find(distributions, distribution, &DistributionRow::distribution);
  return row == std::end(distributions) ? std::string_view{} : row->name;
}

std::optional<Distribution> distribution_named(std::string_view name) {
  const auto* row = std::ranges::find(distributions, name, &DistributionRow::name);
  if (row == std::end(distributions)) return std::nullopt;
  return row->distribution;
}

bool has_fills(Distribution distribution) { return row_of(distribution).has_fills; }

std::span<const DistributionRow> all_distributions() { return distributions; }

const DistributionRow& row_of(Distribution distribution) {
  return *std::ranges::find(distributions, distribution, &DistributionRow::distribution);
}

}  // namespace gradproof::corpus
