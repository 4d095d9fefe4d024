#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "corpus/machine/machine_json.h"
#include "properties/cases/machines/machine_words.h"
#include "properties/cli/commands.h"
#include "properties/cli/input/case_input.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/input/values.h"
#include "properties/cli/interrupt.h"
#include "properties/cli/run_command.h"
#include "properties/findings/results/results_file.h"
#include "properties/runs/fingerprint/fingerprint_text.h"

namespace gradproof::cli {
namespace {

/// What is asked of whom.
struct FingerprintPlan {
  corpus::Case call;
  runs::FingerprintSettings settings;
  std::optional<corpus::Machine> against;
  std::string against_name;
};

/// Enough products for lanes, blocks and parts to show, and few enough for a second.
advice::CallTexts with_default_call(advice::CallTexts words) {
  if (words.input || words.weight) return words;
  words.input = "2,16,6,6";
  words.weight = "16,16,3,3";
  if (!words.padding) words.padding = "1";
  if (!words.bias) words.bias = "yes";
  return words;
}

/// Errors: the option and what it takes.
std::optional<std::string> read_limited_count(const char* option,
                                              const std::optional<std::string>& text,
                                              std::uint64_t most, std::uint64_t& value) {
  if (!text) return std::nullopt;
  const auto count = parse_count(*text);
  if (count && *count >= 1 && *count <= most) {
    value = *count;
    return std::nullopt;
  }
  return fmt::format("{}: \"{}\"; it takes a number from 1 to {}", option, *text, most);
}

tl::expected<FingerprintPlan, std::string> fingerprint_plan(const Arguments& typed,
                                                            const Configuration& configuration) {
  auto arguments = with_typed_words(typed);
  if (!arguments) return tl::unexpected(arguments.error());
  if (!arguments->operands.empty()) {
    return tl::unexpected(fmt::format("\"{}\" is no call", arguments->operands.front()));
  }
  arguments->call = with_default_call(arguments->call);
  auto call = typed_call(*arguments);
  if (!call) return tl::unexpected(call.error());
  FingerprintPlan plan;
  plan.call = std::move(*call);
  const auto& products = configuration.selection.products;
  if (products.size() > 1) return tl::unexpected(std::string("--soc: name one product"));
  if (!products.empty()) plan.call.soc = corpus::name_of(products.front());
  if (auto problem = runs::cannot_be_asked(plan.call)) return tl::unexpected(*problem);
  constexpr std::uint64_t most_calls = 100'000'000, most_predictions = 100'000;
  if (auto problem = read_limited_count("--cases", typed.cases, most_calls, plan.settings.calls)) {
    return tl::unexpected(*problem);
  }
  if (auto problem = read_limited_count("--set: predict", typed.predict, most_predictions,
                                        plan.settings.predictions)) {
    return tl::unexpected(*problem);
  }
  plan.settings.seed = configuration.seed.value_or(plan.settings.seed);
  if (!typed.baseline) return plan;
  auto machine = corpus::read_machine(*typed.baseline);
  if (!machine) return tl::unexpected("--baseline: " + machine.error().text());
  plan.against = std::move(*machine);
  plan.against_name = *typed.baseline;
  return plan;
}

/// Threads as the environment tells libraries; 0: it does not.
unsigned told_threads() {
  for (const char* name : {"GRADPROOF_HOST_THREADS", "OMP_NUM_THREADS"}) {
    const char* value = std::getenv(name);
    if (value == nullptr) continue;
    const auto count = parse_count(value);
    if (count && *count <= 1024) return static_cast<unsigned>(*count);
  }
  return 0;
}

ExitCode fingerprint_code(const runs::Fingerprint& fingerprint, bool has_changed) {
  if (interrupted()) return code_of_interruption();
  const bool is_refused =
      fingerprint.ended_by && fingerprint.ended_by->kind == runs::ProbeProblem::Kind::Refused;
  if (is_refused) return fail(ExitCode::TargetUnusable, fingerprint.ended_by->words);
  if (has_changed) return ExitCode::Disagreement;
  return fingerprint.is_explained() ? ExitCode::NothingDisagreed : ExitCode::Unhealthy;
}

}  // namespace

ExitCode fingerprint(const Arguments& arguments) {
  const auto configuration = configuration_of(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  const auto plan = fingerprint_plan(arguments, *configuration);
  if (!plan) return fail(ExitCode::BadUsage, plan.error());
  const auto library = load_target(*configuration);
  if (!library) return fail(ExitCode::TargetUnusable, library.error());
  if (const auto folder = findings::ResultsFile::open(configuration->folder); !folder) {
    return fail(ExitCode::BadUsage, folder.error());
  }
  end_in_order_on_interrupt();
  runs::Fingerprint found =
      runs::fingerprint_of(*(*library)->new_target(), plan->call, plan->settings, interrupted());
  found.machine.threads = told_threads();
  const auto file = configuration->folder / "machine.json";
  if (const auto problem = findings::write_file(file, corpus::to_json(found.machine))) {
    return fail(ExitCode::OwnFailure, *problem);
  }
  const auto page = configuration->folder / "fingerprint.html";
  if (const auto problem = findings::write_file(page, runs::fingerprint_page(found))) {
    return fail(ExitCode::OwnFailure, *problem);
  }
  if (!configuration->quiet) fmt::print("{}", runs::fingerprint_text(found));
  bool has_changed = false;
  if (plan->against) {
    const auto sentences = cases::changes(*plan->against, found.machine);
    for (const std::string& sentence : sentences) fmt::print("changed: {}\n", sentence);
    has_changed = !sentences.empty();
    if (!has_changed) fmt::print("nothing changed against {}\n", plan->against_name);
  }
  fmt::print("fingerprint: {} of {} gradients explained; {}\n",
             std::ranges::count_if(found.gradients, &runs::GradientFingerprint::is_explained),
             found.gradients.size(), file.string());
  return fingerprint_code(found, has_changed);
}

}  // namespace gradproof::cli
