#include "properties/runs/campaign/item_runs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "corpus/data_recipe.h"
#include "corpus/element_encoding.h"
#include "corpus/element_values.h"
#include "corpus/random_source.h"
#include "oracle/arithmetic/machine_scope.h"
#include "oracle/facts/checked_integer.h"
#include "oracle/geometry/workload.h"
#include "oracle/recipes/recipe_plan.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/check/check.h"
#include "properties/targets/session/case_memory.h"
#include "properties/targets/target/target.h"
#include "properties/targets/tiling/tiling_classes.h"

namespace gradproof::runs {
namespace {

using corpus::Case;
using corpus::Distribution;

/// Beyond either limit, computing a gradient with a tiling class takes the simulated cores and the
/// judge as long as hundreds of calls. Of so many such cases one is computed, under one recipe; for
/// the others only the tiling is asked.
constexpr std::uint64_t most_tiled_macs = 100'000;
constexpr std::int64_t most_tiled_elements = 10'000;
constexpr std::uint64_t turns_of_a_large_tiling = 8;

bool is_large_tiling(const Case& test_case) {
  if (!corpus::is_tiling_class(test_case.api) || !targets::computes_on_cores(test_case))
    return false;
  const bool is_dx = corpus::computes_dx(test_case.api);
  const auto& map = is_dx ? test_case.grad_input : test_case.input;
  return corpus::element_count(map->shape) > most_tiled_elements ||
         oracle::mac_count(test_case) > most_tiled_macs;
}

std::vector<Case> checked_runs(const Work& work, const WorkItem& item,
                               const CampaignSettings& settings, const oracle::Ruling& ruling) {
  const Case& test_case = item.test_case;
  if (!settings.laws.exactness && !settings.laws.status) return {};
  const bool for_status_alone = settings.check.run.status_only || !settings.laws.exactness ||
                                is_too_large_for_data(item, settings);
  if (for_status_alone) return cases::status_run_of(test_case);
  std::vector<Distribution> recipes = settings.recipes;
  if (item.is_generated && recipes.empty() && is_large_tiling(test_case)) {
    const std::uint64_t hash = corpus::mixed(cases::data_seed(test_case, work.seed));
    if (hash % turns_of_a_large_tiling != 0) return cases::status_run_of(test_case);
    const auto& defaults = oracle::default_recipes;
    recipes = {defaults[hash / turns_of_a_large_tiling % std::size(defaults)]};
  }
  return cases::runs_of({test_case, ruling}, recipes, work.seed);
}

/// Percentage of generated cases with values that run under one recipe more than the default ones.
constexpr std::uint64_t percent_with_another_recipe = 30;

std::span<const Distribution> recipes_in_turn() {
  static const std::vector<Distribution> recipes = [] {
    std::vector<Distribution> in_turn;
    for (const corpus::DistributionRow& row : corpus::all_distributions()) {
      if (row.is_in_turn) in_turn.push_back(row.distribution);
    }
    return in_turn;
  }();
  return recipes;
}

/// The simulated cores multiply each position of the larger map by each tap, the zeros between
/// strides included, as the device does: with infinite or NaN operands always, else where the call
/// is a graph operator's. Beyond this many pairs that takes minutes under a sanitizer, which would
/// look like a target that hangs.
constexpr std::int64_t most_pairs_with_specials = std::int64_t{1} << 20;
/// Each pair takes the cube a product of blocks of channels, of which a core of this simulation
/// does 1.3e8 a second: beyond the first limit a run would take more than 4 s. A law makes up to 16
/// calls.
constexpr std::int64_t most_products_of_blocks = std::int64_t{1} << 29,
                       most_products_of_a_law = most_products_of_blocks / 16;

oracle::CheckedInteger pairs_of(const cases::Convolution& sizes) {
  oracle::CheckedInteger pairs = sizes.batch;
  for (const cases::SpatialAxis& axis : sizes.axes) pairs = pairs * axis.big * axis.kernel;
  return pairs;
}

bool has_more_pairs(const Case& test_case, std::int64_t most) {
  const auto sizes = cases::convolution_of(test_case);
  return sizes && pairs_of(*sizes).value().value_or(most + 1) > most;
}

bool has_more_products_of_blocks(const Case& test_case, std::int64_t most) {
  const auto sizes = cases::convolution_of(test_case);
  if (!sizes) return false;
  const auto blocks = [](std::int64_t channels) {
    constexpr std::int64_t edge = 16;
    return channels / edge + (channels % edge == 0 ? 0 : 1);
  };
  const auto products = pairs_of(*sizes) * sizes->groups * blocks(sizes->small_channels_per_group) *
                        blocks(sizes->big_channels_per_group);
  return products.value().value_or(most + 1) > most;
}

/// Keeps finite elements: both ends of the finite range and -0 stay; infinities and NaN become +0.
void keep_finite_elements(Case& run) {
  corpus::DataRecipe listed = corpus::as_listed(run);
  for (const corpus::InputRole role : corpus::input_roles) {
    const auto type = corpus::tensor(run, role)->dtype;
    std::erase_if(listed.listed[role], [&](const auto& element) {
      return !std::isfinite(corpus::decode(type, element.bits).value_or(0));
    });
  }
  run.data = std::move(listed);
}

void add_run_of_another_recipe(const Work& work, const WorkItem& item,
                               const CampaignSettings& settings, const oracle::Ruling& ruling,
                               std::vector<ItemRun>& runs) {
  const bool has_default_runs = runs.size() == std::size(oracle::default_recipes);
  if (!item.is_generated || !settings.recipes.empty() || !has_default_runs) return;
  const std::uint64_t hash = corpus::mixed(cases::data_seed(item.test_case, work.seed));
  if (hash % 100 >= percent_with_another_recipe) return;
  const Distribution recipe = recipes_in_turn()[hash / 100 % recipes_in_turn().size()];
  if (recipe == Distribution::Specials && has_more_pairs(item.test_case, most_pairs_with_specials))
    return;
  auto run = cases::runs_of({item.test_case, ruling}, {recipe}, work.seed).front();
  const bool is_finite = work.source && !work.source->selection().specials;
  if (recipe == Distribution::Specials && is_finite) keep_finite_elements(run);
  runs.push_back({std::move(run), nullptr,
                  fmt::format("{} --recipe {}", item.repro, corpus::name_of(recipe))});
}

/// Dense data tell more the narrower the bound: where the target's order is known, each item with
/// values has a run under them.
void add_dense_run(const Work& work, const WorkItem& item, const CampaignSettings& settings,
                   const oracle::Ruling& ruling, std::vector<ItemRun>& runs) {
  const bool has_default_runs = runs.size() == std::size(oracle::default_recipes);
  const bool is_known = std::ranges::any_of(corpus::output_roles, [&](corpus::OutputRole role) {
    return corpus::is_requested(item.test_case, role) &&
           oracle::machine_for(settings.check.judge, item.test_case, role) != nullptr;
  });
  if (!is_known || !settings.recipes.empty() || !has_default_runs) return;
  auto run = cases::runs_of({item.test_case, ruling}, {Distribution::Uniform}, work.seed).front();
  runs.push_back({std::move(run), nullptr, item.repro + " --recipe uniform"});
}

/// Laws that the item is held to. A replay keeps laws that do not apply, so that the verdict says
/// so.
std::vector<const cases::Law*> laws_of_item(const Work& work, const WorkItem& item,
                                            const CampaignSettings& settings,
                                            const oracle::Ruling& ruling) {
  if (settings.check.run.status_only || is_too_large_for_data(item, settings)) return {};
  if (!work.source && !settings.laws.drawn) return settings.laws.laws;
  if (has_more_products_of_blocks(item.test_case, most_products_of_a_law)) return {};
  if (!cases::may_succeed(ruling)) return {};
  return cases::laws_for(settings.laws, item.test_case, item.is_generated,
                         item.profile.value_or(settings.check.judge.profile));
}

void add_law_run(const Work& work, const WorkItem& item, const cases::Law* law, std::string repro,
                 std::vector<ItemRun>& runs) {
  const auto run =
      cases::law_run(*law, item.test_case, cases::data_seed(item.test_case, work.seed));
  if (!run && work.source) return;
  // Without suitable data the run reports that the law does not apply.
  runs.push_back({run.value_or(item.test_case), law, std::move(repro)});
}

std::vector<ItemRun> runs_under(const oracle::Ruling& ruling, const Work& work,
                                const WorkItem& item, const CampaignSettings& settings) {
  std::vector<ItemRun> runs;
  if (skipped_for_size(item.test_case, settings)) return runs;
  if (item.enumerated) {
    for (Case& run : work.enumeration->runs(item.test_case, *item.enumerated, ruling)) {
      runs.push_back({std::move(run), nullptr, item.repro});
    }
    return runs;
  }
  if (!item.law.empty()) {
    add_law_run(work, item, cases::law_named(item.law), item.repro, runs);
    return runs;
  }
  const std::string_view as_here = is_too_large_for_data(item, settings) ? " --status-only" : "";
  for (Case& run : checked_runs(work, item, settings, ruling)) {
    runs.push_back({std::move(run), nullptr, fmt::format("{}{}", item.repro, as_here)});
  }
  if (settings.check.judge.machine) add_dense_run(work, item, settings, ruling, runs);
  add_run_of_another_recipe(work, item, settings, ruling, runs);
  for (const cases::Law* law : laws_of_item(work, item, settings, ruling)) {
    std::string repro = item.repro;
    if (item.is_generated) repro += fmt::format(" --law {}", law->name);
    add_law_run(work, item, law, std::move(repro), runs);
  }
  return runs;
}

using ProfileOfItem = std::optional<oracle::Profile>;

std::set<ProfileOfItem> profiles_of(std::span<const PlannedItem> items) {
  std::set<ProfileOfItem> profiles;
  for (const PlannedItem& planned : items) profiles.insert(planned.item.profile);
  return profiles;
}

/// Runs the items of one profile: a turn has one kind of machine.
void run_ahead_under(targets::Target& target, std::span<PlannedItem> items, ProfileOfItem profile) {
  std::vector<PlannedItem*> together;
  std::vector<Case> cases;
  for (PlannedItem& planned : items) {
    if (planned.item.profile != profile) continue;
    together.push_back(&planned);
    const auto law = std::ranges::find_if(planned.runs, &ItemRun::law);
    planned.ahead.resize(to_size(law - planned.runs.begin()));
    for (std::size_t i = 0; i < planned.ahead.size(); ++i) {
      cases.push_back(std::move(planned.runs[i].test_case));
    }
  }
  const cases::CheckSettings& check = together.front()->check;
  const auto seen = target.run_cases(cases, check.run);
  std::size_t next = 0;
  for (PlannedItem* planned : together) {
    for (std::size_t i = 0; i < planned->ahead.size(); ++i, ++next) {
      planned->ahead[i] =
          cases::judged_on(target, {cases[next], planned->ruling}, seen[next], check);
      planned->runs[i].test_case = std::move(cases[next]);
    }
  }
}

}  // namespace

std::optional<corpus::Verdict> skipped_for_size(const Case& test_case,
                                                const CampaignSettings& settings) {
  if (!settings.max_macs || settings.check.run.status_only) return std::nullopt;
  if (oracle::mac_count(test_case).value_or(0) <= *settings.max_macs) return std::nullopt;
  corpus::Verdict verdict;
  verdict.outcome = corpus::Outcome::Skipped;
  verdict.reason =
      fmt::format("more than {} multiply-accumulates (--max-macs)", *settings.max_macs);
  return verdict;
}

bool is_too_large_for_data(const WorkItem& item, const CampaignSettings& settings) {
  return item.is_generated && !item.is_typed &&
         (targets::memory_bytes(item.test_case).value_or(0) > settings.max_bytes ||
          has_more_products_of_blocks(item.test_case, most_products_of_blocks));
}

std::vector<ItemRun> runs_of_item(const Work& work, const WorkItem& item,
                                  const CampaignSettings& settings) {
  const auto ruling =
      oracle::ruling_on(item.test_case, item.profile.value_or(settings.check.judge.profile));
  return runs_under(ruling, work, item, settings);
}

PlannedItem planned_item(const Work& work, std::uint64_t number, const CampaignSettings& settings) {
  WorkItem item = work.item(number);
  const cases::CheckSettings check = check_under(item.profile, settings);
  auto ruling = oracle::ruling_on(item.test_case, check.judge.profile);
  auto runs = runs_under(ruling, work, item, settings);
  return {number, std::move(item), check, std::move(ruling), std::move(runs)};
}

void run_ahead(targets::Target& target, std::span<PlannedItem> items) {
  if (!target.gains_by_batches()) return;
  for (const auto& profile : profiles_of(items)) run_ahead_under(target, items, profile);
}

double load_of(const PlannedItem& item) {
  if (!item.item.test_case.shape_consistent) return 0;  // nothing is computed or allocated
  const auto macs = static_cast<double>(oracle::mac_count(item.item.test_case).value_or(0));
  const auto bytes = static_cast<double>(targets::memory_bytes(item.item.test_case).value_or(0));
  return (macs + bytes) * static_cast<double>(item.runs.size());
}

corpus::Verdict held_to(const cases::Law* law, targets::Target& target,
                        const oracle::RuledCase& ruled, const cases::CheckSettings& settings) {
  return law ? cases::check_law(*law, target, ruled.test_case(), settings)
             : cases::check(target, ruled, settings);
}

cases::Footprint footprint_of_run(const PlannedItem& planned, const corpus::Case& run) {
  cases::Footprint footprint = cases::footprint_of({run, planned.ruling});
  footprint.discarded = planned.item.discarded;
  return footprint;
}

}  // namespace gradproof::runs
