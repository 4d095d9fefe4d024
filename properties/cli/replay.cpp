#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "properties/cli/case_input.h"
#include "properties/cli/commands.h"
#include "properties/cli/continuation.h"
#include "properties/cli/run_command.h"

namespace gradproof::properties::cli {
namespace {

/// `count` of the cases, evenly spread and in their order.
std::vector<StoredCase> sampled(std::vector<StoredCase> cases, std::uint64_t count) {
  if (count >= cases.size()) return cases;
  std::vector<StoredCase> chosen;
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

ExitCode replay_under(const Configuration& configuration, std::vector<StoredCase> cases) {
  auto results = open_results(configuration);
  if (!results) return fail(ExitCode::BadUsage, results.error());
  auto library = load_target(configuration);
  if (!library) return fail(ExitCode::TargetUnusable, library.error());
  std::string dealt_work = dealt_work_in_words(configuration, cases);
  Work work{std::move(cases),
            std::nullopt,
            configuration.seed.value_or(0),
            configuration.shard,
            configuration.target_options,
            configuration.alternates_profiles};
  if (configuration.sample) work.stored = sampled(std::move(work.stored), *configuration.sample);
  return run_and_report({"replay",
                         std::move(*library),
                         std::move(work),
                         false,
                         nullptr,
                         nullptr,
                         {},
                         std::move(dealt_work)},
                        configuration, *results);
}

}  // namespace

ExitCode replay(const Arguments& arguments) {
  auto configuration = configuration_of(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  auto cases = read_case_files(arguments.operands);
  if (!cases) return fail(ExitCode::BadUsage, cases.error());
  if (cases->empty())
    return fail(ExitCode::BadUsage, arguments.operands.front() + ": holds no case");
  // A shard leaves its part for the merge.
  configuration->keeps_results = arguments.out.has_value() || !configuration->shard.is_all();
  if (configuration->keeps_results) return replay_under(*configuration, std::move(*cases));
  const ScratchFolder scratch;
  if (scratch.path().empty()) {
    return fail(ExitCode::OwnFailure,
                "no folder can be made for temporary files; give --out FOLDER");
  }
  configuration->folder = scratch.path();
  return replay_under(*configuration, std::move(*cases));
}

}  // namespace gradproof::properties::cli
