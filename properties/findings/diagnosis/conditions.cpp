#include "properties/findings/diagnosis/conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "properties/cases/laws/law.h"
#include "properties/cases/shrink/read_elements.h"
#include "properties/findings/diagnosis/fresh_runs.h"

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

/// The call for the wrong output alone; the call itself where that is not known.
Case alone(const Case& failing, const corpus::Verdict& verdict) {
  Case call = failing;
  if (verdict.culprit && call.output_mask) {
    call.output_mask = std::vector<bool>(3, false);
    (*call.output_mask)[to_size(*verdict.culprit)] = true;
  }
  return call;
}

/// Reason of a broken law, of the call or of that for the wrong output alone.
std::optional<std::string> why_either_breaks(std::string_view law, targets::Target& target,
                                             const Case& failing, const corpus::Verdict& verdict,
                                             const cases::CheckSettings& settings) {
  auto reason = why_broken(*cases::law_named(law), target, failing, settings);
  const Case other = alone(failing, verdict);
  if (reason || other == failing) return reason;
  return why_broken(*cases::law_named(law), target, other, settings);
}

constexpr std::array laws_about_the_call{"workspace_independence", "executor_reuse",
                                         "alternating_calls", "input_purity"};
/// They make other calls too, which is what breaks them where calls in turns do.
constexpr std::array laws_of_calls_at_once{"schedule_determinism", "many_streams"};

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

std::optional<std::string> depends_on_workspace(targets::Target& target, const Case& failing,
                                                const corpus::Verdict& verdict,
                                                const cases::CheckSettings& settings) {
  const auto reason =
      why_either_breaks("workspace_independence", target, failing, verdict, settings);
  if (!reason) return std::nullopt;
  return fmt::format("{} depends on what the workspace held before the call ({})",
                     corpus::name_of(*verdict.culprit), *reason);
}

std::optional<std::string> laws_also_broken(targets::Target& target, const Case& failing,
                                            const corpus::Verdict& verdict,
                                            const cases::CheckSettings& settings) {
  // Bits that change by chance break each law that compares two runs, and may agree once or twice.
  constexpr int runs_of_chance = 8;
  for (int run = 0; run < runs_of_chance && verdict.law != "determinism"; ++run) {
    const auto reason = why_either_breaks("determinism", target, failing, verdict, settings);
    if (reason) return fmt::format("also breaks the law determinism ({})", *reason);
  }
  std::vector<std::string> broken;
  bool by_calls_before = false;
  const auto ask = [&](std::string_view name) {
    if (name == verdict.law) return;
    const auto reason = why_either_breaks(name, target, failing, verdict, settings);
    if (!reason) return;
    by_calls_before |= name == "alternating_calls";
    broken.push_back(fmt::format("{} ({})", name, *reason));
  };
  std::ranges::for_each(laws_about_the_call, ask);
  if (!by_calls_before) std::ranges::for_each(laws_of_calls_at_once, ask);
  if (broken.empty()) return std::nullopt;
  return fmt::format("also breaks the law {}", fmt::join(broken, ", and the law "));
}

}  // namespace gradproof::findings::diagnosis
