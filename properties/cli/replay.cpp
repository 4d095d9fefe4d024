#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "properties/cases/check/check.h"
#include "properties/cli/commands.h"
#include "properties/cli/continuation.h"
#include "properties/cli/input/case_input.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/input/configuration_parts.h"
#include "properties/cli/run_command.h"

namespace gradproof::cli {
namespace {

/// `count` of the cases, evenly spread and in their order.
std::vector<runs::StoredCase> sampled(std::vector<runs::StoredCase> cases, std::uint64_t count) {
  if (count >= cases.size()) return cases;
  std::vector<runs::StoredCase> chosen;
  for (std::uint64_t i = 0; i < count; ++i) {
    chosen.push_back(std::move(cases[i * cases.size() / count]));
  }
  return chosen;
}

/// A folder of its own for what a replay without --out writes. Gone at the end.
class ScratchFolder {
 public:
  /// Errors: why there is none; path() is empty then.
  ScratchFolder() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "gradproof-XXXXXX").string();
    if (!error && ::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

ExitCode replay_under(Configuration configuration, std::vector<runs::StoredCase> cases) {
  auto results = open_results(configuration);
  if (!results) return fail(ExitCode::BadUsage, results.error());
  const auto options = kept_options(cases, configuration);
  if (!options) return fail(ExitCode::BadUsage, options.error());
  const cases::Selection asked = std::exchange(configuration.selection, *options);
  configuration.selection.laws = asked.laws;
  configuration.selection.recipes = asked.recipes;
  auto library = load_target(configuration);
  if (!library) return fail(ExitCode::TargetUnusable, library.error());
  if (auto contradiction = learn_algorithms(configuration, **library)) {
    return fail(ExitCode::BadUsage, *contradiction);
  }
  std::string dealt_work = dealt_work_in_words(configuration, cases);
  runs::Work work{std::move(cases),
                  std::nullopt,
                  configuration.seed.value_or(0),
                  configuration.shard,
                  configuration.target_options,
                  configuration.alternates_profiles};
  if (configuration.sample) work.stored = sampled(std::move(work.stored), *configuration.sample);
  return run_and_report({"replay",
                         cases::narrowed(std::move(*library), *options),
                         std::move(work),
                         false,
                         nullptr,
                         nullptr,
                         {},
                         std::move(dealt_work)},
                        configuration, *results);
}

}  // namespace

ExitCode replay(const Arguments& typed) {
  const auto understood = with_typed_words(typed);
  if (!understood) return fail(ExitCode::BadUsage, understood.error());
  const Arguments& arguments = *understood;
  auto configuration = configuration_of(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  auto read = replayed_cases(arguments, configuration->selection.products);
  if (!read) return fail(ExitCode::BadUsage, read.error());
  // A shard leaves its part for the merge.
  configuration->keeps_results = arguments.out.has_value() || !configuration->shard.is_all();
  if (configuration->keeps_results) {
    return with_left_out(*read, replay_under(*configuration, std::move(read->cases)));
  }
  const ScratchFolder scratch;
  if (scratch.path().empty()) {
    return fail(ExitCode::OwnFailure,
                "no folder can be made for temporary files; give --out FOLDER");
  }
  configuration->folder = scratch.path();
  return with_left_out(*read, replay_under(*configuration, std::move(read->cases)));
}

}  // namespace gradproof::cli
