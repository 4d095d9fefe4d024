#include "properties/advice/logs/prose/literals.h"

#include <algorithm>

#include "corpus/words/words.h"
#include "properties/advice/logs/draft.h"
#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {
namespace {

bool is_shape(std::string_view role) {
  return role == "input" || role == "weight" || role == "grad_output";
}

/// "2, 2" in quotes, a dtype, a mode of padding; nullopt: none of these.
std::optional<Literal> quoted_or_named(std::string_view line, std::size_t position,
                                       std::string_view role) {
  // "2, 2" of XML.
  if (position > 0 && line[position - 1] == '"' && line[position] != '[') {
    const std::string_view quoted =
        line.substr(position, std::min(line.find('"', position), line.size()) - position);
    const auto integers = integers_of_line(quoted);
    if (integers && integers->size() > 1 && !is_shape(role))
      return Literal{{quoted, Value::of(*integers)}, position + quoted.size()};
  }
  if (role != "dtype" && role != "pad_mode" && role != "padding") return std::nullopt;
  std::size_t end = position;
  while (end < line.size() && (is_word_letter(line[end]) || line[end] == '.')) ++end;
  const std::string_view word = last_part(line.substr(position, end - position));
  if (role == "padding" && !is_one_of("|same|valid|", in_small_letters(word))) return std::nullopt;
  const bool fits =
      role != "dtype" ? !word.empty() : corpus::data_type_from_words(word).has_value();
  return fits ? std::optional(Literal{{word, Value::named(word)}, end}) : std::nullopt;
}

/// "2x3x8x8" where a tensor's lengths may stand, in brackets or without, and the lengths among what
/// braces say of a tensor: "{.ndim = 4, .dims = {2, 3, 8, 8}}".
std::optional<Literal> lengths_at(std::string_view line, std::size_t position,
                                  std::string_view role) {
  if (!is_shape(role)) return std::nullopt;
  const bool opens = std::string_view("([{<").find(line[position]) != std::string_view::npos;
  const std::size_t begin = opens ? skip_blanks(line, position + 1) : position;
  std::size_t end = begin;
  std::string by_x;  // "2x3x8x8", "2 x 3 x 8 x 8"
  for (; end < line.size() && (is_decimal(line[end]) || line[end] == 'x' ||
                               line.substr(end).starts_with(" x ") || by_x.ends_with("x"));
       ++end) {
    if (line[end] != ' ') by_x += line[end];
  }
  if (const auto shape = window_list(by_x).integers();
      shape && shape->size() > 3 && shape->size() < 6)
    return Literal{{line.substr(begin, end - begin), Value::tensor(*shape, "")}, end};
  const std::size_t close = opens ? closing_bracket(line, position, 400) : line.npos;
  if (close == line.npos) return std::nullopt;
  for (const Word& word : words_in(line.substr(position, close - position))) {
    if (!is_one_of("|dims|dim|dimensions|shape|sizes|lens|", in_small_letters(word.text))) continue;
    const std::size_t open = value_behind(line, position + word.end());
    const std::size_t shut =
        open < close && line[open] != '"' ? closing_bracket(line, open, 100) : line.npos;
    const auto shape =
        shut == line.npos ? std::nullopt : integers_of_line(line.substr(open + 1, shut - open - 1));
    if (shape && shape->size() > 2 && shape->size() < 6)
      return Literal{{line.substr(open, shut + 1 - open), Value::tensor(*shape, "")}, close + 1};
  }
  return std::nullopt;
}

/// "7, 7" to the end of the line, or "7,7", without brackets; "256 304 3 3" of a shape.
std::optional<Literal> bare_list(std::string_view line, std::size_t position,
                                 std::string_view role) {
  if (is_shape(role)) {
    const std::size_t end = std::min(line.find_first_not_of("0123456789 ", position), line.size());
    const std::string_view list = without_blanks(line.substr(position, end - position));
    const auto lengths = blank_list(list).integers();
    if (lengths && lengths->size() > 2 && lengths->size() < 6)
      return Literal{{list, Value::tensor(*lengths, "")}, end};
  }
  const std::size_t run = std::min(line.find_first_not_of("0123456789,", position), line.size());
  for (const std::size_t last : {line.size(), run}) {
    const std::string_view list = line.substr(position, last - position);
    const auto values = integers_of_line(without_blanks(list));
    const bool fits = !is_shape(role) && role.find('.') == role.npos;
    if (fits && values && values->size() > 1 && values->size() < 7)
      return Literal{{list, Value::of(*values)}, last};
  }
  return std::nullopt;
}

/// [3 x 3]
Value spaced_list(std::string_view text) {
  Value value{.kind = Value::Kind::List};
  for (const std::string_view one : parts_between(text.substr(1, text.size() - 2), " x"))
    value.items.push_back(integer_of(one) ? Value::of(*integer_of(one)) : Value{});
  return value;
}

}  // namespace

std::optional<Literal> made_at(std::string_view line, std::size_t position, std::string_view role) {
  std::size_t open = position;
  while (open < line.size() && (is_word_letter(line[open]) || line[open] == '.')) ++open;
  if (!is_shape(role) || open == position || !line.substr(open).starts_with('('))
    return std::nullopt;
  const std::size_t close = closing_bracket(line, open, 400);
  if (close == line.npos) return std::nullopt;
  const std::string_view text = line.substr(position, close + 1 - position);
  Value value = value_of(text, [](auto) { return Value{}; });
  const bool fits =
      value.is(Value::Kind::Tensor) && value.shape.size() > 2 && value.shape.size() < 6;
  return fits ? std::optional(Literal{{text, std::move(value)}, close + 1}) : std::nullopt;
}

std::optional<Literal> literal_at(std::string_view line, std::size_t position,
                                  std::string_view role) {
  if (position >= line.size()) return std::nullopt;
  if (auto literal = quoted_or_named(line, position, role)) return literal;
  if (auto literal = lengths_at(line, position, role)) return literal;
  if (role == "dtype" || role == "pad_mode") return std::nullopt;
  const bool opens = std::string_view("([{").find(line[position]) != std::string_view::npos;
  std::size_t end = opens ? closing_bracket(line, position, 400) : position;
  if (end == std::string_view::npos) return std::nullopt;
  end = opens ? end + 1 : word_end(line, line[position] == '-' ? position + 1 : position);
  if (auto list = opens ? std::nullopt : bare_list(line, position, role)) return list;
  const std::string_view text = line.substr(position, end - position);
  Value value = value_of(text, [](auto) { return Value{}; });
  if (opens && text.find(" x ") != text.npos) value = spaced_list(text);
  const auto integers = value.integers();
  if (!opens) {
    const bool is_fraction = end + 1 < line.size() && line[end] == '.' && is_decimal(line[end + 1]);
    const bool is_truth = value.is(Value::Kind::Truth);
    const bool fits = role == "bias" ? is_truth
                      : is_truth     ? role == "transposed"
                                     : integers && !is_shape(role) && !is_fraction;
    return fits ? std::optional(Literal{{text, value}, end}) : std::nullopt;
  }
  if (role == "mask" && value.items.size() == 3) return Literal{{text, value}, end};
  if (!integers || integers->empty()) return std::nullopt;
  // Four values that do not begin with the batch's 1 are strides in memory.
  if (role == "stride" && integers->size() > 3 && (*integers)[0] != 1) return std::nullopt;
  if (!is_shape(role)) return Literal{{text, Value::of(*integers)}, end};
  if (integers->size() < 3 || integers->size() > 5) return std::nullopt;
  // "(5, 4, 3) double".
  const std::size_t begin = skip_blanks(line, end);
  const std::string type(line.substr(begin, word_end(line, begin) - begin));
  const bool is_type = !type.empty() && corpus::data_type_from_words(type);
  return Literal{{text, Value::tensor(*integers, is_type ? type : "")}, end};
}

}  // namespace gradproof::advice
