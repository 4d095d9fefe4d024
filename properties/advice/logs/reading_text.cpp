#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "properties/advice/explain/code_rows.h"
#include "properties/advice/explain/term.h"
#include "properties/advice/logs/log_text.h"
#include "properties/advice/logs/reading.h"
#include "properties/advice/logs/sign.h"

namespace gradproof::advice {
namespace {

std::string kinds_in_words(const Reading& reading) {
  std::vector<std::string_view> words;
  for (const LogKind kind : reading.kinds) words.push_back(words_of(kind));
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string operators_in_words(const Reading& reading) {
  if (reading.operators.empty()) {
    if (!reading.calls.empty())
      return fmt::format("operator: a convolution, written as {} (line {})\n",
                         reading.calls[0].notation, reading.calls[0].line);
    if (reading.names.empty()) return "operator: not stated\n";
    return fmt::format("operator: a convolution by its name ({})\n",
                       shown(fmt::format("{}", fmt::join(reading.names, ", "))));
  }
  std::string text;
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < std::min(most, reading.operators.size()); ++i) {
    const NamedOperator& named = reading.operators[i];
    text += fmt::format("{}: {}{} ({})\n", i == 0 ? "operator" : "also named", shown(named.name),
                        named.in_phase_one ? ", phase one" : "", words_of(named.relation));
  }
  return text;
}

std::string product_in_words(const Reading& reading) {
  if (!reading.product) return "not stated";
  const std::string word = shown(reading.product->word);
  if (!reading.product->product) return word + ", which may mean a 910, a 910B or an A3";
  const std::string_view name = corpus::name_of(*reading.product->product);
  return word == name ? word : fmt::format("{}, {}", word, name);
}

std::string versions_in_words(const Reading& reading) {
  std::vector<std::string> words;
  for (const StatedVersion& one : reading.versions) {
    words.push_back(fmt::format("{} {}", one.of, shown(one.version)));
  }
  return words.empty() ? "not stated" : fmt::format("{}", fmt::join(words, ", "));
}

std::string codes_in_words(const Reading& reading) {
  std::vector<std::string> words;
  for (const std::string& code : reading.codes) {
    words.push_back(
        fmt::format("{} ({})", shown(code), name_of_code(code).value_or("not known here")));
  }
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

/// Whose fault the first codes can be, each cause once.
std::string causes_in_words(const Reading& reading) {
  constexpr std::size_t most = 4;
  std::string text;
  const bool is_capture =
      std::ranges::find(reading.kinds, LogKind::GraphCapture) != reading.kinds.end();
  for (std::size_t i = 0; i < std::min(most, reading.codes.size()); ++i) {
    const std::string& code = reading.codes[i];
    const auto meaning = code_row(code);
    if (!meaning || text.find(meaning->causes.english) != std::string::npos) continue;
    if (is_capture && code.starts_with("507")) {
      text += fmt::format("  {}: follows from the graph capture that failed\n", shown(code));
      continue;
    }
    const std::string look_at = advice_for(meaning->look_at.english, reading);
    text += fmt::format("  {}: {}{}{}\n", shown(code), meaning->causes.english,
                        look_at.empty() ? "" : "; look at: ", look_at);
  }
  return text;
}

std::string calls_in_words(const Reading& reading) {
  std::string text;
  for (const FoundCall& call : reading.calls) {
    text += fmt::format("{} (line {}, {}): {}\n", call.is_complete() ? "call" : "part of a call",
                        call.line, call.notation, shown(call.line_of_words(), 400));
    for (const std::string& note : call.notes)
      text += fmt::format("  note: {}\n", shown(note, 400));
    for (const std::string& one : call.lacking)
      text += fmt::format("  lacking: {}\n", shown(one, 400));
  }
  if (reading.further_calls > 0) {
    text += fmt::format("and {}{} calls more\n", reading.counts_all_calls ? "" : "at least ",
                        reading.further_calls);
  }
  return text;
}

}  // namespace

std::string reading_text(const Reading& reading) {
  std::string text = fmt::format("log: {}\n", kinds_in_words(reading));
  text += operators_in_words(reading);
  if (!reading.paths.empty()) text += fmt::format("path: {}\n", fmt::join(reading.paths, ", "));
  text += fmt::format("product: {}\nversions: {}\ncodes: {}\n", product_in_words(reading),
                      versions_in_words(reading), codes_in_words(reading));
  text += causes_in_words(reading);
  for (const Meaning& meaning : reading.meanings) {
    text += meaning.line == 0 ? fmt::format("{}\n", meaning.words)
                              : fmt::format("line {}: {}\n", meaning.line, meaning.words);
  }
  for (const Difference& one : reading.differences.all) {
    text += fmt::format("numbers differ (line {}): {}\n", one.line, shown(words_of(one)));
  }
  if (reading.rules.empty()) text += "rule that it names: none\n";
  for (const NamedRule& named : reading.rules) {
    text += fmt::format("rule that it names: {}: {}\n  line {}: \"{}\"\n", named.rule,
                        demand_of(named.rule), named.line, named.quote);
  }
  text += calls_in_words(reading);
  if (!reading.lacking.empty())
    text += fmt::format("lacking: {}\n", fmt::join(reading.lacking, ", "));
  for (const std::string& step : reading.next) text += fmt::format("next: {}\n", step);
  return text;
}

}  // namespace gradproof::advice
