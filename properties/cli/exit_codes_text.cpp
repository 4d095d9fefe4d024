#include <fmt/core.h>

#include <utility>

#include "properties/cli/exit_code.h"
#include "properties/cli/grammar/command_rows.h"

namespace gradproof::cli::rows {
namespace {

using enum cli::ExitCode;

constexpr std::pair<ExitCode, const char*> codes[] = {
    {NothingDisagreed, "nothing disagreed"},
    {Disagreement, "something disagreed, or a seeded fault was missed"},
    {BadUsage, "bad usage, or an input that cannot be read"},
    {TargetUnusable, "the target cannot be loaded, or lacks what the cases need"},
    {Unhealthy, "the run proves too little, or nothing was judged"},
    {OwnFailure, "gradproof's own failure; what was found is kept"},
    {Ungated, "gate: this host cannot isolate the candidate"},
    {Interrupted, "Ctrl-C; the same command resumes a verify"},
    {Terminated, "SIGTERM; likewise"},
};

}  // namespace

std::string exit_codes_text() {
  std::string text;
  for (const auto& [code, words] : codes) {
    text += fmt::format("  {:<4}{}\n", static_cast<int>(code), words);
  }
  return text;
}

}  // namespace gradproof::cli::rows
