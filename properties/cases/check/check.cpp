#include "properties/cases/check/check.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "corpus/random_source.h"
#include "oracle/geometry/workload.h"
#include "oracle/judge/attestation.h"
#include "oracle/judge/judge.h"
#include "oracle/recipes/recipe_plan.h"
#include "properties/targets/tiling/tiling_classes.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::Distribution;

Case with_data(const Case& test_case, Distribution recipe, std::uint64_t seed) {
  auto planned = oracle::with_recipe(test_case, recipe, data_seed(test_case, seed));
  if (planned) return std::move(*planned);
  Case bare = test_case;
  bare.data.reset();
  return bare;
}

/// True if results depend on the data: if not, one recipe shows as much as two.
bool depends_on_data(const Case& test_case) {
  if (corpus::is_tiling_class(test_case.api) && !targets::computes_on_cores(test_case))
    return false;
  const bool requested = std::ranges::any_of(corpus::output_roles, [&](corpus::OutputRole role) {
    return corpus::is_requested(test_case, role);
  });
  return requested && oracle::mac_count(test_case) != 0;
}

bool is_complete(const corpus::DataRecipe& data) {
  return !corpus::has_fills(data.distribution) || data.fills.has_value();
}

}  // namespace

bool may_succeed(const oracle::Ruling& ruling) {
  const auto& statuses = ruling.admissible.statuses;
  const bool success = std::ranges::find(statuses, corpus::Status::Success) != statuses.end();
  return success && !ruling.admissible.values_ill_defined;
}

std::uint64_t data_seed(const Case& test_case, std::uint64_t seed) {
  if (test_case.data) return test_case.data->seed;
  for (const char letter : test_case.id)
    seed = corpus::mixed(seed ^ static_cast<unsigned char>(letter));
  return seed;
}

corpus::Verdict check(targets::Target& target, const Case& test_case,
                      const CheckSettings& settings) {
  return check(target, oracle::RuledCase(test_case, settings.judge.profile), settings);
}

corpus::Verdict check(targets::Target& target, const oracle::RuledCase& ruled,
                      const CheckSettings& settings) {
  return judged_on(target, ruled, target.run_case(ruled.test_case(), settings.run), settings);
}

corpus::Verdict judged_on(targets::Target& target, const oracle::RuledCase& ruled,
                          const corpus::Observation& seen, const CheckSettings& settings) {
  return looked_at_again(target, ruled.test_case(), settings, judged(ruled, seen, settings));
}

corpus::Verdict judged(const oracle::RuledCase& ruled, const corpus::Observation& seen,
                       const CheckSettings& settings) {
  const bool values = !settings.run.status_only && ruled.test_case().data;
  corpus::Verdict verdict = oracle::judge(ruled, seen, settings.judge, values);
  if (settings.attests) oracle::attest(ruled.test_case(), seen, verdict);
  return verdict;
}

std::vector<Case> status_run_of(const Case& test_case) {
  std::vector<Case> runs;
  runs.push_back(test_case);
  runs.back().data.reset();
  return runs;
}

std::vector<Case> runs_of(const oracle::RuledCase& ruled, const std::vector<Distribution>& recipes,
                          std::uint64_t seed) {
  const Case& test_case = ruled.test_case();
  if (test_case.data && recipes.empty() && is_complete(*test_case.data)) return {test_case};
  if (!test_case.shape_consistent || !may_succeed(ruled.ruling())) return status_run_of(test_case);
  std::vector<Distribution> wanted = recipes;
  if (wanted.empty() && test_case.data) wanted = {test_case.data->distribution};
  if (wanted.empty()) {
    wanted.assign(std::begin(oracle::default_recipes), std::end(oracle::default_recipes));
    if (!depends_on_data(test_case)) wanted.resize(1);
  }
  std::vector<Case> runs;
  runs.reserve(wanted.size());
  for (const Distribution recipe : wanted) {
    Case run = with_data(test_case, recipe, seed);
    const bool is_again =
        !run.data && std::ranges::any_of(runs, [](const Case& one) { return !one.data; });
    if (!is_again) runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace gradproof::cases
