#include "properties/campaign/item_runs.h"

#include <fmt/format.h>

#include <utility>

#include "oracle/workload.h"
#include "properties/check.h"

namespace gradproof::properties {
namespace {

using corpus::Case;

std::vector<Case> checked_runs(const Work& work, const Case& problem,
                               const CampaignSettings& settings) {
  if (!settings.laws.exactness && !settings.laws.status) return {};
  if (settings.laws.exactness && !settings.check.run.status_only) {
    return runs_of(problem, settings.recipes, settings.check.judge.profile, work.seed);
  }
  Case bare = problem;  // phase one reads no element
  bare.data.reset();
  return {bare};
}

/// A person who replays a case under a law is told where the law says nothing.
std::vector<const Law*> laws_of_item(const Work& work, const WorkItem& item,
                                     const CampaignSettings& settings) {
  if (settings.check.run.status_only) return {};
  if (!work.source && !settings.laws.drawn) return settings.laws.laws;
  return laws_for(settings.laws, item.problem, item.is_generated, settings.check.judge.profile);
}

void add_law_run(const Work& work, const WorkItem& item, const Law* law, std::string repro,
                 std::vector<ItemRun>& runs) {
  const auto run = law_run(*law, item.problem, data_seed(item.problem, work.seed));
  if (!run && work.source) return;
  // Without data under which the law says anything, it says nothing.
  runs.push_back({run.value_or(item.problem), law, std::move(repro)});
}

}  // namespace

bool is_too_large(const Case& problem, const CampaignSettings& settings) {
  if (!settings.max_macs || settings.check.run.status_only) return false;
  return oracle::mac_count(problem).value_or(0) > *settings.max_macs;
}

std::vector<ItemRun> runs_of_item(const Work& work, const WorkItem& item,
                                  const CampaignSettings& settings) {
  std::vector<ItemRun> runs;
  if (is_too_large(item.problem, settings)) return runs;
  if (!item.law.empty()) {
    add_law_run(work, item, law_named(item.law), item.repro, runs);
    return runs;
  }
  for (Case& run : checked_runs(work, item.problem, settings)) {
    runs.push_back({std::move(run), nullptr, item.repro});
  }
  for (const Law* law : laws_of_item(work, item, settings)) {
    std::string repro = item.repro;
    if (item.is_generated) repro += fmt::format(" --law {}", law->name);
    add_law_run(work, item, law, std::move(repro), runs);
  }
  return runs;
}

corpus::Verdict held_to(const Law* law, Target& target, const Case& problem,
                        const CheckSettings& settings) {
  return law ? check_law(*law, target, problem, settings) : check(target, problem, settings);
}

}  // namespace gradproof::properties
