#include "properties/cases/check/check.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "corpus/random_source.h"
#include "oracle/geometry/workload.h"
#include "oracle/judge/attestation.h"
#include "oracle/judge/judge.h"
#include "oracle/recipes/recipe_plan.h"
#include "properties/targets/target/target.h"
#include "properties/targets/tiling/computes_on_cores.h"

namespace gradproof::properties {
namespace {

using corpus::Case;
using corpus::Distribution;

Case with_data(const Case& problem, Distribution recipe, std::uint64_t seed) {
  auto planned = oracle::with_recipe(problem, recipe, data_seed(problem, seed));
  if (planned) return std::move(*planned);
  Case bare = problem;
  bare.data.reset();
  return bare;
}

/// Where nothing is computed from the data, one recipe shows as much as two.
bool depends_on_data(const Case& problem) {
  if (corpus::is_tiling_class(problem.api) && !computes_on_cores(problem)) return false;
  const bool requested = std::ranges::any_of(corpus::output_roles, [&](corpus::OutputRole role) {
    return corpus::is_requested(problem, role);
  });
  return requested && oracle::mac_count(problem) != 0;
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

std::uint64_t data_seed(const Case& problem, std::uint64_t seed) {
  if (problem.data) return problem.data->seed;
  for (const char letter : problem.id)
    seed = corpus::mixed(seed ^ static_cast<unsigned char>(letter));
  return seed;
}

corpus::Verdict check(Target& target, const Case& problem, const CheckSettings& settings) {
  const auto seen = target.run_case(problem, settings.run);
  return judged({problem, settings.judge.profile}, seen, settings);
}

corpus::Verdict judged(const oracle::RuledCase& ruled, const corpus::Observation& seen,
                       const CheckSettings& settings) {
  const bool values = !settings.run.status_only && ruled.problem().data;
  corpus::Verdict verdict = oracle::judge(ruled, seen, settings.judge, values);
  if (settings.attests) oracle::attest(ruled.problem(), seen, verdict);
  return verdict;
}

std::vector<Case> status_run_of(const Case& problem) {
  std::vector<Case> runs;
  runs.push_back(problem);
  runs.back().data.reset();
  return runs;
}

std::vector<Case> runs_of(const oracle::RuledCase& ruled, const std::vector<Distribution>& recipes,
                          std::uint64_t seed) {
  const Case& problem = ruled.problem();
  if (problem.data && recipes.empty() && is_complete(*problem.data)) return {problem};
  if (!problem.shape_consistent || !may_succeed(ruled.ruling())) return status_run_of(problem);
  std::vector<Distribution> wanted = recipes;
  if (wanted.empty() && problem.data) wanted = {problem.data->distribution};
  if (wanted.empty()) {
    wanted.assign(std::begin(oracle::default_recipes), std::end(oracle::default_recipes));
    if (!depends_on_data(problem)) wanted.resize(1);
  }
  std::vector<Case> runs;
  runs.reserve(wanted.size());
  for (const Distribution recipe : wanted) {
    Case run = with_data(problem, recipe, seed);
    const bool is_again =
        !run.data && std::ranges::any_of(runs, [](const Case& one) { return !one.data; });
    if (!is_again) runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace gradproof::properties
