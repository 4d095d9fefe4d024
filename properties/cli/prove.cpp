#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "corpus/words/words.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/check/check.h"
#include "properties/cli/commands.h"
#include "properties/cli/continuation.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/input/values.h"
#include "properties/cli/run_command.h"
#include "properties/runs/prove/claim.h"
#include "properties/runs/prove/index_map_read.h"
#include "properties/runs/prove/proof_calls.h"
#include "properties/runs/prove/scope.h"
#include "properties/targets/target/target.h"

namespace gradproof::cli {
namespace {

/// What a proof is about, apart from its target.
struct ProofPlanned {
  runs::Scope scope;
  std::vector<runs::ProofMode> modes;
  runs::Attacks attacks = runs::Attacks::InTurn;

  /// All that decides which runs there are, as one line.
  std::string words() const {
    std::vector<std::string> names;
    for (const runs::ProofMode& mode : modes) names.push_back(runs::words_of(mode));
    return fmt::format("prove {}: {}; {}; attacks {}", scope.name(), scope.words(),
                       fmt::join(names, ", "), static_cast<int>(attacks));
  }
};

constexpr std::int8_t most_math_type = 3;

/// Some call of a mode may be legal: one of three plain ones is, ordinary or transposed, with and
/// without gradBias.
bool may_be_legal(const runs::ProofMode& mode, oracle::Profile profile) {
  runs::CallSizes sizes;
  sizes.axes = {runs::AxisSizes{}, runs::AxisSizes{}};
  for (const bool transposed : {false, true}) {
    for (const bool bias : {false, true}) {
      sizes.transposed = transposed;
      sizes.mask = {true, true, bias};
      if (cases::may_succeed(oracle::ruling_on(runs::case_of(sizes, mode, {}), profile)))
        return true;
    }
  }
  return false;
}

using MathTypes = std::vector<std::int8_t>;

MathTypes every_math_type() {
  MathTypes types;
  for (std::int8_t type = 0; type <= most_math_type; ++type) types.push_back(type);
  return types;
}

tl::expected<std::int8_t, std::string> math_type_named(const std::string& text) {
  const auto type = corpus::cube_math_type_from_words(text);
  if (type && *type >= 0 && *type <= most_math_type) return *type;
  return tl::unexpected(fmt::format("\"{}\": cubeMathType is 0, 1, 2 or 3", text));
}

/// Reads --cube-math-type. Errors: a sentence.
tl::expected<MathTypes, std::string> math_types_of(const std::optional<std::string>& text) {
  if (!text) return MathTypes{0};
  if (*text == "all") return every_math_type();
  const auto names = parse_list(*text);
  if (!names) return tl::unexpected("--cube-math-type: " + names.error());
  MathTypes types;
  for (const std::string& name : *names) {
    const auto type = math_type_named(name);
    if (!type) return tl::unexpected("--cube-math-type: " + type.error());
    types.push_back(*type);
  }
  return types;
}

/// Reads "FLOAT", with each of the types, or "bf16:1", with its own. Errors: a sentence.
tl::expected<std::vector<runs::ProofMode>, std::string> modes_named(const std::string& text,
                                                                    const MathTypes& types,
                                                                    corpus::Product product) {
  const auto colon = text.find(':');
  const auto dtype = corpus::data_type_from_words(text.substr(0, colon));
  if (!dtype) return tl::unexpected(dtype.error());
  std::vector<runs::ProofMode> modes;
  if (colon == std::string::npos) {
    for (const std::int8_t type : types) modes.push_back({*dtype, type, product});
    return modes;
  }
  const auto own = math_type_named(text.substr(colon + 1));
  if (!own) return tl::unexpected(own.error());
  modes.push_back({*dtype, *own, product});
  return modes;
}

/// Lists the modes of these types that may be legal.
std::vector<runs::ProofMode> every_mode(const MathTypes& types, corpus::Product product,
                                        oracle::Profile profile) {
  std::vector<runs::ProofMode> modes;
  for (const auto dtype : corpus::data_types()) {
    for (const std::int8_t type : types) {
      const runs::ProofMode mode{dtype, type, product};
      if (may_be_legal(mode, profile)) modes.push_back(mode);
    }
  }
  return modes;
}

/// Reads --dtype and --cube-math-type. Errors: a sentence.
tl::expected<std::vector<runs::ProofMode>, std::string> modes_of(const Arguments& arguments,
                                                                 corpus::Product product,
                                                                 oracle::Profile profile) {
  const std::string text = arguments.dtype.value_or("FLOAT");
  const auto types = math_types_of(arguments.cube_math_type);
  if (!types) return tl::unexpected(types.error());
  if (text == "all") {
    return every_mode(arguments.cube_math_type ? *types : every_math_type(), product, profile);
  }
  const auto names = parse_list(text);
  if (!names) return tl::unexpected("--dtype: " + names.error());
  std::vector<runs::ProofMode> modes;
  for (const std::string& name : *names) {
    const auto named = modes_named(name, *types, product);
    if (!named) return tl::unexpected("--dtype: " + named.error());
    for (const runs::ProofMode& mode : *named) {
      if (!may_be_legal(mode, profile)) {
        return tl::unexpected(
            fmt::format("--dtype: the rules refuse every call of {}", runs::words_of(mode)));
      }
      modes.push_back(mode);
    }
  }
  return modes;
}

/// The one that --soc names, else Ascend910B where the target has it, else the first that it has.
tl::expected<corpus::Product, std::string> product_for(const Configuration& configuration,
                                                       const targets::Library& library) {
  const auto& asked = configuration.selection.products;
  if (asked.size() > 1) return tl::unexpected(std::string("--soc: prove takes one product"));
  if (asked.size() == 1) return asked.front();
  std::optional<corpus::Product> first;
  for (const targets::Device& device : library.devices()) {
    if (device.product == corpus::Product::Ascend910B) return *device.product;
    if (!first) first = device.product;
  }
  if (!first) return tl::unexpected(std::string("the target has no device that a case can name"));
  return *first;
}

tl::expected<runs::Attacks, std::string> attacks_of(const std::optional<std::string>& text) {
  if (!text) return runs::Attacks::InTurn;
  auto attacks = value_among<runs::Attacks>(
      *text,
      {{"turn", runs::Attacks::InTurn}, {"all", runs::Attacks::All}, {"no", runs::Attacks::None}});
  if (!attacks) return tl::unexpected("--set: attacks: " + attacks.error());
  return *attacks;
}

/// Prints what is wrong in the index map of each finding's small case.
void print_maps(const targets::Library& library, const runs::CampaignResult& result,
                const runs::CampaignSettings& settings) {
  const auto target = library.new_target();
  for (const findings::Finding& finding : result.findings) {
    if (!finding.verdict.culprit || !finding.calls_before.empty()) continue;
    const auto lines = runs::wrong_entries(*target, finding.test_case, *finding.verdict.culprit,
                                           runs::check_under(finding.profile, settings));
    if (lines.empty()) continue;
    fmt::print("index map of the finding's case, read by one-hot runs:\n");
    for (const std::string& line : lines) fmt::print("  {}\n", line);
  }
}

/// What there is to say when all calls were run: the claim, and where it is none the wrong maps.
auto conclusion(const std::shared_ptr<const targets::Library>& library,
                const std::shared_ptr<const runs::ProofCalls>& calls,
                const Configuration& configuration, std::uint64_t seed, runs::ProofRecord& record) {
  return [=, &configuration,
          &record](const runs::CampaignResult& result) -> std::optional<std::string> {
    const auto& findings = configuration.budget.findings;
    const bool ended_early = findings && result.findings.size() >= *findings;
    const bool complete = !result.interrupted && !ended_early && !result.target_problem;
    record = runs::proof_record(*calls, library->name(), seed, configuration.shard, result.summary,
                                complete);
    if (auto problem = runs::note_proof(configuration.folder, record)) return problem;
    if (configuration.quiet) return std::nullopt;
    print_maps(*library, result, campaign_settings(configuration));
    if (configuration.shard.is_all()) {
      fmt::print("{}", runs::claim_text(record));
    } else {
      fmt::print(
          "shard {} of {}: {} of {} calls; `gradproof report` of all folders states the claim\n",
          record.shard, record.shards, record.calls, record.all_calls);
    }
    return std::nullopt;
  };
}

/// Errors: what the command line asks for and cannot have.
tl::expected<ProofPlanned, std::string> planned_proof(const Arguments& arguments,
                                                      const Configuration& configuration,
                                                      const targets::Library& library,
                                                      runs::Scope scope) {
  const auto product = product_for(configuration, library);
  if (!product) return tl::unexpected(product.error());
  auto modes = modes_of(arguments, *product, configuration.profile);
  if (!modes) return tl::unexpected(modes.error());
  const auto attacks = attacks_of(arguments.attacks);
  if (!attacks) return tl::unexpected(attacks.error());
  return ProofPlanned{std::move(scope), std::move(*modes), *attacks};
}

/// A folder of its own: its runs are counted together, not line by line.
Configuration configured(Configuration configuration, const Arguments& arguments) {
  if (!arguments.out) configuration.folder /= "prove";
  configuration.recording = runs::Recording::Failures;
  configuration.alternates_profiles = false;
  // One wrong run refutes the claim; a library that is wrong everywhere would fill the disk.
  if (!configuration.budget.findings) configuration.budget.findings = 1;
  return configuration;
}

ExitCode run_proof(const Configuration& configuration, ProofPlanned proof,
                   const std::shared_ptr<const targets::Library>& library) {
  auto results = open_results(configuration);
  if (!results) return fail(ExitCode::BadUsage, results.error());
  const std::string words = proof.words();
  Continuation plan =
      continuation_of(configuration, settings_in_words(configuration, {}) + "; " + words, {});
  plan.head.begin = plan.position.bytes = results->size();
  plan.position.settled = false;
  auto journal = runs::Journal::open(configuration.folder, plan.head, plan.position);
  if (!journal) return fail(ExitCode::BadUsage, journal.error());
  if (!configuration.quiet) {
    fmt::print("{} {} calls of scope {}, seed {}\n", plan.continued ? "resuming:" : "proving",
               proof.scope.size() * proof.modes.size(), proof.scope.name(), plan.head.seed);
  }
  const auto calls = std::make_shared<const runs::ProofCalls>(
      std::move(proof.scope), std::move(proof.modes), judge_settings(configuration), plan.head.seed,
      proof.attacks, configuration.command_line);
  runs::Work work;
  work.seed = plan.head.seed;
  work.shard = configuration.shard;
  work.replay_options = configuration.target_options;
  work.enumeration = calls;
  runs::ProofRecord record;
  const ExitCode code = run_and_report(
      {.command = "prove",
       .library = library,
       .work = std::move(work),
       .journal = &*journal,
       .continued = plan.continued ? &*plan.continued : nullptr,
       .fatal_cases = {},
       .dealt_work = words,
       .certificate_head = runs::proof_head(*calls, configuration.shard),
       .conclude = conclusion(library, calls, configuration, plan.head.seed, record)},
      configuration, *results);
  const bool lacks_proof = configuration.shard.is_all() && !runs::is_proved(record);
  if (code != ExitCode::NothingDisagreed || !lacks_proof) return code;
  return fail(ExitCode::Unhealthy, "nothing disagreed, and yet not every call is proved");
}

}  // namespace

ExitCode prove(const Arguments& arguments) {
  auto read = configuration_of(arguments);
  if (!read) return fail(ExitCode::BadUsage, read.error());
  const Configuration configuration = configured(std::move(*read), arguments);
  auto scope = runs::scope_named(arguments.operands.empty() ? "small" : arguments.operands.front());
  if (!scope) return fail(ExitCode::BadUsage, scope.error().text());
  const auto library = load_target(configuration);
  if (!library) return fail(ExitCode::TargetUnusable, library.error());
  auto proof = planned_proof(arguments, configuration, **library, std::move(*scope));
  if (!proof) return fail(ExitCode::BadUsage, proof.error());
  return run_proof(configuration, std::move(*proof), *library);
}

}  // namespace gradproof::cli
