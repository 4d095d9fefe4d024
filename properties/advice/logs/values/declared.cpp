// Names whose tensors a call or a type before them declares.

#include <algorithm>

#include "properties/advice/logs/draft.h"
#include "properties/advice/logs/values/made_values.h"
#include "properties/advice/logs/values/names.h"

namespace gradproof::advice {

/// Tensors that a call makes or states for a name: CANN's CreateAclTensor(data, shape, &address,
/// ACL_FLOAT, &x), ONNX's make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 8, 8]), Inductor's
/// assert_size_stride(x, (1, 3, 8, 8), ...). Where a maker has its name and where the lengths.
void Names::read_made_tensors(std::string_view line, std::size_t begin) {
  struct Maker {
    std::string_view name;
    std::size_t named, first, last;
  };
  constexpr Maker makers[] = {{"CreateAclTensor(", 4, 1, 1},
                              {"assert_size_stride(", 0, 1, 1},
                              {"make_tensor_value_info(", 0, 1, 2},
                              {"make_tensor(", 0, 1, 2},
                              {"cudnnSetTensor4dDescriptor(", 0, 3, 6},
                              {"cudnnSetFilter4dDescriptor(", 0, 3, 6},
                              {"cudnnSetConvolution2dDescriptor(", 0, 1, 7}};
  for (const Maker& maker : makers) {
    for (std::size_t at = line.find(maker.name); at != line.npos;
         at = line.find(maker.name, at + 1)) {
      const std::string_view rest = text_.substr(begin + at + maker.name.size() - 1, 2000);
      const std::size_t close = closing_bracket(rest, 0);
      if (close == rest.npos) break;
      const auto arguments = arguments_of(rest.substr(1, close - 1));
      if (arguments.size() <= std::max(maker.named, maker.last)) continue;
      std::string_view name = arguments[maker.named].text;
      name.remove_prefix(std::min(name.find_first_not_of("'\"&"), name.size()));
      name = name_of(name.substr(0, name.find_first_of("'\"")));
      const char* first = arguments[maker.first].text.data();
      const std::string_view last = arguments[maker.last].text;
      const auto size = static_cast<std::size_t>(last.data() + last.size() - first);
      if (name.empty() || first == nullptr || last.empty()) continue;
      bind(name, {first, size}, begin);
      bindings_.back().is_type = maker.named == 0;
    }
  }
}

/// "float16[2,4,9,9] X": ONNX's printer has the name behind the type.
void Names::read_named_behind(std::string_view line, std::size_t type, std::size_t end,
                              std::size_t begin) {
  const std::string_view word = line.substr(type, end - type);
  if (!line.substr(end).starts_with('[') || !is_one_of("|float|float16|bfloat16|double|", word))
    return;
  const std::size_t close = closing_bracket(line, end);
  if (close == line.npos || !line.substr(close + 1).starts_with(' ')) return;
  const std::size_t name = close + 2;
  std::size_t last = name;
  while (last < line.size() && (is_word_letter(line[last]) || line[last] == '.')) ++last;
  const bool ends = last == line.size() || has_any(line.substr(last, 1), ",|)|;") ||
                    line.substr(last).starts_with(" =");
  if (!ends || last == name) return;
  bind_type(line.substr(name, last - name), line.substr(type, close + 1 - type), begin);
}

/// "print(x.shape, w.shape)" and what it printed, in a comment or in the next line.
/// "t = x.permute(0, 2, 1)  # size=(7, 64, 5), stride=...": the comment says what the name is.
void Names::read_commented(std::string_view line, std::size_t begin) {
  // MIGraphX: "x = @param:x -> float_type, {2, 3, 8, 8}, {192, 64, 8, 1}".
  const std::size_t type = line.find("_type, {");
  const std::size_t comment = std::min({type, line.find("# "), line.find("// ")});
  const std::size_t sign =
      comment == line.npos ? comment : assignment_sign(line.substr(0, comment));
  if (sign == line.npos) return;
  const std::string_view name = name_of(without_prefixes(line.substr(0, sign)));
  for (const std::string_view word : {"size=", "shape=", "shape: ", "shape ", "_type, "}) {
    const std::size_t at = line.find(word, comment);
    const std::size_t open = at == line.npos ? at : at + word.size();
    const std::size_t close = open < line.size() && has_any("([{", line.substr(open, 1))
                                  ? closing_bracket(line, open, 80)
                                  : line.npos;
    const auto lengths = close == line.npos
                             ? std::nullopt
                             : integers_of_line(line.substr(open + 1, close - open - 1));
    if (lengths && lengths->size() > 2)
      return bind_type(name, line.substr(open, close + 1 - open), begin);
  }
}

void Names::read_printed(std::string_view line, std::size_t begin) {
  std::vector<std::string_view> names;
  for (std::size_t at = line.find('.'); at != line.npos; at = line.find('.', at + 1)) {
    std::size_t first = at;
    while (first > 0 && (is_word_letter(line[first - 1]) || line[first - 1] == '.')) --first;
    const std::string_view rest = line.substr(at);
    const bool is_shape = rest.starts_with(".size()") ||
                          (rest.starts_with(".shape") && !is_word_letter(rest.substr(0, 7).back()));
    if (is_shape && first < at) names.push_back(line.substr(first, at - first));
  }
  const std::size_t comment = std::min(line.find("# "), line.find("// "));
  const bool prints = has_any(line, "print") || line.starts_with(">>>");
  if (names.empty() || (comment == line.npos && !prints)) return;
  const std::string_view next = text_.substr(std::min(begin + line.size() + 1, text_.size()), 400);
  const std::string_view told =
      comment == line.npos ? next.substr(0, next.find('\n')) : line.substr(comment);
  std::vector<std::string_view> lists;
  for (std::size_t at = told.find_first_of("(["); at != told.npos;
       at = told.find_first_of("([", at + 1)) {
    const std::size_t close = closing_bracket(told, at, 80);
    const auto lengths =
        close == told.npos ? std::nullopt : integers_of_line(told.substr(at + 1, close - at - 1));
    if (lengths && lengths->size() > 2 && lengths->size() < 6)
      lists.push_back(told.substr(at, close + 1 - at));
  }
  for (std::size_t i = 0; lists.size() == names.size() && i < names.size(); ++i)
    bind_type(names[i], lists[i], begin);
}

/// "..., x = torch.randn(2, 3, 8, 8)", "with x: (2, 3, 8, 8)" in a sentence.
void Names::read_stated(std::string_view line, std::size_t first, std::size_t end,
                        std::size_t begin) {
  if (!is_one_of("|x|w|input|weight|inp|kernel|filter|dy|grad_output|X|W|",
                 line.substr(first, end - first)))
    return;
  const std::string_view behind = line.substr(end);
  const bool is_head = without_blanks(line.substr(0, first)).empty();  // may be an assignment
  if ((is_head && !behind.starts_with(" [") && !behind.starts_with(": [")) ||
      line.substr(0, first).ends_with("; "))
    return;
  const std::size_t value = value_behind(line, end);
  std::size_t open = value;
  while (open < line.size() && (is_word_letter(line[open]) || line[open] == '.')) ++open;
  const std::size_t close = open < line.size() && (line[open] == '(' || line[open] == '[')
                                ? closing_bracket(line, open, 200)
                                : line.npos;
  if (close == line.npos) return;
  const Value stated =
      value_of(line.substr(value, close + 1 - value), [](auto) { return Value{}; });
  const auto shape = stated.lengths();
  if (!shape || shape->size() < 3 || shape->size() > 5) return;
  bind_type(line.substr(first, end - first), line.substr(value, close + 1 - value), begin);
}

}  // namespace gradproof::advice
