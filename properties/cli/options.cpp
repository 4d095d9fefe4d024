#include "properties/cli/options.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/element_lanes.h"
#include "corpus/words/spelling.h"
#include "oracle/numbers/instruction_set.h"
#include "properties/advice/explain/module_words.h"
#include "properties/cli/command_rows.h"
#include "properties/cli/option_rows.h"
#include "properties/cli/version.h"
#include "properties/findings/results/shell_word.h"

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

/// "; nearest: --time", or nothing.
std::string nearest_in_words(std::string_view typed, const std::vector<std::string>& words) {
  const std::string nearest = corpus::nearest_word(typed, words);
  return nearest.empty() ? "" : "; nearest: " + nearest;
}

/// Options that there were, and what to do instead.
constexpr std::pair<std::string_view, std::string_view> gone_options[] = {
    {"--brief", "the answer is brief without it; --code c or --code python prints the call"}};

/// The library would only say that a command is missing.
std::optional<std::string> unknown_command(std::string_view first) {
  std::vector<std::string> names;
  for (const CommandRow& row : command_rows) names.emplace_back(row.name);
  if (std::ranges::find(names, first) != names.end()) return std::nullopt;
  return fmt::format("there is no command \"{}\"{}; gradproof --help lists them", first,
                     nearest_in_words(first, names));
}

/// The library would only say that a word was not expected. `words`: of the command line, after
/// the command's name.
std::optional<std::string> unknown_option(const CLI::App& command,
                                          std::span<const char* const> words) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const std::string_view word : words) {
    if (word == "--") break;
    const std::string typed(word.substr(0, word.find('=')));
    if (!typed.starts_with("--") || std::ranges::find(names, typed) != names.end()) continue;
    const auto* gone = std::ranges::find(gone_options, typed, [](auto& row) { return row.first; });
    if (gone != std::end(gone_options)) {
      return fmt::format("{}: there is no {} any more: {}", command.get_name(), typed,
                         gone->second);
    }
    return fmt::format("{0}: there is no option \"{1}\"{2}; gradproof {0} --help lists them",
                       command.get_name(), typed, nearest_in_words(typed, names));
  }
  return std::nullopt;
}

/// A word that is no command's or no option's name, in a sentence.
std::optional<std::string> unknown_word_in(const CLI::App& app,
                                           std::span<const char* const> words) {
  if (words.size() < 2 || words[1][0] == '-') return std::nullopt;
  if (auto unknown = unknown_command(words[1])) return unknown;
  return unknown_option(*app.get_subcommand(words[1]), words.subspan(2));
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
  const std::span given(words, to_size(argument_count));
  if (const auto unknown = unknown_word_in(app, given)) {
    std::cerr << "gradproof: " << *unknown << '\n';
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
