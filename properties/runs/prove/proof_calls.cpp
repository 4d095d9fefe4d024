#include "properties/runs/prove/proof_calls.h"

#include <fmt/core.h>

#include <utility>

#include "corpus/element_hash.h"
#include "properties/cases/check/check.h"
#include "properties/runs/prove/attack.h"

namespace gradproof::runs {

using corpus::Case;

ProofCalls::ProofCalls(Scope scope, std::vector<ProofMode> modes, oracle::JudgeSettings settings,
                       std::uint64_t seed, Attacks attacks, std::string command)
    : scope_(std::move(scope)),
      modes_(std::move(modes)),
      settings_(std::move(settings)),
      seed_(seed),
      attacks_(attacks),
      command_(std::move(command)) {}

Case ProofCalls::call(std::uint64_t number) const {
  const ProofMode& mode = modes_.at(to_size(number / scope_.size()));
  return case_of(scope_.call(number % scope_.size()), mode,
                 fmt::format("{}-{}", scope_.name(), number));
}

std::vector<Case> ProofCalls::runs(const Case& test_case, std::uint64_t number,
                                   const oracle::Ruling& ruling) const {
  const auto plan = cases::may_succeed(ruling) ? proof_plan(test_case, settings_) : std::nullopt;
  if (!plan) return cases::status_run_of(test_case);
  const std::uint64_t key = corpus::mixed(corpus::mixed(seed_) + corpus::golden * (number + 1));
  const auto seed_of_run = [&](std::uint64_t run) { return corpus::mixed(key + run); };
  const std::uint64_t count = plan->all_runs(test_case);
  std::vector<Case> runs;
  runs.reserve(count + 1);
  for (std::uint64_t run = 0; run < count; ++run) {
    runs.push_back(plan->one_hot ? one_hot_run(test_case, *plan, run / plan->runs, seed_of_run(run))
                                 : grid_run(test_case, *plan, seed_of_run(run)));
  }
  for (Case& run : attack_runs(test_case, *plan, seed_of_run(count)))
    runs.push_back(std::move(run));
  return runs;
}

std::vector<Case> ProofCalls::attack_runs(const Case& test_case, const ProofPlan& plan,
                                          std::uint64_t key) const {
  std::vector<Case> runs;
  if (attacks_ == Attacks::None) return runs;
  const auto attacks = all_attacks();
  for (std::size_t i = 0; i < attacks.size(); ++i) {
    if (attacks_ == Attacks::InTurn && i != key % attacks.size()) continue;
    auto run = attacks[i].run(test_case, plan, corpus::mixed(key + i));
    if (run) runs.push_back(std::move(*run));
  }
  return runs;
}

}  // namespace gradproof::runs
