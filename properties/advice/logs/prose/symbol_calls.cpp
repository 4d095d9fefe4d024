// Shapes that stand in a name, behind it in brackets or in XML.

#include <algorithm>

#include "corpus/words/words.h"
#include "properties/advice/logs/draft.h"
#include "properties/advice/logs/values/made_values.h"

namespace gradproof::advice {
namespace {

/// "8x64x56x56", and the letter behind "2x2s"; nullopt: something else.
std::optional<Integers> by_x(std::string_view token) {
  Integers values;
  for (const std::string_view part : parts_between(token, "x")) {
    const auto value = integer_of(part);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values.empty() ? std::nullopt : std::optional(values);
}

std::string_view role_of_letter(char letter) {
  return letter == 's'   ? "stride"
         : letter == 'p' ? "padding"
         : letter == 'd' ? "dilation"
         : letter == 'g' ? "groups"
                         : "";
}

void add_shape(Fields& fields, std::string_view token, const Integers& shape) {
  if (shape.size() < 3 || shape.size() > 5) return;
  const std::string_view role = fields.find("input") == nullptr ? "input" : "weight";
  fields.by_role.emplace(role, Field{token, Value::tensor(shape, "")});
}

/// "nhwc" and "fhwc" in the letters of layouts here.
void add_layout(Fields& fields, std::string_view token) {
  std::string layout;
  const bool is_weight = fields.find("weight") != nullptr;
  for (const char letter : token) {
    constexpr std::string_view from = "nfchwd", input = "NFCHWD", weight = "NOIHWD";
    const std::size_t at = from.find(letter);
    if (at == from.npos) return;
    layout += (is_weight ? weight : input)[at];
  }
  if (fields.find("input") != nullptr)
    fields.by_role.emplace(is_weight ? "weight_layout" : "layout",
                           Field{token, Value::named(layout)});
}

}  // namespace

void read_symbol(std::string_view word, Fields& fields) {
  const auto tokens = parts_between(word, "_");
  const auto has = [&](auto token) { return std::ranges::find(tokens, token) != tokens.end(); };
  if (tokens.size() < 6) return;
  for (const std::string_view token : tokens) {
    const std::string_view role = role_of_letter(token.back());
    const auto whole = by_x(token);
    const bool is_attribute = fields.find("weight") != nullptr && !role.empty();  // not "conv_2d"
    const auto values = whole || !is_attribute ? whole : by_x(token.substr(0, token.size() - 1));
    if (whole) add_shape(fields, token, *whole);
    if (!whole && values) fields.by_role.emplace(role, Field{token, Value::of(*values)});
    if (values) continue;
    if (token.size() > 2 && token.size() < 6) add_layout(fields, token);
    if (token.size() > 2 && corpus::data_type_from_words(token))
      fields.by_role.emplace("dtype", Field{token, Value::named(token)});
  }
  const bool is_whole = fields.find("weight") != nullptr && fields.find("stride") != nullptr;
  if (!is_whole) fields.by_role.clear();
  const auto mask = [](const Integers& values) { return Field{{}, Value::of(values)}; };
  if (is_whole && has("backward") && has("weight")) fields.by_role.emplace("mask", mask({0, 1, 0}));
  if (is_whole && has("backward") && has("input")) fields.by_role.emplace("mask", mask({1, 0, 0}));
}

/// "[[2, 8, 6, 6], [2, 3, 8, 8], [8, 3, 3, 3], []]" of a profiler's row.
void read_operand_lists(std::string_view behind, bool is_backward, Fields& fields) {
  const std::size_t open = std::min(behind.find("[["), behind.find("[("));
  const std::size_t close = open == behind.npos ? open : closing_bracket(behind, open);
  const auto nothing = [](auto) { return Value{}; };
  Value all;
  if (close != behind.npos) all = value_of(behind.substr(open, close + 1 - open), nothing);
  // "(Relu r[0]:f16[1,96,20,20], Constant c[0]:f16[96,48,4,4])"
  for (std::size_t at = behind.find("]:"); at != behind.npos; at = behind.find("]:", at + 2)) {
    const std::size_t last = behind.find(']', at + 2);
    if (last == behind.npos) break;
    all.items.push_back(value_of(behind.substr(at + 2, last - at - 1), nothing));
  }
  const auto roles = parts_between(is_backward ? "grad_output input weight" : "input weight", " ");
  for (std::size_t i = 0; i < std::min(roles.size(), all.items.size()); ++i) {
    const auto shape = all.items[i].lengths();
    if (shape && shape->size() > 2 && shape->size() < 6)
      fields.by_role.emplace(roles[i], Field{behind, Value::tensor(*shape, all.items[i].word)});
  }
  if (fields.find(roles.back()) == nullptr || fields.find("input") == nullptr)
    fields.by_role.clear();
}

void read_operand_shapes(std::string_view behind, bool is_backward, Fields& fields) {
  if (!behind.starts_with('(')) return read_operand_lists(behind, is_backward, fields);
  const std::string_view inside = behind.substr(1, behind.find(')') - 1);
  const auto parts = parts_between(inside, ", ");
  const bool are_shapes = parts.size() > 1 && std::ranges::all_of(parts, [](auto part) {
                            const auto shape = by_x(part);
                            return shape && shape->size() > 2;
                          });
  if (!are_shapes) return;
  for (const std::string_view part : parts) {
    if (fields.find("weight") == nullptr) add_shape(fields, part, *by_x(part));
  }
}

namespace {

// A part of the call and the names that kernels give it.
constexpr std::string_view kernel_letters[][2] = {{"batch", "|n|b|mb|batch|"},
                                                  {"in", "|c|ic|ci|cin|c_in|inc|inputc|"},
                                                  {"size.h", "|h|ih|hi|hin|h_in|"},
                                                  {"size.w", "|w|iw|wi|win|w_in|"},
                                                  {"out", "|k|oc|co|cout|c_out|outc|outputc|"},
                                                  {"kernel.h", "|r|kh|fh|y|fy|kernelh|"},
                                                  {"kernel.w", "|s|kw|fw|x|fx|kernelw|"}};

std::string_view role_of_kernels(std::string_view name) {
  const auto row = std::ranges::find_if(
      kernel_letters, [&](auto& one) { return is_one_of(one[1], in_small_letters(name)); });
  return row == std::end(kernel_letters) ? std::string_view{} : (*row)[0];
}

/// "(N,C,H,W)=(2,16,30,30)"
void add_tuples(std::string_view line, Roles& found) {
  for (std::size_t sign = line.find(")=("); sign != line.npos; sign = line.find(")=(", sign + 1)) {
    const std::size_t open = line.rfind('(', sign), close = line.find(')', sign + 1);
    if (open == line.npos || close == line.npos) continue;
    const auto names = parts_between(line.substr(open + 1, sign - open - 1), ", ");
    const auto lengths = integers_of_line(line.substr(sign + 3, close - sign - 3));
    for (std::size_t i = 0; lengths && i < std::min(names.size(), lengths->size()); ++i) {
      const std::string_view role = role_of_kernels(names[i]);
      if (!role.empty()) found.emplace(role, Field{names[i], Value::of((*lengths)[i])});
    }
  }
}

}  // namespace

Roles letters_in(std::string_view line) {
  Roles found;
  for (const Word& word : words_in(line)) {
    const std::string small = in_small_letters(word.text.substr(0, 8));
    const std::string_view role = role_of_kernels(small);
    std::size_t sign = word.end();
    if (role.empty()) continue;
    if (line.substr(sign).starts_with('"') || line.substr(sign).starts_with('\'')) ++sign;
    sign = skip_blanks(line, sign);
    if (sign >= line.size()) continue;
    const bool has_sign = has_any(line.substr(sign, 1), "=|:");
    std::size_t begin = has_sign ? skip_blanks(line, sign + 1) : sign;
    const std::size_t other = word_end(line, begin);  // "H=W=56"
    if (other == begin + 1 && line.substr(other).starts_with('=')) begin = other + 1;
    const std::string_view text = line.substr(begin, word_end(line, begin) - begin);
    if (const auto value = integer_of(text)) found.emplace(role, Field{text, Value::of(*value)});
  }
  add_tuples(line, found);
  if (found.size() < std::size(kernel_letters)) found.clear();
  return found;
}

bool PortShapes::read(std::string_view line, Fields& fields) {
  bool any = false;
  for (std::size_t at = line.find("<dim>"); at != line.npos; at = line.find("<dim>", at + 1)) {
    const auto length = integer_of(line.substr(at + 5, line.find('<', at + 5) - at - 5));
    dims_.push_back(length.value_or(-1));
    any = true;
  }
  if (dims_.empty() || line.find("</port>") == line.npos) return any;
  const std::string_view role = fields.find("input") == nullptr    ? "input"
                                : fields.find("weight") == nullptr ? "weight"
                                                                   : "grad_output";
  const Field* input = fields.find("input");
  // Grouped filters have the groups before the rest.
  const bool is_grouped = role == "weight" && input != nullptr &&
                          dims_.size() == input->value.shape.size() + 1 &&
                          dims_[0] < Draft::too_large && dims_[1] < Draft::too_large;
  if (is_grouped) {
    fields.by_role.emplace("groups", Field{{}, Value::of(dims_[0])});
    dims_[1] *= dims_[0];
    dims_.erase(dims_.begin());
  }
  const bool is_known = std::ranges::all_of(dims_, [](auto one) { return one > 0; });
  if (dims_.size() > 2 && dims_.size() < 6 && is_known)
    fields.by_role.emplace(role, Field{{}, Value::tensor(dims_, "")});
  dims_.clear();
  return true;
}

std::size_t value_behind(std::string_view line, std::size_t position) {
  constexpr std::string_view fillers = "|s|shape|size|sizes|is|are|has|of|torch|Size|dims|为|是|";
  while (position < line.size()) {
    const std::size_t begin = line.find_first_not_of(" \t'\"=:.", position);
    if (begin == std::string_view::npos) return line.size();
    std::size_t end = word_end(line, begin);
    if (end == begin && static_cast<unsigned char>(line[begin]) > 127)
      end = std::min(begin + 3, line.size());
    const std::string word = "|" + std::string(line.substr(begin, end - begin)) + "|";
    if (end == begin || fillers.find(word) == std::string_view::npos) return begin;
    position = end;
  }
  return line.size();
}

}  // namespace gradproof::advice
