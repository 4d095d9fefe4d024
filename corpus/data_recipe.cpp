#include "corpus/data_recipe.h"

#include <algorithm>
#include <iterator>

namespace gradproof::corpus {
namespace {

struct Row {
  Distribution distribution;
  std::string_view name;
};

constexpr Row rows[] = {
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
  const auto* row = std::ranges::find(rows, distribution, &Row::distribution);
  return row == std::end(rows) ? std::string_view{} : row->name;
}

std::optional<Distribution> distribution_named(std::string_view name) {
  const auto* row = std::ranges::find(rows, name, &Row::name);
  if (row == std::end(rows)) return std::nullopt;
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
