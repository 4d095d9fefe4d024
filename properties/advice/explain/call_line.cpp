#include "properties/advice/explain/call_from_texts.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

namespace gradproof::advice {
namespace {

struct CallKey {
  std::string_view name;
  std::optional<std::string> CallTexts::*value;
};
constexpr CallKey call_keys[] = {
    {"api", &CallTexts::api},           {"input", &CallTexts::input},
    {"weight", &CallTexts::weight},     {"grad-output", &CallTexts::grad_output},
    {"stride", &CallTexts::stride},     {"padding", &CallTexts::padding},
    {"dilation", &CallTexts::dilation}, {"output-padding", &CallTexts::output_padding},
    {"groups", &CallTexts::groups},     {"transposed", &CallTexts::transposed},
    {"bias", &CallTexts::bias},         {"bias-sizes", &CallTexts::bias_sizes},
    {"mask", &CallTexts::mask},         {"dtype", &CallTexts::dtype},
    {"format", &CallTexts::format},     {"cube-math-type", &CallTexts::cube_math_type},
};
constexpr std::string_view soc_key = "soc";

std::string_view key_of(std::string_view word) {
  const std::size_t colon = word.find(':');
  return colon == std::string_view::npos ? std::string_view() : word.substr(0, colon);
}

const CallKey* call_key(std::string_view name) {
  const auto* found = std::ranges::find(call_keys, name, &CallKey::name);
  return found == std::end(call_keys) ? nullptr : found;
}

std::string allowed_keys() {
  std::string names(soc_key);
  for (const CallKey& key : call_keys) names += fmt::format(", {}", key.name);
  return names;
}

/// Key and value of each part of the line, which begins with a key.
std::vector<std::pair<std::string, std::string>> parts_of(std::string_view line) {
  std::vector<std::pair<std::string, std::string>> parts;
  std::istringstream words{std::string(line)};
  for (std::string word; words >> word;) {
    const std::string key(key_of(word));
    if (!key.empty()) {
      parts.emplace_back(key, word.substr(key.size() + 1));
    } else {
      parts.back().second += ' ' + word;
    }
  }
  return parts;
}

}  // namespace

bool is_call_line(std::string_view text) {
  const std::string_view key = key_of(text);
  return key == soc_key || call_key(key) != nullptr;
}

std::optional<std::string> add_call_line(std::string_view line, CallTexts& words,
                                         std::optional<std::string>& soc) {
  for (const auto& [name, value] : parts_of(line)) {
    const CallKey* key = call_key(name);
    if (key == nullptr && name != soc_key) {
      return fmt::format("\"{}\" is no key of a call; allowed: {}", name, allowed_keys());
    }
    auto& place = key == nullptr ? soc : words.*(key->value);
    if (!place) place = value;
  }
  return std::nullopt;
}

std::string call_line(const CallTexts& words, std::string_view soc) {
  std::string line;
  for (const CallKey& key : call_keys) {
    if (const auto& value = words.*(key.value)) line += fmt::format("{}:{} ", key.name, *value);
  }
  return line + fmt::format("{}:{}", soc_key, soc);
}

}  // namespace gradproof::advice
