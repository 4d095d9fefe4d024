#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <tl/expected.hpp>

#include "corpus/words/words.h"
#include "properties/cli/input/values.h"

namespace gradproof::cli {

// Each reads an option's words into a value, and says what is wrong with them, the option named.

using Problem = std::optional<std::string>;
using Text = std::optional<std::string>;

inline Problem named(std::string_view option, const std::string& problem) {
  return fmt::format("{}: {}", option, problem);
}

/// Understands an option's words into `value` where it was given.
template <typename T, typename Value, typename Parse>
Problem read(std::string_view option, const Text& text, Value& value, Parse&& parse) {
  if (!text) return std::nullopt;
  tl::expected<T, std::string> parsed = parse(*text);
  if (!parsed) return named(option, parsed.error());
  value = *parsed;
  return std::nullopt;
}

template <typename T, typename Find>
Problem read_names(std::string_view option, const Text& text, std::vector<T>& values, Find&& find,
                   std::string_view what) {
  if (!text) return std::nullopt;
  const auto names = parse_list(*text);
  if (!names) return named(option, names.error());
  for (const std::string& name : *names) {
    const std::optional<T> found = find(name);
    if (!found) return named(option, fmt::format("\"{}\" is no {}", name, what));
    values.push_back(*found);
  }
  return std::nullopt;
}

/// Of words as people write them: `find` says itself what is wrong.
template <typename T, typename Find>
Problem read_words(std::string_view option, const Text& text, std::vector<T>& values, Find&& find) {
  if (!text) return std::nullopt;
  if (const auto parts = parse_list(*text); !parts) return named(option, parts.error());
  for (const std::string& name : corpus::words_of_list(*text, corpus::Blanks::Kept)) {
    const corpus::Meaning<T> found = find(name);
    if (!found) return named(option, found.error());
    values.push_back(*found);
  }
  return std::nullopt;
}

}  // namespace gradproof::cli
