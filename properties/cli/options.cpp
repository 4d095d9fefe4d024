#include "properties/cli/options.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <string_view>

#include "corpus/element_lanes.h"
#include "oracle/numbers/instruction_set.h"
#include "properties/cli/command_rows.h"
#include "properties/cli/option_rows.h"
#include "properties/cli/version.h"
#include "properties/explain/module_words.h"
#include "properties/results/shell_word.h"

namespace gradproof::properties::cli {

using namespace rows;

namespace {

/// A shell passes "2, 3, 224, 224" without quotes as four words.
constexpr int most_words = 16;

/// The words of an option in one. A module among them is an operand that follows the option.
std::string value_of(const std::vector<std::string>& words, std::vector<std::string>& operands) {
  std::string value;
  for (const std::string& word : words) {
    if (is_module(word)) {
      operands.push_back(word);
    } else {
      value += (value.empty() ? "" : " ") + word;
    }
  }
  return value;
}

void add_call_options(CLI::App& command, Arguments& arguments) {
  for (const CallOption& option : call_options) {
    auto* added = command.add_option_function<std::vector<std::string>>(
        option.name,
        [&arguments, &option](const std::vector<std::string>& words) {
          const std::string value = value_of(words, arguments.operands);
          const bool alone = value.empty() && option.implied != nullptr;
          arguments.call.*option.member = alone ? option.implied : value;
        },
        option.help);
    added->expected(option.implied != nullptr ? 0 : 1, most_words)
        ->type_name("TEXT")
        ->group(title_call);
  }
}

/// What stands behind a command without an option.
struct OperandRow {
  Operands operands;
  const char *name, *says;
  bool is_needed, is_one, takes_call_options;
};

constexpr OperandRow operand_rows[] = {
    {Operands::MaybeCall, "CALL",
     "this call alone: a line such as \"input:2,3,8,8 weight:4,3,3,3 stride:2\", or a module and "
     "its input",
     false, false, false},
    {Operands::CallOnly, "CALL", "a line such as \"input:2,3,8,8 weight:4,3,3,3\"", false, false,
     true},
    {Operands::OneFile, "FILE", "a case file", true, true, false},
    {Operands::MaybeFile, "FILE", "case files, a module, or codes and rules", false, false, true},
    {Operands::Tensors, "PATH", "a folder of tensors, or files of single ones", true, false, true},
    {Operands::FilesOrCall, "FILE", "case files, or a module", false, false, true},
    {Operands::Results, "PATH", "folders of runs, or results files", true, false, false},
    {Operands::Topic, "TOPIC", "rules, laws, formats, products, recipes, faults or museum", true,
     true, false},
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
  if (row->takes_call_options) add_call_options(app, arguments);
}

void add_command(CLI::App& app, const CommandRow& row, Arguments& arguments) {
  CLI::App* command = app.add_subcommand(row.name, row.help);
  for (const TextOption& option : text_options) {
    if ((option.groups & row.groups) == 0) continue;
    command
        ->add_option_function<std::string>(
            option.name,
            [&arguments, &option](const std::string& text) { arguments.*option.member = text; },
            option.help)
        ->type_name(option.value)
        ->group(option.title);
  }
  for (const FlagOption& option : flag_options) {
    if ((option.groups & row.groups) == 0) continue;
    command->add_flag(option.name, arguments.*option.member, option.help)->group(option.title);
  }
  command->footer(fmt::format("Examples:\n{}\nExit codes:\n{}", row.examples, exit_codes_text()));
  add_operands(*command, row.operands, arguments);
  command->callback([&arguments, &row] { arguments.command = row.name; });
}

/// The library would only say that a command is missing.
std::optional<std::string> unknown_command(int argument_count, const char* const* words) {
  if (argument_count < 2 || words[1][0] == '-') return std::nullopt;
  const std::string_view first = words[1];
  const bool known =
      std::ranges::any_of(command_rows, [&](const CommandRow& row) { return first == row.name; });
  return known ? std::nullopt : std::optional<std::string>(first);
}

std::string command_line(int argument_count, const char* const* words) {
  std::string line = "gradproof";
  for (int i = 1; i < argument_count; ++i) line += ' ' + shell_word(words[i]);
  return line;
}

/// The second line says which vector instructions draw the data and compute the truth: the only
/// part of a run that differs between hosts.
std::string version() {
  return fmt::format("{}\nvectors: {} (test data), {} (oracle)", program_version(),
                     corpus::name_of(corpus::widest_lanes()),
                     oracle::name_of(oracle::widest_instruction_set()));
}

}  // namespace

std::variant<Arguments, ExitCode> parse_command_line(int argument_count, const char* const* words) {
  Arguments arguments;
  arguments.command_line = command_line(argument_count, words);
  CLI::App app("Exact verification of convolution-gradient kernels with the CANN API", "gradproof");
  app.set_version_flag("-V,--version", version);
  app.require_subcommand(1);
  for (const CommandRow& row : command_rows) add_command(app, row, arguments);
  if (const auto unknown = unknown_command(argument_count, words)) {
    std::cerr << "gradproof: there is no command \"" << *unknown
              << "\"; gradproof --help lists them\n";
    return ExitCode::BadUsage;
  }
  try {
    app.parse(argument_count, words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error, std::cout, std::cerr);
      return ExitCode::NothingDisagreed;
    }
    std::cerr << "gradproof: " << error.what() << "\nRun with --help for more information.\n";
    return ExitCode::BadUsage;
  }
  return arguments;
}

}  // namespace gradproof::properties::cli
