// Fields that are options of a command, lines of a log, a block in braces or a row of columns.

#include <algorithm>
#include <optional>

#include "properties/advice/explain/text_rows.h"
#include "properties/advice/interop/foreign_formats.h"
#include "properties/advice/logs/fields.h"
#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {
namespace {

using Sort = Value::Kind;

Value nothing_known(std::string_view) { return {}; }

void add_word(Fields& fields, std::string_view role, std::string_view text) {
  if (role.empty()) return;
  fields.by_role.insert_or_assign(std::string(role), Field{text, value_of(text, nothing_known)});
}

/// "mb2ic4oh8": a key and a number in turn; nullopt: something else.
std::optional<std::vector<Argument>> compact_parts(std::string_view word) {
  constexpr std::string_view keys =
      "|g|mb|ic|oc|id|ih|iw|od|oh|ow|kd|kh|kw|sd|sh|sw|dd|dh|dw|pd|ph|pw|";
  std::vector<Argument> parts;
  word = word.substr(0, word.find("n\""));
  while (!word.empty()) {
    if (word[0] == '_') {
      word.remove_prefix(1);
      continue;
    }
    const std::size_t digits = std::min(word.find_first_of("0123456789"), word.size());
    const std::size_t end = std::min(word.find_first_not_of("0123456789", digits), word.size());
    const std::string key = "|" + std::string(word.substr(0, digits)) + "|";
    const bool again =
        std::ranges::any_of(parts, [&](auto& one) { return one.key == word.substr(0, digits); });
    if (keys.find(key) == std::string_view::npos || digits == end || again) return std::nullopt;
    parts.push_back({word.substr(0, digits), word.substr(digits, end - digits)});
    word.remove_prefix(end);
  }
  return parts;
}

/// "src:f16::blocked:acdb" and "src_f16::blocked": the type behind the tensor's name.
void add_tensor_type(std::string_view word, Fields& fields) {
  if (word.starts_with("diff_")) word.remove_prefix(5);
  for (const std::string_view tensor : {"src", "wei", "dst", "bia"}) {
    if (!word.starts_with(tensor) || word.size() < 5 || (word[3] != '_' && word[3] != ':'))
      continue;
    const std::string_view type = word.substr(4, word.find_first_of(":_", 4) - 4);
    if (!type.empty() && type != "undef")
      fields.by_role.emplace(std::string(tensor), Field{type, Value::named(type)});
  }
}

/// "[4,8,1,32]", "{1, 8, 4, 4}, {...}", "2, 16, 9, 9, ": the first list.
std::string_view list_in(std::string_view value) {
  if (value.starts_with('{') || value.starts_with('['))
    return value.substr(0, value.find_first_of("}]") + 1);
  return value;
}

/// Adds a value of a block; a key that comes again makes a list.
void add_again(Fields& fields, std::string_view role, std::string_view text) {
  if (role.empty() || role == "input" || role == "weight") return;
  Field& field = fields.by_role[std::string(role)];
  const Value value = value_of(text, nothing_known);
  const auto values = field.value.integers();
  if (!values || !value.is(Sort::Integer)) {
    field = {text, value};
    return;
  }
  Integers all = *values;
  all.push_back(value.integer);
  field.value = Value::of(all);
}

/// Cells of a row by the names of their columns.
struct Cells {
  std::vector<std::string> names, cells;

  /// Returns the column's part for each operand: "8,64,56,56;4".
  std::vector<std::string_view> parts(std::string_view name) const {
    const auto at = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    if (at >= std::min(names.size(), cells.size())) return {};
    std::string_view cell = cells[at];
    while (cell.starts_with('"')) cell.remove_prefix(1);
    while (cell.ends_with('"')) cell.remove_suffix(1);
    return text_parts(cell, ";");
  }
};

bool is_plain(std::string_view format) {
  return is_one_of("|NCHW|NCDHW|NHWC|NDHWC|ND|NCL|", format);
}

/// Adds the tensors of the columns "Input ..." or "Output ..." in the order of `roles`. Where the
/// format pads the channels the shape is not the tensor's.
void add_columns(const Cells& row, const std::string& side, std::string_view roles,
                 Fields& fields) {
  const auto shapes = row.parts(side + " Shapes"), types = row.parts(side + " Data Types"),
             formats = row.parts(side + " Formats");
  // Formats that are left out are as plain as those of the other side.
  const bool are_plain = std::ranges::all_of(
      row.parts(side == "Input" ? "Output Formats" : "Input Formats"), is_plain);
  std::size_t i = 0;
  for (const std::string_view role : parts_between(roles, " ")) {
    std::optional<Integers> lengths;
    std::string_view format, type;
    for (; i < shapes.size() && (!lengths || lengths->size() < 3); ++i) {
      lengths = integers_of_line(shapes[i]);
      format = i < formats.size() ? formats[i] : are_plain ? "ND" : "";
      type = i < types.size() ? types[i] : "";
    }
    if (!lengths || !is_plain(format)) continue;
    if (type.starts_with("DT_")) type.remove_prefix(3);
    const bool is_weight = role == "weight";
    if (format.ends_with('C'))
      fields.by_role.emplace(is_weight ? "weight_layout" : "layout",
                             Field{{}, Value::named(is_weight ? "OSI" : "NSC")});
    fields.by_role.emplace(role, Field{{}, Value::tensor(*lengths, type)});
  }
}

}  // namespace

void read_block(std::string_view text, const Names& names, Fields& fields) {
  const std::string_view block = block_around(text, fields.begin);
  std::string_view named;
  std::size_t operands = 0;
  for (const Word& word : words_in(block)) {
    if (!block.substr(word.end()).starts_with(':')) continue;
    const std::size_t begin = block.find_first_not_of(" \"", word.end() + 1);
    if (begin == block.npos) break;
    const std::string_view value =
        block.substr(begin, std::min(block.find_first_of(" \t\n\"}", begin), block.size()) - begin);
    if (is_one_of("|input|bottom|", word.text) && operands < 3) {
      constexpr std::string_view roles[] = {"input", "weight", "bias"};
      const Value tensor = names.named(value, fields.begin);
      fields.by_role.emplace(roles[operands++], Field{value, tensor});
    }
    if (word.text == "name") named = value;
    const std::string_view key = is_one_of("|i|ints|s|", word.text) ? named : word.text;
    if (!key.empty()) add_again(fields, role_of(*fields.row, key), value);
  }
}

void read_columns(std::string_view head, std::string_view line, Fields& fields) {
  const auto names = parse_csv(head), cells = parse_csv(line);
  if (!names || !cells || names->size() != 1 || cells->size() != 1) return;
  const Cells row{(*names)[0].fields, (*cells)[0].fields};
  add_columns(row, "Input", fields.row->order, fields);
  add_columns(row, "Output", meaning_of(*fields.row, "results"), fields);
}

bool read_recorded(std::string_view text, Fields& fields) {
  constexpr std::string_view keys[] = {"Input Dims\"", "Concrete Inputs\"", "Input type\""};
  std::string_view event = text.substr(fields.end, 4000);
  event = event.substr(0, event.find("\"name\""));
  const auto order = parts_between(fields.row->order, " ");
  for (const std::string_view key : keys) {
    const std::size_t at = event.find(key);
    const std::size_t open = event.find('[', std::min(at, event.size()));
    const std::size_t close = open == event.npos ? open : closing_bracket(event, open);
    if (close == event.npos) continue;
    const auto parts = arguments_of(event.substr(open + 1, close - open - 1));
    for (std::size_t i = 0; i < std::min(parts.size(), order.size()); ++i) {
      std::string_view part = parts[i].text;
      part.remove_prefix(part.starts_with('"') ? 1 : 0);
      part.remove_suffix(part.ends_with('"') ? 1 : 0);
      const Value value = value_of(part, nothing_known);
      const auto lengths = value.integers();
      if (key == keys[0] && lengths && lengths->size() > 2)
        fields.by_role.emplace(order[i], Field{part, Value::tensor(*lengths, "")});
      if (key == keys[1] && !part.empty()) fields.by_role.emplace(order[i], Field{part, value});
      if (key == keys[2] && part.starts_with("c10::"))
        fields.by_role.emplace("dtype", Field{part.substr(5), Value::named(part.substr(5))});
    }
  }
  return fields.find("weight") != nullptr && fields.find("stride") != nullptr;
}

bool is_compact(std::string_view word) {
  const bool may_be = word.size() > 4 && (word[0] == 'm' || word[0] == 'g' || word[0] == 'i') &&
                      word.find("ic") != std::string_view::npos &&
                      word.find("oc") != std::string_view::npos;
  return may_be && compact_parts(word).has_value();
}

void read_words(std::string_view line, std::string_view compact, Fields& fields) {
  fields.direction = fields.statement = line;
  const auto words = parts_between(line, " \t\n\\\r");
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (!compact.empty()) {
      for (const std::string_view part : parts_between(word, ",")) add_tensor_type(part, fields);
    }
    const std::size_t sign = word.find('=');
    if (!word.starts_with('-') && (sign == word.npos || !is_decimal(word[0]))) continue;
    if (sign != std::string_view::npos) {
      add_word(fields, role_of(*fields.row, word.substr(0, sign)), word.substr(sign + 1));
      continue;
    }
    const std::string_view role = role_of(*fields.row, word);
    std::size_t last = i;
    while (last + 1 < words.size() &&
           (!words[last + 1].starts_with('-') || integer_of(words[last + 1])))
      ++last;
    if (role.empty() || last == i) continue;
    // "1 8 4 4" is a list as "1,8,4,4" is.
    Value value = value_of(words[i + 1], nothing_known);
    if (last > i + 1) {
      Value list{.kind = Sort::List};
      for (std::size_t k = i + 1; k <= last; ++k) {
        std::string_view one = words[k];
        if (one.ends_with(',')) one.remove_suffix(1);
        list.items.push_back(value_of(one, nothing_known));
      }
      if (list.integers()) value = std::move(list);
    }
    fields.by_role.insert_or_assign(std::string(role), Field{words[i + 1], std::move(value)});
  }
  if (const auto parts = compact_parts(compact)) {
    for (const Argument& part : *parts) add_word(fields, role_of(*fields.row, part.key), part.text);
  }
}

void read_lines(std::string_view lines, Fields& fields) {
  std::string section;
  fields.direction = lines.substr(0, std::min<std::size_t>(lines.find('\n'), 4000));
  std::size_t count = 0;
  for (const std::string_view line : lines_of(lines)) {
    constexpr std::size_t most_lines = 200;
    if (++count > most_lines) break;
    const std::size_t colon = line.find(": ", line.starts_with("i!") ? 2 : 0);
    const std::size_t sign = std::min(colon, line.find(" = "));
    if (sign == std::string_view::npos || count == 1) continue;
    const auto names = words_in(line.substr(0, sign));
    std::string_view value = without_blanks(line.substr(sign + (sign == colon ? 1 : 2)));
    if (names.empty()) continue;
    const std::string_view name = names.back().text;
    const std::size_t behind = value.find("val=");
    const bool is_section = behind == std::string_view::npos && sign == colon &&
                            value.find("Desc") != std::string_view::npos;
    if (is_section || (sign == colon && name.ends_with("Desc"))) {
      section = std::string(name);
      continue;
    }
    if (behind != std::string_view::npos)
      value = value.substr(behind + 4, value.find(';', behind) - behind - 4);
    const std::string key = section.empty() ? std::string(name) : section + "." + std::string(name);
    const std::string_view role = role_of(*fields.row, key);
    if (fields.find(role) == nullptr)
      add_word(fields, role, list_in(value.substr(0, value.find(" ("))));
  }
}

}  // namespace gradproof::advice
