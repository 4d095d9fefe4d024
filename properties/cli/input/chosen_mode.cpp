#include "properties/cli/input/given_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace gradproof::cli {
namespace {

using namespace rows;

struct ModeRow {
  CommandMode mode;
  std::string_view words;
};
constexpr ModeRow mode_rows[] = {
    {Verify, "verify"},       {Prove, "prove"},
    {Replay, "replay"},       {Shrink, "replay --shrink"},
    {Explain, "explain"},     {Tolerance, "explain --tolerance"},
    {Judge, "judge"},         {Fingerprint, "fingerprint"},
    {Report, "report"},       {List, "list"},
    {Generate, "list cases"}, {Faults, "faults"},
    {Demo, "demo"},           {Gate, "gate"},
};

CommandMode asked_mode(const Arguments& arguments, const CommandRow& command) {
  if (arguments.shrink) return Shrink;
  if (arguments.tolerance) return Tolerance;
  const bool lists_cases = (command.modes & Generate) != 0 && !arguments.operands.empty() &&
                           arguments.operands.front() == "cases";
  if (lists_cases) return Generate;
  const auto* row = std::ranges::find_if(
      mode_rows, [&](const ModeRow& one) { return (command.modes & one.mode) != 0; });
  return row->mode;
}

/// An option of other modes of the command.
struct Misplaced {
  const char* option;
  unsigned modes;
};

std::optional<Misplaced> misplaced(const Arguments& arguments) {
  const auto is_elsewhere = [&](unsigned modes) { return (modes & arguments.mode) == 0; };
  for (const TextOption& option : text_options) {
    if (arguments.*option.member && is_elsewhere(option.modes))
      return Misplaced{option.name, option.modes};
  }
  for (const FlagOption& option : flag_options) {
    if (arguments.*option.member && is_elsewhere(option.modes))
      return Misplaced{option.name, option.modes};
  }
  for (const CallOption& option : call_options) {
    if (option.selects != nullptr && arguments.*option.selects && is_elsewhere(option.selecting))
      return Misplaced{option.name, option.selecting};
  }
  return std::nullopt;
}

}  // namespace

std::string rows::words_of(CommandMode mode) {
  const auto* row = std::ranges::find(mode_rows, mode, &ModeRow::mode);
  return std::string(row == std::end(mode_rows) ? "" : row->words);
}

std::optional<std::string> choose_mode(Arguments& arguments, const CommandRow& command) {
  arguments.mode = asked_mode(arguments, command);
  if (arguments.mode == Generate) arguments.operands.erase(arguments.operands.begin());
  const auto wrong = misplaced(arguments);
  if (!wrong) return std::nullopt;
  const auto* other = std::ranges::find_if(mode_rows, [&](const ModeRow& row) {
    return (row.mode & wrong->modes & command.modes) != 0;
  });
  std::string_view name = wrong->option;
  name.remove_prefix(name.find("--"));  // the short one before it
  return fmt::format("{}: there is no option \"{}\"; `gradproof {}` has it",
                     words_of(arguments.mode), name, other->words);
}

}  // namespace gradproof::cli
