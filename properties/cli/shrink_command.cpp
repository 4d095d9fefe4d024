#include <fmt/core.h>

#include <memory>
#include <string>
#include <utility>

#include "corpus/case_json.h"
#include "properties/cases/check/check.h"
#include "properties/cases/laws/law_choice.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/cli/commands.h"
#include "properties/cli/input/case_input.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/input/configuration_parts.h"
#include "properties/cli/interrupt.h"
#include "properties/cli/run_command.h"
#include "properties/cli/told.h"
#include "properties/findings/diagnosis/diagnosis.h"
#include "properties/targets/target/target.h"

namespace gradproof::cli {
namespace {

/// A complete case, and what it is held to; null: exactness and status.
struct HeldCase {
  corpus::Case test_case;
  const cases::Law* law = nullptr;
};

std::vector<HeldCase> held_cases(const runs::StoredCase& kept, const Configuration& configuration,
                                 oracle::Profile profile) {
  std::vector<std::string> names = configuration.selection.laws;
  if (!kept.law.empty()) names = {kept.law};
  const cases::LawChoice choice = cases::law_choice(names);
  std::vector<HeldCase> held;
  if (choice.exactness || choice.status) {
    for (corpus::Case& run : cases::runs_of({kept.test_case, profile}, {})) {
      held.push_back({std::move(run), nullptr});
    }
  }
  for (const cases::Law* law : cases::laws_for(choice, kept.test_case, false, profile)) {
    auto run = cases::law_run(*law, kept.test_case, cases::data_seed(kept.test_case, 0));
    if (run) held.push_back({std::move(*run), law});
  }
  return held;
}

/// The profile of a finding counts where none was asked for.
cases::CheckSettings check_settings_of(const runs::StoredCase& kept,
                                       const Configuration& configuration) {
  cases::CheckSettings settings;
  settings.judge = judge_settings(configuration);
  if (!configuration.alternates_profiles || !kept.profile) return settings;
  settings.judge.profile = *kept.profile;
  settings.run.machine.profile = kept.profile;
  return settings;
}

struct Failure {
  ExitCode code;
  std::string problem;
};

/// Asked for no call that the options of the findings leave out.
tl::expected<std::shared_ptr<const targets::Library>, Failure> narrowed_target(
    const CasesOfFiles& read, const Configuration& configuration) {
  auto options = kept_options(read.cases, configuration);
  if (!options) return tl::unexpected(Failure{ExitCode::BadUsage, options.error()});
  auto library = load_target(configuration);
  if (!library) return tl::unexpected(Failure{ExitCode::TargetUnusable, library.error()});
  return cases::narrowed(std::move(*library), std::move(*options));
}

cases::ShrinkSettings shrink_limits(const Configuration& configuration) {
  cases::ShrinkSettings limits;
  limits.time = configuration.budget.time.value_or(limits.time);
  limits.stop = &interrupted();
  return limits;
}

}  // namespace

ExitCode shrink(const Arguments& typed) {
  const auto arguments = with_typed_words(typed);
  if (!arguments) return fail(ExitCode::BadUsage, arguments.error());
  const auto configuration = configuration_of(*arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  const auto read = replayed_cases(*arguments, configuration->selection.products);
  if (!read) return fail(ExitCode::BadUsage, read.error());
  if (!read->left_out.empty()) return ExitCode::BadUsage;
  const auto library = narrowed_target(*read, *configuration);
  if (!library) return fail(library.error().code, library.error().problem);
  const auto target = (*library)->new_target();
  const cases::ShrinkSettings limits = shrink_limits(*configuration);
  end_in_order_on_interrupt();
  for (const runs::StoredCase& kept : read->cases) {
    const cases::CheckSettings settings = check_settings_of(kept, *configuration);
    for (const HeldCase& held : held_cases(kept, *configuration, settings.judge.profile)) {
      const corpus::Case& run = held.test_case;
      const auto check_case = [&](const corpus::Case& test_case) {
        return held.law ? cases::check_law(*held.law, *target, test_case, settings)
                        : cases::check(*target, test_case, settings);
      };
      if (check_case(run).outcome != corpus::Outcome::Disagree) continue;
      const cases::Shrunk shrunk = cases::shrink(run, check_case, limits);
      fmt::print("{}\n", corpus::to_json_line(shrunk.test_case));
      tell(fmt::format("{}: {} ({} cases tried{})", shrunk.verdict.signature(),
                       shrunk.verdict.reason, shrunk.tried,
                       shrunk.finished ? "" : "; not minimal: time limit reached"));
      if (held.law) return ExitCode::Disagreement;
      for (const std::string& sentence :
           findings::diagnosis_of(*target, shrunk.test_case, run, shrunk.verdict,
                                  {.check = settings, .stop = &interrupted()})) {
        tell(sentence, "  - ");
      }
      return interrupted() ? code_of_interruption() : ExitCode::Disagreement;
    }
  }
  tell(fmt::format("no case of {} disagrees", read->cases.front().file));
  return ExitCode::NothingDisagreed;
}

}  // namespace gradproof::cli
