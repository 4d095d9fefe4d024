#include "properties/cli/grammar/options.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <span>
#include <string_view>

#include "corpus/element_lanes.h"
#include "oracle/numbers/instruction_set.h"
#include "properties/advice/logs/found_call.h"
#include "properties/cli/grammar/command_rows.h"
#include "properties/cli/grammar/old_spellings.h"
#include "properties/cli/grammar/option_rows.h"
#include "properties/cli/input/given_options.h"
#include "properties/cli/told.h"
#include "properties/cli/version.h"
#include "properties/findings/results/shell_word.h"

namespace gradproof::cli {

using namespace rows;

namespace {

/// A shell passes "2, 3, 224, 224" without quotes as four words.
constexpr int most_words = 16;

/// The words of an option in one. A module among them is an operand that follows the option.
std::string value_of(const std::vector<std::string>& words, std::vector<std::string>& operands) {
  std::string value;
  for (const std::string& word : words) {
    if (advice::is_written_call(word)) {
      operands.push_back(word);
    } else {
      value += (value.empty() ? "" : " ") + word;
    }
  }
  return value;
}

/// A command while its options are added.
struct Adding {
  CLI::App& command;
  const CommandRow& row;
  Arguments& arguments;
  bool shows_all;  ///< in the help; else the usual options alone
  int hidden = 0;

  bool has(unsigned modes) const { return (row.modes & modes) != 0; }
  /// Heading in the help; empty: the help leaves it out.
  std::string title(unsigned usual, const char* heading) {
    if (shows_all || has(usual)) return heading;
    ++hidden;
    return "";
  }
};

/// Takes one value; a list of KEY=VALUE may be given in several.
void add_text_option(Adding& to, const char* name, const char* value, const char* help,
                     const std::string& title, std::optional<std::string>& member) {
  CLI::Option* added = nullptr;
  if (std::string_view(value).find("KEY=") == std::string_view::npos &&
      std::string_view(value).find("KIND=") == std::string_view::npos) {
    added = to.command.add_option_function<std::string>(
        name, [&member](const std::string& text) { member = text; }, help);
  } else {
    added = to.command.add_option_function<std::vector<std::string>>(
        name,
        [&member](const std::vector<std::string>& texts) {
          member = fmt::format("{}", fmt::join(texts, ","));
        },
        help);
    added->allow_extra_args(false);
  }
  added->type_name(value)->group(title);
}

void add_call_option(Adding& to, const CallOption& option) {
  auto* added = to.command.add_option_function<std::vector<std::string>>(
      option.name,
      [&arguments = to.arguments, &option](const std::vector<std::string>& words) {
        const std::string value = value_of(words, arguments.operands);
        const bool alone = value.empty() && option.implied != nullptr;
        arguments.call.*option.member = alone ? option.implied : value;
      },
      option.help);
  added->expected(option.implied != nullptr ? 0 : 1, most_words)
      ->type_name("TEXT")
      ->group(to.title(option.usual, title_call));
}

void add_options(Adding& to) {
  for (const TextOption& option : text_options) {
    if (!to.has(option.modes)) continue;
    add_text_option(to, option.name, option.value, option.help,
                    to.title(option.usual, option.title), to.arguments.*option.member);
  }
  for (const CallOption& option : call_options) {
    if (option.selects == nullptr || !to.has(option.selecting)) continue;
    add_text_option(to, option.name, "LIST", option.help, to.title(option.usual, title_cases),
                    to.arguments.*option.selects);
  }
  for (const FlagOption& option : flag_options) {
    if (!to.has(option.modes)) continue;
    to.command.add_flag(option.name, to.arguments.*option.member, option.help)
        ->group(to.title(option.usual, option.title));
  }
  if (!to.has(calling)) return;
  for (const CallOption& option : call_options) add_call_option(to, option);
}

/// What stands behind a command without an option.
struct OperandRow {
  Operands operands;
  const char *name, *says;
  bool is_needed, is_one;
};

constexpr OperandRow operand_rows[] = {
    {Operands::MaybeCall, "CALL",
     "this call alone: a line such as \"input:2,3,8,8 weight:4,3,3,3 stride:2\", or a module and "
     "its input",
     false, false},
    {Operands::CallOnly, "CALL", "a line such as \"input:2,3,8,8 weight:4,3,3,3\"", false, false},
    {Operands::Explained, "FILE", "case files, a module, or codes and rules", false, false},
    {Operands::Tensors, "PATH", "a folder of tensors, or files of single ones", true, false},
    {Operands::FilesOrCall, "FILE", "case files, or a module", false, false},
    {Operands::Results, "PATH", "folders of runs, or results files", true, false},
    {Operands::Topic, "TOPIC",
     "rules, laws, formats, products, recipes, faults or museum; or cases, and a CALL that they "
     "are made of",
     true, false},
    {Operands::Scope, "SCOPE", "small (default), blocks, or a scope file; docs/prove.md", false,
     true},
    {Operands::Candidate, "TARGET", "a library with CANN's functions, or pipe:CMD", false, true},
    {Operands::FaultNames, "FAULT",
     "these alone, see `gradproof list faults`; museum: bugs that other libraries had", false,
     false},
};

void add_operands(CLI::App& app, Operands operands, Arguments& arguments) {
  const auto* row = std::ranges::find(operand_rows, operands, &OperandRow::operands);
  if (row == std::end(operand_rows)) return;
  auto* option = app.add_option(row->name, arguments.operands, row->says);
  if (row->is_needed) option->required();
  if (row->is_one) {
    option->expected(1);
  } else {
    option->expected(1, -1);
  }
}

/// The keys of options that take KEY=VALUE, as a section of the help.
std::string keys_text(unsigned modes) {
  std::string text;
  for (const KeyRow& row : key_rows) {
    if ((row.modes & modes) == 0) continue;
    text += fmt::format("  {:<27} {}\n", fmt::format("{} {}=", row.option, row.key), row.help);
  }
  return text.empty() ? text : "Keys:\n" + text + "\n";
}

void add_command(CLI::App& app, const CommandRow& row, Arguments& arguments, bool shows_all) {
  CLI::App* command = app.add_subcommand(row.name, row.help);
  Adding adding{*command, row, arguments, shows_all};
  add_options(adding);
  add_operands(*command, row.operands, arguments);
  std::string more = shows_all ? keys_text(row.modes) : "";
  if (adding.hidden > 0) {
    more = fmt::format("{} more options: gradproof {} --help-all\n\n", adding.hidden, row.name);
  }
  command->footer(
      fmt::format("{}Examples:\n{}\nExit codes:\n{}", more, row.examples, exit_codes_text()));
  command->callback([&arguments, &row] { arguments.command = row.name; });
}

std::string command_line(std::span<const std::string> words) {
  std::string line = "gradproof";
  for (const std::string& word : words.subspan(1)) line += ' ' + findings::shell_word(word);
  return line;
}

/// The second line says which vector instructions draw the data and compute the truth: the only
/// part of a run that differs between hosts.
std::string version() {
  return fmt::format("{}\nvectors: {} (test data), {} (oracle)", program_version(),
                     corpus::name_of(corpus::widest_lanes()),
                     oracle::name_of(oracle::widest_instruction_set()));
}

/// Reads the words into the arguments. The code to leave with at once, if there is one.
std::optional<ExitCode> parse_with(CLI::App& app, const std::vector<std::string>& words) {
  std::vector<const char*> pointers;
  pointers.reserve(words.size());
  for (const std::string& word : words) pointers.push_back(word.c_str());
  try {
    app.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error, std::cout, std::cerr);
      return ExitCode::NothingDisagreed;
    }
    tell(std::string(error.what()) + "\nRun with --help for more information.");
    return ExitCode::BadUsage;
  }
  return std::nullopt;
}

/// Settles what the words say beyond the parser's grammar. Errors: a sentence.
std::optional<std::string> settle(Arguments& arguments) {
  const auto* row = std::ranges::find(command_rows, arguments.command, &CommandRow::name);
  if (auto problem = choose_mode(arguments, *row)) return problem;
  arguments.case_line = arguments.code == "case";
  if (arguments.case_line) arguments.code.reset();
  return read_keys(arguments);
}

}  // namespace

std::variant<Arguments, ExitCode> parse_command_line(const std::vector<std::string>& given) {
  const auto [words, notes] = renewed(given);
  Arguments arguments;
  arguments.command_line = command_line(words);
  CLI::App app("Exact verification of convolution-gradient kernels with the CANN API", "gradproof");
  app.set_version_flag("-V,--version", version);
  app.set_help_all_flag("--help-all", "Print this help with all options and exit");
  app.require_subcommand(1);
  const bool shows_all = std::ranges::find(words, "--help-all") != words.end();
  for (const CommandRow& row : command_rows) add_command(app, row, arguments, shows_all);
  for (const std::string& note : notes) tell("note: " + note);
  if (const auto unknown = unknown_word_in(app, words)) {
    tell(*unknown);
    return ExitCode::BadUsage;
  }
  if (const auto code = parse_with(app, words)) return *code;
  if (const auto problem = settle(arguments)) {
    tell(*problem);
    return ExitCode::BadUsage;
  }
  return arguments;
}

}  // namespace gradproof::cli
