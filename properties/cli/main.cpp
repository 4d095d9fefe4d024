#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "properties/cli/commands.h"
#include "properties/cli/grammar/options.h"
#include "properties/cli/run_command.h"

namespace gradproof::cli {
namespace {

struct RunnableMode {
  Mode mode;
  ExitCode (*run)(const Arguments&);
};
constexpr RunnableMode runnable_modes[] = {
    {modes::Verify, verify},   {modes::Prove, prove},         {modes::Replay, replay},
    {modes::Shrink, shrink},   {modes::Generate, generate},   {modes::List, list},
    {modes::Explain, explain}, {modes::Tolerance, tolerance}, {modes::Judge, judge},
    {modes::Faults, faults},   {modes::Demo, demo},           {modes::Fingerprint, fingerprint},
    {modes::Report, report}};

ExitCode run(const std::vector<std::string>& words) {
  const auto parsed = parse_command_line(words);
  if (const auto* code = std::get_if<ExitCode>(&parsed)) return *code;
  const auto& arguments = std::get<Arguments>(parsed);
  const auto* row = std::ranges::find(runnable_modes, arguments.mode, &RunnableMode::mode);
  if (row == std::end(runnable_modes))
    return fail(ExitCode::OwnFailure, "a command without a function");
  return row->run(arguments);
}

bool wrote_everything() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

ExitCode lost_output() {
  return fail(ExitCode::OwnFailure,
              "the standard output could not be written whole; is its disk full?");
}

}  // namespace
}  // namespace gradproof::cli

int main(int argument_count, char** words) {
  using namespace gradproof::cli;
  try {
    const ExitCode code = run({words, words + argument_count});
    return static_cast<int>(wrote_everything() ? code : lost_output());
  } catch (const std::filesystem::filesystem_error& error) {
    return static_cast<int>(
        fail(ExitCode::OwnFailure, error.path1().string() + ": " + error.code().message()));
  } catch (const std::exception& error) {
    return static_cast<int>(fail(ExitCode::OwnFailure, error.what()));
  }
}
