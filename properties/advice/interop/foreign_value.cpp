#include "properties/advice/interop/foreign_value.h"

#include "corpus/json/json_text.h"
#include "properties/advice/interop/foreign_formats.h"

namespace gradproof::advice {

nlohmann::json plain_value(const nlohmann::json& given) {
  if (!given.is_string()) return given;
  auto literal = parse_python_literal(given.get<std::string>());
  if (!literal) return given;
  return std::move(*literal);
}

nlohmann::json member_of(const nlohmann::json& object, const std::string& key) {
  const auto found = object.find(key);
  return found == object.end() ? nlohmann::json() : *found;
}

std::string text_of(const nlohmann::json& object, const std::string& key) {
  const nlohmann::json value = member_of(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string shown(const nlohmann::json& value) {
  constexpr std::size_t longest = 80;
  std::string text = corpus::json_text(value, -1, true);
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

std::optional<std::int64_t> integer_in(const nlohmann::json& value) {
  const bool is_too_large =
      value.is_number_unsigned() && !std::in_range<std::int64_t>(value.get<std::uint64_t>());
  if (!value.is_number_integer() || is_too_large) return std::nullopt;
  return value.get<std::int64_t>();
}

tl::expected<std::vector<std::int64_t>, std::string> integers_of(const nlohmann::json& given) {
  const nlohmann::json value = plain_value(given);
  const nlohmann::json items = value.is_array() ? value : nlohmann::json::array({value});
  std::vector<std::int64_t> numbers;
  for (const nlohmann::json& item : items) {
    const auto number = integer_in(item);
    if (!number) return tl::unexpected(fmt::format("{} is no list of integers", shown(given)));
    numbers.push_back(*number);
  }
  return numbers;
}

tl::expected<bool, std::string> truth_of(const nlohmann::json& given) {
  const nlohmann::json value = plain_value(given);
  if (value.is_boolean()) return value.get<bool>();
  if (value == 0 || value == 1) return value == 1;
  return tl::unexpected(fmt::format("{} is neither true nor false", shown(given)));
}

}  // namespace gradproof::advice
