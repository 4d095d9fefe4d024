#include "properties/cli/target_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace gradproof::properties::cli {

std::string quoted(const std::string& word) {
  constexpr std::string_view plain_marks = "/._-,:+=@%";
  const auto is_plain = [&](unsigned char c) {
    return std::isalnum(c) != 0 || plain_marks.find(static_cast<char>(c)) != plain_marks.npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string quotes = "'";
  for (const char c : word) quotes += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quotes + "'";
}

std::string target_options(const Arguments& arguments) {
  std::string options;
  for (const auto& [option, value] : {std::pair("--target", &arguments.target),
                                      {"--profile", &arguments.profile},
                                      {"--adder", &arguments.adder},
                                      {"--hf32", &arguments.hf32}}) {
    if (*value) options += fmt::format(" {} {}", option, quoted(**value));
  }
  return options;
}

}  // namespace gradproof::properties::cli
