#include "properties/cli/input/configuration_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "properties/cli/colors.h"
#include "properties/cli/input/configuration_parts.h"
#include "properties/cli/input/option_readers.h"
#include "properties/cli/input/shard_protocol.h"
#include "properties/cli/input/values.h"

namespace gradproof::cli {
namespace {

tl::expected<oracle::Profile, std::string> parse_profile(const std::string& text) {
  using oracle::Profile;
  return value_among<Profile>(text, {{"documented", Profile::Documented},
                                     {"released", Profile::Released},
                                     {"tolerant", Profile::Tolerant}});
}

tl::expected<oracle::Adder, std::string> parse_adder(const std::string& text) {
  using oracle::Adder;
  return value_among<Adder>(
      text, {{"ieee", Adder::Ieee}, {"faithful", Adder::Faithful}, {"block", Adder::Block}});
}

tl::expected<oracle::Hf32Rounding, std::string> parse_hf32_rounding(const std::string& text) {
  using oracle::Hf32Rounding;
  return value_among<Hf32Rounding>(text, {{"even", Hf32Rounding::NearestEven},
                                          {"away", Hf32Rounding::NearestAway},
                                          {"unknown", Hf32Rounding::Unknown}});
}

tl::expected<bool, std::string> parse_specials(const std::string& text) {
  return value_among<bool>(text, {{"judged", true}, {"ignored", false}});
}

tl::expected<runs::Recording, std::string> parse_recording(const std::string& text) {
  return value_among<runs::Recording>(
      text, {{"all", runs::Recording::All}, {"failures", runs::Recording::Failures}});
}

tl::expected<unsigned, std::string> parse_jobs(const std::string& text) {
  const auto count = parse_count(text);
  constexpr std::uint64_t most = 1024;
  if (!count || *count < 1 || *count > most) {
    return tl::unexpected(
        fmt::format("\"{}\" is not a number of threads from 1 to {}", text, most));
  }
  return static_cast<unsigned>(*count);
}

tl::expected<std::vector<std::filesystem::path>, std::string> parse_libraries(
    const std::string& text) {
  const auto names = parse_list(text);
  if (!names) return tl::unexpected(names.error());
  return std::vector<std::filesystem::path>(names->begin(), names->end());
}

Problem read_selection(const Arguments& arguments, Configuration& read_into) {
  if (auto problem = read_calls(arguments, read_into.selection)) return problem;
  if (auto problem = read_demands(arguments, read_into.selection)) return problem;
  if (auto problem = read<std::uint64_t>("--set: max-bytes", arguments.max_bytes,
                                         read_into.max_bytes, parse_bytes)) {
    return problem;
  }
  if (auto problem =
          read<std::uint64_t>("--max-macs", arguments.max_macs, read_into.max_macs, parse_count)) {
    return problem;
  }
  if (read_into.max_macs == 0U) return named("--max-macs", "it takes a number from 1");
  return std::nullopt;
}

/// They deal their work out; to others the variables of a test runner mean nothing.
constexpr unsigned dealing_modes = modes::Verify | modes::Prove | modes::Replay;

/// All shards must draw the same cases: where no seed is given it is this one.
constexpr std::uint64_t seed_of_shards = 0;

Problem read_shard(const Arguments& arguments, Configuration& read_into) {
  if ((arguments.mode & dealing_modes) == 0) return std::nullopt;
  const auto shard = chosen_shard(arguments.shard);
  if (!shard) return shard.error();
  read_into.shard = *shard;
  if (!shard->is_all() && !read_into.seed) read_into.seed = seed_of_shards;
  return std::nullopt;
}

Problem read_budget(const Arguments& arguments, Configuration& read_into) {
  if (auto problem = read<std::chrono::milliseconds>("--time", arguments.time,
                                                     read_into.budget.time, parse_duration)) {
    return problem;
  }
  if (auto problem =
          read<std::uint64_t>("--cases", arguments.cases, read_into.budget.cases, parse_count)) {
    return problem;
  }
  if (auto problem = read<std::uint64_t>("--findings", arguments.findings,
                                         read_into.budget.findings, parse_count)) {
    return problem;
  }
  if (auto problem = read<std::uint64_t>("--seed", arguments.seed, read_into.seed, parse_count)) {
    return problem;
  }
  if (auto problem =
          read<std::uint64_t>("--set: first", arguments.first, read_into.first, parse_count)) {
    return problem;
  }
  if (auto problem =
          read<std::uint64_t>("--set: sample", arguments.sample, read_into.sample, parse_count)) {
    return problem;
  }
  read_into.stored = !arguments.no_stored;
  read_into.jobs = std::max(1U, std::thread::hardware_concurrency());
  if (auto problem = read<unsigned>("--jobs", arguments.jobs, read_into.jobs, parse_jobs))
    return problem;
  read_into.isolation.targets = std::size_t{2} * read_into.jobs;  // a worker may need a second
  return read_shard(arguments, read_into);
}

/// What a function of tensors can be asked.
Problem read_questions(const Arguments& arguments, Configuration& read_into) {
  for (const auto& [option, value] : {std::pair("--set: views", &arguments.views),
                                      {"--set: repeat", &arguments.repeat},
                                      {"--set: domain", &arguments.domain}}) {
    if (*value && !read_into.pipe)
      return named(option, "programs behind a pipe alone are asked so");
  }
  cases::Selection& selection = read_into.selection;
  if (auto wrong = read<bool>("--set: views", arguments.views, selection.views, parse_yes_no)) {
    return wrong;
  }
  if (auto wrong = read<bool>("--set: repeat", arguments.repeat, read_into.repeats, parse_yes_no)) {
    return wrong;
  }
  return read<cases::Domain>("--set: domain", arguments.domain, selection.domain,
                             cases::domain_from_words);
}

/// The documents do not speak of Winograd's algorithm; the released library takes it.
cases::TileLayers tile_layers_for(const Configuration& configuration) {
  const auto is_in_tiles = [](const auto& each) { return corpus::is_winograd(each.algorithm); };
  const auto& machine = configuration.machine;
  if (machine && std::ranges::any_of(machine->algorithms, is_in_tiles)) {
    return cases::TileLayers::All;
  }
  const bool is_released = configuration.profile == oracle::Profile::Released ||
                           configuration.profile == oracle::Profile::Tolerant;
  return is_released ? cases::TileLayers::Ascend950s : cases::TileLayers::None;
}

/// What the target is held to, and how it adds.
Problem read_target(const Arguments& arguments, Configuration& read_into) {
  const bool is_pipe = read_pipe(arguments, read_into);
  auto wrong = is_pipe ? Problem()
                       : read<std::vector<std::filesystem::path>>(
                             "--target", arguments.target, read_into.libraries, parse_libraries);
  if (wrong) return wrong;
  if (auto problem = read_questions(arguments, read_into)) return problem;
  read_into.target_options = target_options(arguments);
  if (!read_into.libraries.empty()) read_into.profile = oracle::Profile::Tolerant;
  const bool is_simulated = read_into.libraries.empty() && !read_into.pipe;
  read_into.alternates_profiles = is_simulated && !arguments.profile;
  if (auto problem =
          read<oracle::Profile>("--profile", arguments.profile, read_into.profile, parse_profile)) {
    return problem;
  }
  if (auto problem =
          read<oracle::Adder>("--machine: adder", arguments.adder, read_into.adder, parse_adder)) {
    return problem;
  }
  if (auto problem = read_machine_of(arguments, read_into)) return problem;
  read_into.selection.tile_layers = tile_layers_for(read_into);
  if (auto problem =
          read<cases::TileLayers>("--set: tiles", arguments.tiles, read_into.selection.tile_layers,
                                  cases::tile_layers_from_words)) {
    return problem;
  }
  if (auto problem = read<oracle::Hf32Rounding>("--machine: hf32", arguments.hf32,
                                                read_into.hf32_rounding, parse_hf32_rounding)) {
    return problem;
  }
  if (auto problem = read<bool>("--machine: specials", arguments.specials,
                                read_into.judges_specials, parse_specials)) {
    return problem;
  }
  return std::nullopt;
}

Problem read_isolation(const Arguments& arguments, Configuration& read_into) {
  read_into.isolate = !arguments.in_process;
  read_into.isolation.learns = !arguments.timeout;
  if (auto problem = read<std::chrono::milliseconds>("--timeout", arguments.timeout,
                                                     read_into.isolation.timeout, parse_duration)) {
    return problem;
  }
  if (arguments.in_process && read_into.pipe) {
    return named("--in-process", "a program behind a pipe is a process of its own");
  }
  if (arguments.timeout && !read_into.isolate) {
    return named("--timeout", "a call that hangs can be ended only without --in-process");
  }
  return std::nullopt;
}

Problem read_output(const Arguments& arguments, Configuration& read_into) {
  if (arguments.out) read_into.folder = *arguments.out;
  if (auto problem = check_written(arguments, read_into.folder)) return problem;
  read_into.certificate = arguments.certificate.value_or("");
  if (arguments.out && arguments.out->empty()) return named("--out", "the folder's name is empty");
  if (auto problem = read<runs::Recording>("--set: results", arguments.results, read_into.recording,
                                           parse_recording)) {
    return problem;
  }
  return read<bool>("--set: color", arguments.color.value_or("auto"), read_into.has_colors,
                    parse_color);
}

}  // namespace

std::optional<std::string> check_written(const Arguments& arguments,
                                         const std::filesystem::path& run) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto whole = [&](const fs::path& file) {
    return fs::absolute(file, error).lexically_normal();
  };
  std::set<fs::path> files;
  for (const auto* text :
       {&arguments.html, &arguments.markdown, &arguments.junit, &arguments.json_file,
        &arguments.observations, &arguments.openmetrics, &arguments.certificate}) {
    if (!*text || text->value().starts_with("/dev/")) continue;
    const fs::path file = whole(**text), folder = file.parent_path();
    if (!files.insert(file).second) {
      return named("--write", fmt::format("{} is named twice", file.string()));
    }
    std::set<std::string> kept{"run.json", "results.jsonl", "journal.jsonl", "provenance.jsonl"};
    if (text == &arguments.certificate) {
      kept.insert({"report.html", "report.json", "report.md", "junit.xml"});
    }
    const bool is_of_a_run = folder == whole(run) || fs::exists(folder / "run.json", error);
    if (is_of_a_run && kept.contains(file.filename().string())) {
      return named("--write", fmt::format("{} is a file that a run keeps", file.string()));
    }
  }
  return std::nullopt;
}

tl::expected<Configuration, std::string> configuration_of(const Arguments& arguments) {
  Configuration read_into;
  read_into.status_only = arguments.status_only;
  read_into.quiet = arguments.quiet;
  read_into.table = arguments.table;
  read_into.command_line = arguments.command_line;
  for (const auto part : {read_selection, read_budget, read_target, read_isolation, read_output}) {
    if (auto problem = part(arguments, read_into)) return tl::unexpected(*problem);
  }
  if (read_into.pipe) read_into.selection.specials = read_into.judges_specials;
  if (read_into.max_macs) {
    read_into.selection.max_macs = static_cast<std::int64_t>(
        std::min<std::uint64_t>(*read_into.max_macs, std::uint64_t{1} << 40U));
    read_into.selection.max_macs_binds = true;
  }
  read_into.target = target_identity(read_into);
  return read_into;
}

oracle::JudgeSettings judge_settings(const Configuration& configuration) {
  oracle::JudgeSettings settings;
  settings.profile = configuration.profile;
  const char* rounding = std::getenv("GRADPROOF_HF32_ROUNDING");
  if (!configuration.libraries.empty()) {
    settings.adder = oracle::Adder::Block;
    settings.hf32_rounding = oracle::Hf32Rounding::Unknown;
  } else if (rounding != nullptr && std::string_view(rounding) == "away") {
    settings.hf32_rounding = oracle::Hf32Rounding::NearestAway;
  }
  hold_to_machine(configuration, settings);
  settings.judges_specials = configuration.judges_specials;
  settings.demands_repeats = configuration.repeats;
  settings.adder = configuration.adder.value_or(settings.adder);
  settings.hf32_rounding = configuration.hf32_rounding.value_or(settings.hf32_rounding);
  return settings;
}

}  // namespace gradproof::cli
