#include "properties/league/fill.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/precision_standard.h"
#include "oracle/geometry/geometry.h"
#include "oracle/numbers/number_format.h"
#include "oracle/recipes/recipe_plan.h"
#include "properties/campaign/item_runs.h"

namespace gradproof::properties {
namespace {

using corpus::Distribution;
using oracle::NumberFormat;

constexpr FillRow rows[] = {
    {Fill::SmallIntegers, "small integers",
     "integers of benchdnn's ranges, zeros among them, gradOutput thinned so that sums stay exact",
     Distribution::ExactGrid},
    {Fill::ZeroToHundredth, "[0, 0.01)", "uniform from 0 to 0.01", Distribution::Uniform, 0, 0.01},
    {Fill::MinusTenthToTenth, "[-0.1, 0.1]", "uniform from -0.1 to 0.1", Distribution::Uniform,
     -0.1, 0.1},
    {Fill::MinusOneToOne, "[-1, 1]", "uniform from -1 to 1", Distribution::Uniform, -1, 1},
    {Fill::MinusNineToNine, "[-9, 9]", "uniform from -9 to 9", Distribution::Uniform, -9, 9},
    {Fill::ExactGrid, "exact grid",
     "Gradproof's integers times a power of two, planned for the case", Distribution::ExactGrid, 0,
     0, true},
    {Fill::SparseFullMantissa, "sparse full mantissa",
     "Gradproof's few non-zeros with every significand bit in use",
     Distribution::SparseFullMantissa, 0, 0, true},
    {Fill::Edges, "edges",
     "Gradproof's third recipe for 30 cases of 100: near overflow or underflow, NaN and "
     "infinities, "
     "cancellation, uniform",
     Distribution::Specials, 0, 0, true, false},
};

/// Integers are drawn from [-m, m]. Source: oneDNN, tests/benchdnn/conv/cfg.cpp; what has no row
/// (FLOAT16, its 8-bit formats, and HIFLOAT8, which it does not know) has the last one's.
struct IntegerRange {
  NumberFormat format;
  std::array<std::int64_t, 3> magnitudes;  ///< by InputRole
};
constexpr IntegerRange integer_ranges[] = {
    {NumberFormat::Float, {8, 32, 32}},      {NumberFormat::Hf32Wide, {8, 32, 32}},
    {NumberFormat::Hf32Narrow, {8, 32, 32}}, {NumberFormat::BFloat16, {4, 4, 4}},
    {NumberFormat::Float16, {4, 4, 2}},
};

constexpr double whole = 65536;  ///< the unit of TensorFill::density

/// What the integers must survive on their way.
struct IntegerSetting {
  NumberFormat operands = NumberFormat::Float;
  int digits = 24;            ///< of the least precise format that a sum passes through
  std::int64_t products = 1;  ///< in the longest sum
};

IntegerSetting setting_of(const corpus::Case& problem) {
  IntegerSetting setting;
  const auto geometry = oracle::geometry_of(problem);
  for (const corpus::OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(problem, role)) continue;
    const auto ways = oracle::arithmetics(problem, role, {});
    if (ways.empty()) continue;
    const oracle::Arithmetic& way = ways.front();
    if (role != corpus::OutputRole::GradBias) setting.operands = way.operands;
    setting.digits = std::min(setting.digits, oracle::precision(way.output));
    for (const NumberFormat format : way.roundings) {
      setting.digits = std::min(setting.digits, oracle::precision(format));
    }
    if (geometry) setting.products = std::max(setting.products, geometry->longest_reduction(role));
  }
  return setting;
}

/// benchdnn thins gradOutput to the share that keeps the sums exact: 2^digits / (largest product)
/// of them may meet.
corpus::DataRecipe small_integers(const corpus::Case& problem, std::uint64_t seed) {
  const IntegerSetting setting = setting_of(problem);
  const auto* row = std::ranges::find(integer_ranges, setting.operands, &IntegerRange::format);
  if (row == std::end(integer_ranges)) --row;
  const auto& magnitudes = row->magnitudes;
  const auto largest_product =
      static_cast<double>(magnitudes[0] * std::max(magnitudes[1], magnitudes[2]));
  const double safe = std::ldexp(1.0, setting.digits) / largest_product;
  const double share = std::min(1.0, safe / static_cast<double>(setting.products));
  corpus::DataRecipe recipe;
  recipe.seed = seed;
  recipe.distribution = Distribution::ExactGrid;
  auto& fills = recipe.fills.emplace();
  for (std::size_t i = 0; i < fills.size(); ++i) {
    const auto m = static_cast<double>(magnitudes.at(i));
    const double drawn = 2 * m / (2 * m + 1) * (i == 0 ? share : 1.0);  // zero is one of 2m + 1
    fills.at(i).magnitude = magnitudes.at(i);
    fills.at(i).density = static_cast<std::uint32_t>(std::max(1.0, std::round(whole * drawn)));
  }
  return recipe;
}

/// Products of small numbers would vanish in these formats: what MIOpen fills them with is [-1, 1].
bool has_8_bit_input(const corpus::Case& problem) {
  return std::ranges::any_of(corpus::input_roles, [&](corpus::InputRole role) {
    return corpus::is_8_bit_float(corpus::tensor(problem, role)->dtype);
  });
}

/// As properties/campaign/item_runs.cpp draws it.
tl::expected<corpus::Case, std::string> edges(const corpus::Case& problem, std::uint64_t seed) {
  Work work;
  CampaignSettings settings;
  settings.laws = law_choice({"exactness"});
  corpus::Case generated = problem;
  generated.data.reset();
  work.seed = seed;
  auto runs = runs_of_item(work, {generated, "", "", true}, settings);
  if (runs.size() <= std::size(oracle::default_recipes)) {
    return tl::unexpected(std::string("verify runs it under the default recipes alone"));
  }
  return std::move(runs.back().problem);
}

}  // namespace

std::span<const FillRow> fill_rows() { return rows; }

const FillRow& row_of(Fill fill) { return rows[static_cast<std::size_t>(fill)]; }

tl::expected<corpus::Case, std::string> with_fill(const corpus::Case& problem, Fill fill,
                                                  std::uint64_t seed) {
  const FillRow& row = row_of(fill);
  if (fill == Fill::SmallIntegers) {
    corpus::Case filled = problem;
    filled.data = small_integers(problem, seed);
    return filled;
  }
  if (fill == Fill::Edges) return edges(problem, seed);
  auto filled = oracle::with_recipe(problem, row.distribution, seed);
  if (filled && row.distribution == Distribution::Uniform) {
    const bool is_lost = row.high < 1 && has_8_bit_input(problem);
    filled->data->range_low = is_lost ? -1 : row.low;
    filled->data->range_high = is_lost ? 1 : row.high;
  }
  return filled;
}

}  // namespace gradproof::properties
