// Limits, places, gradients and steps that a line says next to a measure.

#include "properties/advice/logs/differences/difference_lines.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "properties/advice/logs/denial.h"
#include "properties/advice/logs/differences/printed_answers.h"
#include "properties/advice/logs/pattern.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

// A gradient and its names on a plain line.
constexpr std::string_view gradient_rows = R"(
gradWeight | bwd filter;weight.grad;weight grad;grad weight;dw ;dw:;dw[;dw,;gradweight;filter grad;backprop filter;backpropfilter;wgrad;bwd weight;conv filter;backward weight;convolution weights;wrw;respect to the weight;filter@grad;respect to the filter;kernel grad;grads of the weight;variable filter;at conv weight
gradInput | input.grad;x.grad;x cpu.grad;input grad;grad input;dx ;dx:;dx[;dx,;gradinput;backprop input;backpropinput;dgrad;bwd data;conv data;backward data;convolution data;input@grad;respect to the input;grad of the input;variable input
gradBias | bias.grad;bias grad;grad bias;db ;db:;gradbias
)";

/// True if the line has one of the names, no letter before it, and no other layer's name:
/// "layer1.bn2.weight.grad".
bool has_name(const std::string& line, std::string_view names) {
  return any_part(names, ';', [&](std::string_view name) {
    const std::size_t at = line.find(name);
    if (at == line.npos || at == 0) return at == 0;
    const std::string layer = line.substr(line.find_last_of(" |\"'", at) + 1, at);
    const bool is_others =
        line[at - 1] == '.' && layer.find("conv") == layer.npos &&
        has_any(layer.substr(0, layer.find(name)), "bn|norm|linear|fc|embed|attn");
    const bool is_unit = name.starts_with("db") && at > 1 && is_decimal(line[at - 2]);  // 20 dB
    return !is_word_letter(line[at - 1]) && !is_others && !is_unit;
  });
}

bool is_better_large(const Difference& one) {
  return one.measure.starts_with("cos") || one.measure.starts_with("cor") ||
         one.measure.starts_with("signal") || one.measure.starts_with("peak");
}

}  // namespace

bool agrees(const Difference& one) {
  const bool counts = one.measure.starts_with("wrong") || is_element(one);
  if (one.value.empty() || !one.reference.empty() || counts || one.measure.ends_with("tolerances"))
    return false;
  const double value = std::fabs(number_in(one.value));
  if (one.limit.empty() || one.measure.starts_with("factor"))
    return is_better_large(one) ? value > 0.9999 && value <= 1
                                : value < (one.measure == "difference" ? 0x1p-24 : 0x1p-126);
  return is_better_large(one) ? value >= number_in(one.limit) : value <= number_in(one.limit);
}

// A number behind one of these is a limit.
const std::string_view limit_words =
    R"(<|>|≤|≥|tol|tolerance|atol|rtol|limit|threshold|thr|trh|allowed|(up to|exceeds|gate|bound|below|above|less than|at most|门限|阈值|限制|容差|超过|小于|大于|低于|高于)";

double number_in(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

bool is_limit(std::string_view before, std::string_view listed) {
  before = before.substr(0, before.find_last_not_of(" =:([{'\"|*") + 1);
  // Words of the lists end with one of these, or with a letter of Chinese.
  constexpr std::string_view ends = "<>dehlnorstw";
  const bool may_be = !before.empty() && (static_cast<unsigned char>(before.back()) > 127 ||
                                          ends.find(before.back()) < ends.size());
  return may_be && any_part(listed, '|', [&](auto word) { return before.ends_with(word); });
}

bool is_bound(std::string_view before) {
  const std::size_t open = before.find_last_of("([)]");
  const bool is_open = open != before.npos && (before[open] == '(' || before[open] == '[');
  const std::size_t blank = before.find_last_of(' ', before.find_last_not_of(" =:"));
  const bool is_word = blank != before.npos && blank > 0 && !is_decimal(before[blank - 1]) &&
                       before[blank - 1] != ':';
  return is_limit(before) || (is_open && is_limit(before.substr(0, open), "tolerance|tol")) ||
         (is_word && is_limit(before.substr(0, blank), "threshold|limit|min"));
}

std::string limit_from(std::string_view line, std::size_t place, std::string_view words) {
  static const Patterns numbers{"#"};
  constexpr std::size_t reach = 80;
  const std::size_t end = std::min(line.size(), place + reach);
  for (std::size_t at = line.find_first_of("0123456789", place); at < end;
       at = line.find_first_of("0123456789", at + 1)) {
    if (is_word_letter(line[at - 1]) || line[at - 1] == '.' || !is_limit(line.substr(0, at), words))
      continue;
    const auto found = numbers.in(std::string(line.substr(at, 40)) + "  ");
    const std::size_t size = found.empty() ? 0 : found[0].numbers[0].size();
    // "0.01*156 + 0.1*1753" is a sum to be computed, no limit.
    const bool is_factor = line.substr(skip_blanks(line, at + size)).starts_with('*');
    if (size > 0) return is_factor ? std::string() : std::string(line.substr(at, size));
  }
  return {};
}

std::string number_behind(const std::string& line, std::string_view sign) {
  const std::size_t at = line.find(sign);
  const std::size_t begin =
      at == line.npos ? at : line.find_first_of("0123456789", at + sign.size());
  if (begin == line.npos || begin > at + sign.size() + 8) return {};
  std::string number = line.substr(begin, line.find_first_not_of("0123456789.e+-", begin) - begin);
  while (number.ends_with('.')) number.pop_back();
  return number;
}

std::string place_in(const std::string& line) {
  const std::size_t index = line.find("at index ("), place = line.rfind(" at (");
  if (index == line.npos && place == line.npos) return "";
  const std::size_t at = line.find('(', index != line.npos ? index : place);
  const std::size_t close = line.find(')', at);
  return close != line.npos && close - at < 52 ? line.substr(at, close + 1 - at) : "";
}

std::string_view gradient_in(const std::string& line) {
  // Every name has one of these.
  if (!has_any(line, "grad|dw|dx|db|weight|filter|data|wrw|backprop|backward")) return {};
  static const auto rows = table_rows(gradient_rows, 2);
  std::string_view found;
  // msprobe counts the gradients of a call.
  if (has_any(line, "conv") && line.find("backward.output.") != line.npos) {
    const std::string number = number_behind(line, "backward.output.");
    for (std::size_t i = 0; i < 3; ++i) {
      if (number == std::to_string(i)) return rows[i == 0 ? 1 : i == 1 ? 0 : 2][0];
    }
  }
  for (const auto& row : rows) {
    const bool is_named = has_name(line + " ", row[1]);
    if (is_named && !found.empty()) return {};
    if (is_named) found = row[0];
  }
  return found;
}

void read_check(const std::string& line, GradientCheck& found) {
  static const Patterns steps{"stepsize = #", "step = #", "step=#",  "step size = #", "epsilon = #",
                              "epsilon=#",    "eps=#",    "eps = #", "delta = #",     "delta=#"};
  for (const auto& match : steps.in(line)) {
    const double step = number_in(match.numbers[0]);
    if (!found.step && step > 0 && step < 1) found.step = step;
  }
  found.is_spoken_of =
      found.is_spoken_of ||
      has_any(line, "gradientcheck|gradient check|gradcheck|finite diff|finitediff");
  found.is_double = found.is_double || has_undenied(line, "double|float64|complex128");
  found.is_float =
      found.is_float ||
      has_undenied(line, "float32|complex64|typeparam = float|torch.float,|torch.float)");
}

std::string compared_line(std::string_view raw) {
  std::string text(raw.substr(0, 4000));
  std::ranges::replace(text, '_', ' ');
  for (std::size_t i = 1; i + 2 < text.size(); ++i) {
    if (text[i] != 'f' || !is_decimal(text[i - 1])) continue;
    if (text[i + 1] == '-') text[i] = 'e';
    // 0.5f0 of Julia, 0.5f32 of Rust, 0.5f of C++.
    const std::size_t end = word_end(text, i);
    const bool is_suffix =
        any_part("f|f0|f32|f64", '|', [&](auto one) { return one == text.substr(i, end - i); });
    const std::size_t digits = text.find_last_not_of("0123456789", i - 1);
    if (is_suffix && digits + 1 < i && digits != text.npos && text[digits] == '.')
      text.erase(i, end - i);
  }
  // "print((a - b).abs().max().item())  # 4.5e-05": the comment is what the code printed.
  const std::size_t comment = text.find(" # "), open = text.find("print(");
  if (comment != text.npos && open < comment) {
    const std::size_t close = text.find_last_of(')', comment);
    text = shown_as(text.substr(open + 6, close - open - 6), text.substr(comment + 3));
  }
  return plain_line(text);
}

bool repeats_differ(std::string_view line) {
  constexpr std::string_view alone =
      "not reentrant|non-deterministic result|nondeterministic result|non-deterministic gradient|"
      "nondeterministic gradient|is not deterministic|are not deterministic|is non-deterministic|"
      "is nondeterministic|are nondeterministic|run to run|not reproducible|running backward with "
      "same input";
  constexpr std::string_view again =
      "twice|two times|three times|multiple times|several times|many times|each time|every time|"
      "each run|every run|between runs|across runs|two runs|second run|runs differ|same seed|"
      "两次|多次|每次|重复运行";
  constexpr std::string_view other =
      "different result|different grad|different output|different value|different number|different "
      "loss|differs|differ |not equal|unequal|not the same|not bitwise|not identical|not match|"
      "inconsistent|不一致|不一样|不同|不相同";
  return has_undenied(line, alone) || (has_any(line, again) && has_undenied(line, other));
}

std::vector<Difference> answers_in(const std::string& line, const std::string& previous,
                                   std::size_t number, Differences& found) {
  std::vector<Difference> answers;
  const std::string_view head = without_blanks(line);
  const bool is_false = head == "false" || head == "false)";
  const bool is_equal = has_any(previous, "torch.equal(|array equal(");
  if (is_false && (is_equal || has_any(previous, "allclose(|isclose(")))
    answers.push_back({.measure = is_equal ? "bits differ" : "allclose is False", .line = number});
  constexpr std::string_view asked = ".abs().max()";
  const bool is_here = line.find(asked) != line.npos && line.find("print(") == line.npos;
  const std::string& question = is_here ? line : previous;
  const std::size_t at = question.find(asked);
  const std::string value = at == question.npos                 ? ""
                            : line.find("tensor(") != line.npos ? number_behind(line, "tensor(")
                            : is_here                           ? number_behind(line, asked)
                                                                : "";
  const bool is_difference = question.substr(0, at).find('-') != question.npos;
  if (!value.empty() && is_difference)
    answers.push_back({.measure = absolute_difference, .line = number, .value = value});
  if (!value.empty() && !is_difference) found.largest = value;
  const std::string compared = number_behind(line, "evaluates to ");
  if (compared.empty() || found.all.empty()) return answers;
  Difference& last = found.all.back();
  const bool is_bound = line.find("tol") < 3 || line.find('*') < line.find(" evaluates");
  if (!is_bound) last.magnitude = std::fabs(number_in(compared));
  if (is_bound && last.limit.empty()) last.limit = compared;
  return answers;
}

std::optional<Difference> LabelledPairs::read(const std::string& line, std::size_t number) {
  constexpr std::size_t near = 4;
  // The result and the expected value stand in either order.
  constexpr std::string_view labels =
      "|left:right|actual:expected|actual:desired|received:expected|actual double:expected double|"
      "actual single:expected single|which is:which is|actual value:expected value|";
  if (has_any(line, "assert")) asserts_on_ = number;
  const std::string_view text = without_blanks(line);
  const std::size_t colon = text.find(':');
  const bool waits = colon == text.npos && waits_on_ + 1 == number;
  const std::string label =
      waits ? waiting_ : std::string(text.substr(0, std::min(colon, text.size())));
  const std::string_view rest =
      waits ? text : without_blanks(text.substr(std::min(colon, text.size() - 1) + 1));
  const bool is_side = label == "left" || label == "right";  // Rust's; else a place
  if (label.empty() || label.size() > 15 || labels.find(label) == labels.npos ||
      (is_side && (asserts_on_ == 0 || number > asserts_on_ + near)))
    return std::nullopt;
  if (rest.empty()) return waiting_ = label, waits_on_ = number, std::nullopt;
  const std::string value(rest.substr(0, rest.find_first_not_of("0123456789.e+-")));
  const bool ends = value.size() == rest.size() || rest.substr(value.size()) == ",";
  if (!ends || value.find_first_of("0123456789") == value.npos) return std::nullopt;
  const std::string before = std::exchange(label_, label), other = std::exchange(value_, value);
  const std::size_t last = std::exchange(line_, number);
  const bool is_second = labels.find("|" + before + ":" + label + "|") != labels.npos;
  const bool is_first = labels.find("|" + label + ":" + before + "|") != labels.npos;
  const bool has_fraction = (value + other).find_first_of(".e") != value.npos;
  if (last == 0 || number > last + near || (!is_first && !is_second) || !has_fraction ||
      number_in(value) == number_in(other))
    return std::nullopt;
  label_.clear();
  return Difference{.measure = "one element: what came and what was expected",
                    .line = number,
                    .value = is_second ? other : value,
                    .reference = is_second ? value : other};
}

void take_lone_limit(std::vector<Difference>& all, const std::vector<Difference>& limits) {
  constexpr std::size_t far = 8;
  if (limits.size() != 1) return;
  for (Difference& one : all) {
    const bool fits = one.measure == relative_difference || all.size() == 1;
    const bool is_near = one.line + far >= limits[0].line && limits[0].line + far >= one.line;
    if (fits && is_near && one.limit.empty() && !one.value.empty()) one.limit = limits[0].limit;
  }
}

}  // namespace gradproof::advice
