#include "properties/cli/grammar/old_spellings.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include "corpus/words/spelling.h"
#include "properties/cli/grammar/command_rows.h"
#include "properties/findings/results/shell_word.h"

namespace gradproof::cli {
namespace {

struct OldCommand {
  std::string_view name, becomes;
};
constexpr OldCommand old_commands[] = {
    {"shrink", "replay --shrink"},
    {"tolerance", "explain --tolerance"},
    {"generate", "list cases"},
};

enum class Value : unsigned char { None, Any, Yes, No, Auto };

/// `becomes`: words, in which {} stands for the value.
struct OldOption {
  std::string_view name;
  std::string_view command;  ///< empty: all
  Value value;
  std::string_view becomes;
};
constexpr OldOption old_options[] = {
    {"--adder", "", Value::Any, "--machine adder={}"},
    {"--against", "fingerprint", Value::Any, "--baseline {}"},
    {"--attacks", "prove", Value::Any, "--set attacks={}"},
    {"--bias-sizes", "", Value::Any, "--bias ({})"},
    {"--calls", "fingerprint", Value::Any, "--cases {}"},
    {"--case", "explain", Value::None, "--code case"},
    {"--certificate", "", Value::Any, "--write certificate={}"},
    {"--color", "", Value::Any, "--set color={}"},
    {"--dictionary", "", Value::No, ""},
    {"--dictionary", "", Value::Auto, ""},
    {"--domain", "", Value::Any, "--set domain={}"},
    {"--fault", "faults", Value::Any, "{}"},
    {"--first", "list", Value::Any, "--set first={}"},
    {"--follow", "report", Value::None, "--set follow=yes"},
    {"--hf32", "", Value::Any, "--machine hf32={}"},
    {"--html", "report", Value::Any, "--write html={}"},
    {"--isolate", "", Value::No, "--in-process"},
    {"--isolate", "", Value::Yes, ""},
    {"--json", "report", Value::Any, "--write json={}"},
    {"--junit", "report", Value::Any, "--write junit={}"},
    {"--markdown", "report", Value::Any, "--write markdown={}"},
    {"--max-bytes", "", Value::Any, "--set max-bytes={}"},
    {"--mode", "prove", Value::Any, "--dtype {}"},
    {"--museum", "faults", Value::None, "museum"},
    {"--observability", "report", Value::Any, "--write observability={}"},
    {"--predict", "fingerprint", Value::Any, "--set predict={}"},
    {"--repeat", "", Value::Any, "--set repeat={}"},
    {"--results", "", Value::Any, "--set results={}"},
    {"--sample", "replay", Value::Any, "--set sample={}"},
    {"--scope", "prove", Value::Any, "{}"},
    {"--specials", "", Value::Any, "--machine specials={}"},
    {"--stored", "", Value::No, "--no-stored"},
    {"--stored", "", Value::Yes, ""},
    {"--time-per-fault", "faults", Value::Any, "--time {}"},
    {"--torch", "explain", Value::Any, "{}"},
    {"--views", "", Value::Any, "--set views={}"},
};

bool is_value(Value wanted, std::string_view given) {
  switch (wanted) {
    case Value::Yes:
      return given == "yes";
    case Value::No:
      return given == "no";
    case Value::Auto:
      return given == "auto";
    default:
      return true;
  }
}

std::vector<std::string> words_in(std::string_view text, const std::string& value) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(fmt::format(fmt::runtime(text.substr(at, end - at)), value));
    at = end + 1;
  }
  return words;
}

/// An old option at the front of words, and how many of them it takes.
struct Found {
  const OldOption* option = nullptr;
  std::string value;
  std::size_t taken = 1;
};

Found found_in(std::span<const std::string> words, std::string_view command) {
  Found found;
  const std::size_t equals = words[0].find('=');
  const std::string name = words[0].substr(0, equals);
  for (const OldOption& option : old_options) {
    if (option.name != name || (!option.command.empty() && option.command != command)) continue;
    const bool has_value = option.value != Value::None, is_joined = equals != std::string::npos;
    if (is_joined ? !has_value : has_value && words.size() < 2) continue;
    if (has_value) found.value = is_joined ? words[0].substr(equals + 1) : words[1];
    if (!is_value(option.value, found.value)) continue;
    found.taken = has_value && !is_joined ? 2 : 1;
    found.option = &option;
    break;
  }
  return found;
}

std::string note_of(const Found& found, const std::vector<std::string>& now) {
  std::string before(found.option->name);
  if (!found.value.empty()) before += " " + findings::shell_word(found.value);
  if (now.empty()) return before + " is not needed any more";
  std::vector<std::string> quoted;
  quoted.reserve(now.size());
  for (const std::string& word : now) quoted.push_back(findings::shell_word(word));
  const std::string_view alone = now.front().starts_with("--") ? "" : " alone";
  return fmt::format("{} is now {}{}", before, fmt::join(quoted, " "), alone);
}

/// "; nearest: --time", or nothing.
std::string nearest_in_words(std::string_view typed, const std::vector<std::string>& words) {
  const std::string nearest = corpus::nearest_word(typed, words);
  return nearest.empty() ? "" : "; nearest: " + nearest;
}

/// Options that there were, and what to do instead.
constexpr std::pair<std::string_view, std::string_view> gone_options[] = {
    {"--brief", "the answer is brief without it; --code c or --code python prints the call"},
    {"--dictionary", "generated sizes follow from the seed alone"}};

/// The library would only say that a command is missing.
std::optional<std::string> unknown_command(std::string_view first) {
  std::vector<std::string> names;
  for (const rows::CommandRow& row : rows::command_rows) names.emplace_back(row.name);
  if (std::ranges::find(names, first) != names.end()) return std::nullopt;
  return fmt::format("there is no command \"{}\"{}; gradproof --help lists them", first,
                     nearest_in_words(first, names));
}

/// The library would only say that a word was not expected. `words`: of the command line, after
/// the command's name.
std::optional<std::string> unknown_option(const CLI::App& command,
                                          std::span<const std::string> words) {
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
    return fmt::format("{0}: there is no option \"{1}\"{2}; gradproof {0} --help-all lists them",
                       command.get_name(), typed, nearest_in_words(typed, names));
  }
  return std::nullopt;
}

}  // namespace

Renewed renewed(const std::vector<std::string>& words) {
  Renewed result;
  std::size_t at = 0;
  if (words.size() > 1) {
    result.words = {words[0], words[1]};
    at = 2;
    const auto* old = std::ranges::find(old_commands, words[1], &OldCommand::name);
    if (old != std::end(old_commands)) {
      result.words.pop_back();
      for (std::string& word : words_in(old->becomes, "")) result.words.push_back(std::move(word));
      result.notes.push_back(fmt::format("`{}` is now `{}`", old->name, old->becomes));
    }
  }
  const std::string command = result.words.size() > 1 ? result.words[1] : "";
  while (at < words.size() && words[at] != "--") {
    const Found found = found_in(std::span(words).subspan(at), command);
    if (found.option == nullptr) {
      result.words.push_back(words[at++]);
      continue;
    }
    at += found.taken;
    const auto now = words_in(found.option->becomes, found.value);
    result.notes.push_back(note_of(found, now));
    result.words.insert(result.words.end(), now.begin(), now.end());
  }
  result.words.insert(result.words.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                      words.end());
  return result;
}

std::optional<std::string> unknown_word_in(const CLI::App& app,
                                           std::span<const std::string> words) {
  if (words.size() < 2 || words[1].starts_with('-')) return std::nullopt;
  if (auto unknown = unknown_command(words[1])) return unknown;
  return unknown_option(*app.get_subcommand(words[1]), words.subspan(2));
}

}  // namespace gradproof::cli
