#include "corpus/data_recipe.h"

#include <algorithm>
#include <iterator>

namespace gradproof::corpus {
namespace {

struct DistributionRow {
  Distribution distribution;
  std::string_view name;
};

constexpr DistributionRow distributions[] = {
    {Distribution::Uniform, "uniform"},
    {Distribution::ExactGrid, "exact_grid"},
    {Distribution::SparseFullMantissa, "sparse_full_mantissa"},
    {Distribution::NearOverflow, "near_overflow"},
    {Distribution::NearUnderflow, "near_underflow"},
    {Distribution::Specials, "specials"},
    {Distribution::Cancellation, "cancellation"},
    {Distribution::Listed, "listed"},
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

bool has_fills(Distribution distribution) {
  switch (distribution) {
    case Distribution::ExactGrid:
    case Distribution::SparseFullMantissa:
    case Distribution::NearOverflow:
    case Distribution::NearUnderflow:
    case Distribution::Specials:
      return true;
    case Distribution::Uniform:
    case Distribution::Cancellation:
    case Distribution::Listed:
      break;
  }
  return false;
}

}  // namespace gradproof::corpus
