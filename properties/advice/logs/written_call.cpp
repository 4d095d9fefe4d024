
#include <fmt/format.h>

#include "corpus/words/spelling.h"
#include "properties/advice/explain/call_from_texts.h"
#include "properties/advice/logs/call_table.h"
#include "properties/advice/logs/found_call.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

/// A name of the table with its arguments, whatever these are.
bool names_a_call(std::string_view text) {
  if (!without_blanks(text).ends_with(')')) return false;
  for (const Word& word : words_in(text)) {
    if (word.end() < text.size() && text[word.end()] == '(' &&
        spellings().contains(std::string(word.text)))
      return true;
  }
  return false;
}

/// A key that was probably mistyped; empty: none.
std::string mistyped_key(const FoundCall& call) {
  for (const std::string& key : call.unknown_keys) {
    if (!corpus::nearest_word(key, known_keys()).empty())
      return corpus::unknown_word(key, "argument of the call", known_keys());
  }
  return {};
}

}  // namespace

bool is_written_call(std::string_view text) {
  return names_a_call(text) || !calls_in(text).calls.empty();
}

std::optional<std::string> add_written_call(std::string_view text, CallTexts& words) {
  const auto calls = calls_in(text).calls;
  if (calls.empty()) {
    return std::string(
        "the call states no lengths; it needs numbers, e.g. Conv2d(3, 64, kernel_size=(7, 7)) or "
        "F.conv2d(torch.ones(2, 3, 8, 8), torch.ones(4, 3, 3, 3))");
  }
  const FoundCall& call = calls[0];
  if (auto problem = mistyped_key(call); !problem.empty()) return problem;
  for (const std::string& lacking : call.lacking) {
    // The options, or what is typed with them, may say these.
    const bool may_follow = lacking == lacking_input || lacking == "input's shape" ||
                            (lacking == "weight's shape" && words.weight) ||
                            (lacking.find("\"same\"") != lacking.npos && !call.words.input);
    if (!may_follow) return fmt::format("the call lacks {}", lacking);
  }
  std::optional<std::string> none;
  return add_call_line(call.line_of_words(), words, none);
}

}  // namespace gradproof::advice
