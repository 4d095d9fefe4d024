#include "properties/cli/input/given_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace gradproof::cli {
namespace {

using corpus::Language;

std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  return text;
}

Language language_of_locale() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string locale = in_small_letters(value);
    const std::size_t dot = locale.find('.');
    const bool is_utf8 = dot == std::string::npos || locale.compare(dot + 1, 3, "utf") == 0;
    return locale.starts_with("zh") && is_utf8 ? Language::Chinese : Language::English;
  }
  return Language::English;
}

}  // namespace

tl::expected<Language, std::string> language_of(const Arguments& arguments) {
  if (!arguments.lang) return language_of_locale();
  const std::string word = in_small_letters(*arguments.lang);
  if (word == "zh" || word.starts_with("zh_") || word.starts_with("zh-") || word == "中文") {
    return Language::Chinese;
  }
  if (word == "en" || word.starts_with("en_") || word.starts_with("en-")) return Language::English;
  return tl::unexpected(fmt::format("--lang: \"{}\" is neither en nor zh", *arguments.lang));
}

}  // namespace gradproof::cli
