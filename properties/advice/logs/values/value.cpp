#include "properties/advice/logs/values/value.h"

#include <algorithm>

namespace gradproof::advice {

std::optional<Integers> Value::integers() const {
  if (is(Kind::Integer)) return Integers{integer};
  if (!is(Kind::List)) return std::nullopt;
  Integers values;
  for (const Value& item : items) {
    if (!item.is(Kind::Integer)) return std::nullopt;
    values.push_back(item.integer);
  }
  return values;
}

std::optional<Integers> Value::lengths() const {
  if (is(Kind::Tensor)) return shape;
  return is(Kind::List) ? integers() : std::nullopt;
}

Value Value::of(std::int64_t integer) { return {.kind = Kind::Integer, .integer = integer}; }

Value Value::of(const Integers& integers) {
  Value list{.kind = Kind::List};
  for (const std::int64_t value : integers) list.items.push_back(of(value));
  return list;
}

Value Value::named(std::string_view word) {
  return {.kind = Kind::Word, .word = std::string(word)};
}

Value Value::truth(std::string_view word) {
  const bool is_true = word.starts_with('T') || word.starts_with('t');
  return {.kind = Kind::Truth, .integer = is_true ? 1 : 0, .word = std::string(word)};
}

Value Value::tensor(Integers shape, std::string_view dtype) {
  return {.kind = Kind::Tensor, .word = std::string(dtype), .shape = std::move(shape)};
}

namespace {

/// Where the word ends that a key of "key=value" or "key: value" would be; 0: none begins here.
std::size_t key_length(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_word_letter(text[end]) || text[end] == '.')) ++end;
  const bool is_path = text.substr(0, end).find('.') != text.npos;  // torch.onnx.strides = [2]
  const std::size_t sign = skip_blanks(text, end);
  if (end == 0 || is_decimal(text[0]) || sign + 1 >= text.size()) return 0;
  const char next = text[sign + 1];
  const bool equals = text[sign] == '=' && next != '=' && next != '>';
  const bool colon = text[sign] == ':' && sign == end && next != ':' && !is_path;
  return equals || colon ? end : 0;
}

std::string_view without_comment(std::string_view text) {
  while (text.starts_with("\\\n")) text = without_blanks(text.substr(1));  // joins two lines
  while (text.starts_with('#') || text.starts_with("//")) {
    const std::size_t end = text.find('\n');
    text = end == std::string_view::npos ? std::string_view{} : without_blanks(text.substr(end));
  }
  return text;
}

/// The argument that a part of a list is, with its key; nullopt if the part is blank.
std::optional<Argument> argument_in(std::string_view part) {
  part = without_comment(without_blanks(part));
  if (part.size() > 2 && (part[0] == '"' || part[0] == '\'')) {  // "key": value, of a dictionary
    const std::size_t close = part.find(part[0], 1);
    if (close != std::string_view::npos && part.substr(close + 1).starts_with(':')) {
      return Argument{part.substr(1, close - 1), without_blanks(part.substr(close + 2))};
    }
  }
  const std::size_t length = key_length(part);
  if (part.empty()) return std::nullopt;
  const std::size_t value = length == 0 ? 0 : skip_blanks(part, length) + 1;
  return Argument{part.substr(0, length), without_blanks(part.substr(value)),
                  length == 0 ? '\0' : part[value - 1]};
}

}  // namespace

std::vector<Argument> arguments_of(std::string_view inside) {
  std::vector<Argument> arguments;
  std::size_t begin = 0;
  int depth = 0;
  char quote = 0;
  const auto add = [&](std::size_t end) {
    if (const auto argument = argument_in(inside.substr(begin, end - begin))) {
      arguments.push_back(*argument);
    }
  };
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const char letter = inside[i];
    if (quote != 0) {
      if (letter == quote) quote = 0;
      continue;
    }
    const bool apostrophe = letter == '\'' && i > 0 && is_word_letter(inside[i - 1]);
    if ((letter == '"' || letter == '\'') && !apostrophe) quote = letter;
    depth += std::string_view("([{").find(letter) != std::string_view::npos ? 1 : 0;
    depth -= std::string_view(")]}").find(letter) != std::string_view::npos ? 1 : 0;
    // MLIR's array<i64: 2, 2> ends with a bracket as well.
    if (letter == '<' && inside.substr(0, i).ends_with("array")) quote = '>';
    // Blanks before a key separate as well: "stride=(1, 1) padding=(0, 0)".
    // A key may begin a line, "stride: 2".
    const std::size_t before = inside.substr(0, i + 1).find_last_not_of(' ');
    const bool begins_line = before != inside.npos && inside[before] == '\n';
    const bool is_gap =
        (letter == ' ' || letter == '\n') && i > begin && i + 1 < inside.size() &&
        is_word_letter(inside[i + 1]) && !is_word_letter(inside[i]) &&
        inside.substr(begin, i - begin).find_first_of(begins_line ? "=[({:" : "=[({") !=
            std::string_view::npos &&
        key_length(inside.substr(i + 1, 64)) > 0;
    if (depth == 0 && (letter == ',' || letter == ';' || is_gap)) {
      add(i);
      begin = i + 1;
    }
  }
  add(inside.size());
  return arguments;
}

}  // namespace gradproof::advice
