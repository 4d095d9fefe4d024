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

}  // namespace gradproof::corpus
