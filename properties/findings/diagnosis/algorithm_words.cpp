#include "properties/findings/diagnosis/clues.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "oracle/arithmetic/algorithm_scope.h"
#include "oracle/tiling/prediction.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/findings/diagnosis/fresh_runs.h"
#include "properties/findings/diagnosis/quantities.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::Case;
using corpus::Outcome;
using corpus::OutputRole;

std::optional<oracle::TileForm> form_of(const Case& test_case, OutputRole role,
                                        const oracle::JudgeSettings& settings) {
  const auto geometry = oracle::geometry_of(test_case);
  const auto ways = oracle::arithmetics(test_case, role, settings);
  if (!geometry || ways.empty()) return std::nullopt;
  return oracle::tiles_admitted(settings, test_case, *geometry, role, ways.front());
}

/// A call that is just not one for the tiles, for one value of one quantity.
struct Neighbour {
  std::string words;  ///< "stride_h 2"
  Case test_case;
};

/// The nearest value of a quantity with which the call is not one for tiles: a larger one or, of a
/// count, a smaller one.
std::optional<Neighbour> neighbour_along(const Quantity& quantity, const cases::Convolution& sizes,
                                         const Case& shrunk, OutputRole role,
                                         const oracle::JudgeSettings& settings) {
  std::vector<std::size_t> axes(sizes.axes.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  const auto with = [&](std::int64_t value) {
    return cases::with_convolution(shrunk, sizes, quantity.set(sizes, value), axes);
  };
  const auto is_outside = [&](std::int64_t value) {
    return !form_of(with(value), role, settings).has_value();
  };
  std::int64_t outside = quantity.value + 1;
  if (quantity.value > quantity.least) {
    if (!is_outside(quantity.least)) return std::nullopt;
    std::int64_t inside = quantity.value;
    outside = quantity.least;
    while (inside - outside > 1) {
      const std::int64_t middle = outside + (inside - outside) / 2;
      (is_outside(middle) ? outside : inside) = middle;
    }
  }
  if (!is_outside(outside)) return std::nullopt;
  return Neighbour{fmt::format("{} {}", quantity.words, outside), with(outside)};
}

/// True if all its fresh runs have this outcome.
bool all_are(Outcome outcome, targets::Target& target, const Case& test_case,
             const cases::CheckSettings& settings) {
  const auto runs = fresh_runs(test_case, std::nullopt, settings);
  return std::ranges::all_of(runs, [&](const Case& run) {
    return run.data && cases::check(target, run, settings).outcome == outcome;
  });
}

std::optional<std::string> needs_tiles(targets::Target& target, const Case& shrunk, OutputRole role,
                                       const oracle::TileForm& form,
                                       const cases::CheckSettings& settings) {
  const auto sizes = cases::convolution_of(shrunk);
  if (!sizes) return std::nullopt;
  constexpr std::size_t most_neighbours = 4;
  std::vector<std::string> agreeing;
  for (const Quantity& quantity : quantities_of(shrunk, *sizes)) {
    if (agreeing.size() == most_neighbours) break;
    const auto neighbour = neighbour_along(quantity, *sizes, shrunk, role, settings.judge);
    if (!neighbour || !cases::convolution_of(neighbour->test_case)) continue;
    if (!all_are(Outcome::Agree, target, neighbour->test_case, settings)) return std::nullopt;
    agreeing.push_back(neighbour->words);
  }
  constexpr std::size_t fewest = 2;
  if (agreeing.size() < fewest) return std::nullopt;
  return fmt::format("needs a call that {} may compute ({}): agrees with {}, where it may not",
                     oracle::words(form), form.why, fmt::join(agreeing, ", with "));
}

std::optional<std::string> is_as_in_tiles(targets::Target& target, const Case& shrunk,
                                          OutputRole role, cases::CheckSettings settings) {
  for (const corpus::Algorithm algorithm : corpus::winograd_algorithms) {
    const corpus::GradientAlgorithm known{.gradient = role, .algorithm = algorithm};
    if (corpus::impossibility(known)) continue;
    settings.judge.algorithms = {known};
    const auto form = form_of(shrunk, role, settings.judge);
    if (!form || cases::check(target, shrunk, settings).outcome != Outcome::Agree) continue;
    return fmt::format("{} is within the bound of {}, which nothing admits for this call",
                       corpus::name_of(role), oracle::words(*form));
  }
  return std::nullopt;
}

using corpus::TilingField;

std::vector<TilingField> right_fields(const corpus::Case& test_case) {
  const bool dx = corpus::computes_dx(test_case.api);
  return (dx ? oracle::tiling::input_prediction(test_case)
             : oracle::tiling::filter_prediction(test_case))
      .fields;
}

}  // namespace

std::optional<std::string> algorithm_words(targets::Target& target, const Case& shrunk,
                                           const corpus::Verdict& verdict,
                                           const cases::CheckSettings& settings) {
  const auto role = verdict.culprit;
  if (!role || *role == OutputRole::GradBias || !shrunk.data) return std::nullopt;
  const auto& worst = verdict.outputs[*role].worst;
  const auto form = form_of(shrunk, *role, settings.judge);
  // Its signature is an element without products that is not zero.
  if (!form && (!worst || worst->terms != 0)) return std::nullopt;
  return form ? needs_tiles(target, shrunk, *role, *form, settings)
              : is_as_in_tiles(target, shrunk, *role, settings);
}

std::vector<std::string> tiling_words(targets::Target& target, const corpus::Case& test_case,
                                      const cases::CheckSettings& settings) {
  const auto right = right_fields(test_case);
  const auto seen = target.run_case(test_case, settings.run);
  std::vector<std::string> wrong;
  for (const TilingField& field : right) {
    const auto found = std::ranges::find(seen.tiling, field.name, &TilingField::name);
    if (found == seen.tiling.end() || found->value == field.value) continue;
    wrong.push_back(fmt::format("{} is {} for {}", field.name, found->value, field.value));
  }
  if (wrong.empty()) return {};
  const std::size_t others = right.size() - wrong.size();
  return {fmt::format("of the tiling {}; the other {} fields that are known are right",
                      fmt::join(wrong, ", "), others)};
}

}  // namespace gradproof::findings::diagnosis
