#include "properties/advice/logs/xla_text.h"

namespace gradproof::properties {

std::optional<XlaTensor> tensor_in(std::string_view text, std::size_t& position) {
  const std::size_t open = text.find('[', position);
  if (open == std::string_view::npos) return std::nullopt;
  std::size_t begin = open;
  while (begin > position && is_word_letter(text[begin - 1])) --begin;
  const auto shape = integers_in_brackets(text, open);
  position = open + 1;
  if (!shape || begin == open) return std::nullopt;
  return XlaTensor{std::string(text.substr(begin, open - begin)), *shape};
}

std::vector<XlaTensor> tensors_in(std::string_view text) {
  std::vector<XlaTensor> tensors;
  for (std::size_t position = 0; text.find('[', position) != std::string_view::npos;) {
    if (auto tensor = tensor_in(text, position)) tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

std::string_view name_of(std::string_view text) {
  const std::size_t begin = text.find('%');
  if (begin == std::string_view::npos) return {};
  const std::size_t end = text.find_first_of(" ,)=", begin);
  return text.substr(begin, end == std::string_view::npos ? end : end - begin);
}

XlaDefinitions definitions_of(std::string_view text) {
  XlaDefinitions definitions;
  for (const std::string_view line : lines_of(text)) {
    const std::size_t sign = line.find(" = ");
    if (sign == std::string_view::npos) continue;
    const std::string_view name = name_of(line.substr(0, sign));
    const std::string_view value = line.substr(sign + 3, 2000);
    if (name.empty() || value.empty()) continue;
    const std::size_t close = value[0] == '(' ? closing_bracket(value, 0) : value.find(' ');
    definitions[std::string(name)] = tensors_in(value.substr(0, close));
  }
  return definitions;
}

std::optional<XlaTensor> defined(const XlaDefinitions& definitions, std::string_view name) {
  const auto whole = definitions.find(name);
  if (whole != definitions.end() && !whole->second.empty()) return whole->second[0];
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto found = definitions.find(name.substr(0, dot));
  const auto index = integer_of(name.substr(dot + 1));
  if (found == definitions.end() || !index || *index < 0) return std::nullopt;
  const auto at = static_cast<std::size_t>(*index);
  return at < found->second.size() ? std::optional(found->second[at]) : std::nullopt;
}

void take_integers(std::optional<std::string>& word, std::string_view line, std::string_view key) {
  const auto value = behind(line, key);
  if (!value) return;
  const auto list = integers_in_brackets(*value, 0);
  const auto single = integer_of(value->substr(0, value->find_first_of(", ")));
  if (list) {
    word = with_commas(*list);
  } else if (single) {
    word = std::to_string(*single);
  }
}

}  // namespace gradproof::properties
