#include "properties/findings/diagnosis/fresh_runs.h"

#include <cstdint>

namespace gradproof::findings::diagnosis {
namespace {

using corpus::Case;

/// Seeds that no other stage uses.
constexpr std::uint64_t first_seed_of_conditions = 0xC0'0D17'0155;

/// Largest number of seeds of a recipe that shows a fault now and then only.
constexpr std::uint64_t most_seeds = 16;

}  // namespace

std::optional<corpus::Distribution> recipe_of(const Case& original) {
  if (!original.data || !corpus::has_fills(original.data->distribution)) return std::nullopt;
  return original.data->distribution;
}

std::vector<Case> fresh_runs(Case test_case, const std::optional<corpus::Distribution>& recipe,
                             const cases::CheckSettings& settings) {
  test_case.data.reset();
  test_case.expect.reset();
  const oracle::RuledCase ruled(test_case, settings.judge.profile);
  std::vector<Case> runs = cases::runs_of(ruled, {}, first_seed_of_conditions);
  if (recipe) {
    for (std::uint64_t i = 1; i <= most_seeds; ++i) {
      auto more = cases::runs_of(ruled, {*recipe}, first_seed_of_conditions + i);
      runs.insert(runs.end(), more.begin(), more.end());
    }
  }
  return runs;
}

}  // namespace gradproof::findings::diagnosis
