#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "properties/cli/commands.h"
#include "properties/cli/options.h"
#include "properties/cli/run_command.h"

namespace gradproof::properties::cli {
namespace {

struct RunnableCommand {
  std::string_view name;
  ExitCode (*run)(const Arguments&);
};
constexpr RunnableCommand runnable_commands[] = {
    {"verify", verify},          {"prove", prove},     {"replay", replay},       {"shrink", shrink},
    {"generate", generate},      {"explain", explain}, {"tolerance", tolerance}, {"judge", judge},
    {"faults", faults},          {"demo", demo},       {"report", report},       {"list", list},
    {"fingerprint", fingerprint}};

ExitCode run(int argument_count, const char* const* words) {
  const auto parsed = parse_command_line(argument_count, words);
  if (const auto* code = std::get_if<ExitCode>(&parsed)) return *code;
  const auto& arguments = std::get<Arguments>(parsed);
  const auto* command =
      std::ranges::find(runnable_commands, arguments.command, &RunnableCommand::name);
  if (command == std::end(runnable_commands))
    return fail(ExitCode::OwnFailure, "a command without a function");
  return command->run(arguments);
}

bool wrote_everything() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

ExitCode lost_output() {
  return fail(ExitCode::OwnFailure,
              "the standard output could not be written whole; is its disk full?");
}

}  // namespace
}  // namespace gradproof::properties::cli

int main(int argument_count, char** words) {
  using namespace gradproof::properties::cli;
  try {
    const ExitCode code = run(argument_count, words);
    return static_cast<int>(wrote_everything() ? code : lost_output());
  } catch (const std::filesystem::filesystem_error& error) {
    return static_cast<int>(
        fail(ExitCode::OwnFailure, error.path1().string() + ": " + error.code().message()));
  } catch (const std::exception& error) {
    return static_cast<int>(fail(ExitCode::OwnFailure, error.what()));
  }
}
