// Names that are parameters of functions: what the text calls these with.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "properties/advice/logs/values/given_arguments.h"
#include "properties/advice/logs/values/names.h"

namespace gradproof::advice {

void Names::bind_parameters(std::string_view parameters, const GivenArguments& given,
                            std::size_t begin) {
  std::size_t place = 0;
  for (const Argument& one : arguments_of(parameters)) {
    const std::string_view name = name_of(one.key.empty() ? one.text : one.key);
    if (name == "self") continue;
    // "x: Tensor" has a type behind its key, "stride=2" what it is where a call leaves it out.
    const auto named = std::ranges::find(given, name, &Argument::key);
    const bool is_placed = place < given.size() && given[place].key.empty();
    bind(name,
         named != given.end()                 ? named->text
         : is_placed                          ? given[place].text
         : one.key.empty() || one.sign == ':' ? std::string_view{}
                                              : one.text,
         begin);
    ++place;
    if (!name.empty()) bindings_.back().is_parameter = true;
  }
}

/// Parameters of a function: the arguments of its calls, where these agree.
void Names::read_function(std::string_view head, std::size_t begin, std::size_t end) {
  constexpr int most_functions = 200;
  const std::size_t open = text_.find('(', begin);
  const std::size_t close = open < end ? closing_bracket(text_, open) : text_.npos;
  if (close == text_.npos) return;
  const std::string_view parameters = text_.substr(open + 1, close - open - 1);
  const std::string_view name = without_blanks(head.substr(4, head.find('(') - 4));
  std::optional<GivenArguments> given;
  if (++functions_ <= most_functions) given = arguments_given(text_, name, begin, close);
  // A function that the text never calls has the defaults of its head, where each has one.
  const auto all = arguments_of(parameters);
  const auto has_default = [](const Argument& one) { return one.sign == '='; };
  const std::string head_of_call = std::string(name) + "(";
  if (!given && !all.empty() && std::ranges::all_of(all, has_default) &&
      text_.find(head_of_call) == text_.rfind(head_of_call))
    given.emplace();
  given ? bind_parameters(parameters, *given, begin) : bind_unknown(parameters, begin);
}

/// "grad(lambda p: f(p, x))(w)": p is w there; "f = lambda p: g(p)" is a function as others are.
void Names::read_lambda(std::size_t begin, std::size_t end) {
  const std::string_view line = text_.substr(begin, end - begin);
  const std::size_t at = line.find("lambda ");
  const std::size_t colon = at == line.npos ? at : line.find(':', at);
  if (colon == line.npos || at == 0) return;
  const std::size_t sign = assignment_sign(line);
  const bool is_named = sign < at && without_blanks(line.substr(sign + 1, at - sign - 1)).empty();
  if (!is_named && line[at - 1] != '(') return;
  const std::size_t close = is_named ? end : closing_bracket(text_, begin + at - 1);
  const auto given = is_named ? arguments_given(text_, name_of(line.substr(0, sign)), begin, end)
                              : arguments_behind(text_, close);
  if (!given) return;
  const std::size_t outer = std::exchange(scope_end_, close);
  bind_parameters(line.substr(at + 7, colon - at - 7), *given, begin + at);
  scope_end_ = outer;
}

}  // namespace gradproof::advice
