// Shapes of what a call gives, said before it or behind it.

#include "properties/advice/logs/fields.h"

namespace gradproof::advice {
namespace {

using Sort = Value::Kind;

/// "%1 = (f32[...], f32[...]) name(": types of the results.
void add_typed_results(std::string_view text, const Names& names, Fields& fields) {
  std::size_t begin = fields.begin;
  while (begin > 0 && text[begin - 1] != '\n' && fields.begin - begin < 1000) --begin;
  const std::string_view line = text.substr(begin, fields.begin - begin);
  const std::size_t sign = line.find("= ");
  if (sign == line.npos && !line.starts_with('(')) return;
  const Value all = names.value(line.substr(sign == line.npos ? 0 : sign + 2), begin);
  const auto roles = parts_between(meaning_of(*fields.row, "results"), ",");
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const Value one = all.is(Sort::Tensor) && roles.size() == 1 ? all
                      : i < all.items.size()                    ? all.items[i]
                                                                : Value{};
    if (one.is(Sort::Tensor)) fields.by_role.emplace(roles[i], Field{line, one});
  }
}

/// "DX->set_output(true).set_dim({2, 3, 8, 8})": the lengths of a result, said behind the call.
void add_described_result(std::string_view text, const Names& names, Fields& fields) {
  const std::string_view role = meaning_of(*fields.row, "results");
  const std::string_view name = names.bound_at(fields.begin);
  if (name.empty() || role.find(',') != role.npos) return;
  for (const Word& word : words_in(text.substr(fields.end, 4000))) {
    std::string_view rest = text.substr(fields.end + word.end(), 400);
    rest = rest.substr(0, rest.find(';'));
    const std::size_t open = rest.find("set_dim(");
    if (word.text != name || !(rest.starts_with('.') || rest.starts_with("->")) ||
        open == rest.npos || rest.substr(0, open).find('\n') != rest.npos)
      continue;
    const std::size_t close = closing_bracket(rest, open + 7);
    if (close == rest.npos) return;
    const std::string_view inside = rest.substr(open + 8, close - open - 8);
    const auto lengths = names.value(inside, fields.end).integers();
    if (lengths) fields.by_role.emplace(role, Field{inside, Value::tensor(*lengths, "")});
    return;
  }
}

}  // namespace

void add_results(std::string_view text, const Names& names, Fields& fields) {
  add_typed_results(text, names, fields);
  if (!meaning_of(*fields.row, "described").empty()) add_described_result(text, names, fields);
}

}  // namespace gradproof::advice
