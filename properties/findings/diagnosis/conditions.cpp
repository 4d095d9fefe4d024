#include "properties/findings/diagnosis/conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "properties/cases/laws/law.h"
#include "properties/cases/shrink/read_elements.h"
#include "properties/findings/diagnosis/fresh_runs.h"
#include "properties/findings/diagnosis/plainer_calls.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::Case;

/// Seeds that no other stage uses.
constexpr std::uint64_t first_seed_of_laws = 0xC0'0D17'0155;

bool agrees(targets::Target& target, const std::vector<Case>& runs,
            const cases::CheckSettings& settings) {
  return std::ranges::all_of(runs, [&](const Case& run) {
    return run.data && cases::check(target, run, settings).outcome == corpus::Outcome::Agree;
  });
}

/// True if a fresh run disagrees: else agreement of a plainer call under such data says nothing.
bool disagrees_somewhere(targets::Target& target, const std::vector<Case>& runs,
                         const cases::CheckSettings& settings) {
  return std::ranges::any_of(runs, [&](const Case& run) {
    return run.data && cases::check(target, run, settings).outcome == corpus::Outcome::Disagree;
  });
}

std::optional<std::string> why_broken(const cases::Law& law, targets::Target& target,
                                      const Case& test_case, const cases::CheckSettings& settings) {
  if (cases::laws_that_apply(std::array{&law}, test_case).empty()) return std::nullopt;
  Case bare = test_case;
  bare.data.reset();
  const auto run = cases::law_run(law, bare, first_seed_of_laws);
  if (!run) return std::nullopt;
  const corpus::Verdict verdict = cases::check_law(law, target, *run, settings);
  const bool by_law =
      verdict.outcome == corpus::Outcome::Disagree && verdict.kind == corpus::DisagreementKind::Law;
  return by_law ? std::optional(verdict.reason) : std::nullopt;
}

constexpr std::array laws_about_the_call{
    "workspace_independence", "executor_reuse", "determinism",
    "schedule_determinism",   "many_streams",   "input_purity"};

}  // namespace

std::optional<std::string> what_it_needs(targets::Target& target, const Case& failing,
                                         const Case& original,
                                         const std::optional<corpus::OutputRole>& culprit,
                                         const cases::CheckSettings& settings) {
  auto recipe = recipe_of(original);
  // Runs of a large call are slow: where the default ones show it, no others are made.
  const bool shows_at_once =
      cases::is_large(failing) &&
      disagrees_somewhere(target, fresh_runs(failing, std::nullopt, settings), settings);
  if (shows_at_once) {
    recipe.reset();
  } else if (!disagrees_somewhere(target, fresh_runs(failing, recipe, settings), settings)) {
    return std::nullopt;
  }
  std::vector<std::string> needed;
  for (PlainerCall& plainer : plainer_calls(failing, culprit)) {
    const auto runs = fresh_runs(std::move(plainer.test_case), recipe, settings);
    if (agrees(target, runs, settings)) {
      needed.push_back(std::move(plainer.words));
    }
  }
  if (needed.empty()) return std::nullopt;
  return fmt::format("needs {}", fmt::join(needed, ", "));
}

std::optional<std::string> laws_also_broken(targets::Target& target, const Case& failing,
                                            const corpus::Verdict& verdict,
                                            const cases::CheckSettings& settings) {
  Case alone = failing;
  if (verdict.culprit && alone.output_mask) {
    alone.output_mask = std::vector<bool>(3, false);
    (*alone.output_mask)[to_size(*verdict.culprit)] = true;
  }
  std::vector<std::string> broken;
  for (const std::string_view name : laws_about_the_call) {
    if (name == verdict.law) continue;
    const cases::Law& law = *cases::law_named(name);
    auto reason = why_broken(law, target, failing, settings);
    if (!reason && alone != failing) reason = why_broken(law, target, alone, settings);
    if (reason) broken.push_back(fmt::format("{} ({})", name, *reason));
  }
  if (broken.empty()) return std::nullopt;
  return fmt::format("also breaks the law {}", fmt::join(broken, ", and the law "));
}

}  // namespace gradproof::findings::diagnosis
