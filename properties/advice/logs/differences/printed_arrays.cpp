// Cells of tables, places of elements, and arrays that a text prints one after the other.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "properties/advice/interop/foreign_formats.h"
#include "properties/advice/logs/differences/difference_lines.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

/// Parts of a line between tabs or at least two blanks.
std::vector<std::string> columns_of(std::string_view raw) {
  std::string line;
  for (const char letter : raw) line += letter == '\t' ? "  " : std::string(1, letter);
  std::vector<std::string> cells;
  for (const std::string_view cell : text_parts(without_blanks(line), "  ")) {
    if (!cell.empty()) cells.emplace_back(cell);
  }
  return cells;
}

/// Numbers of an array from its bracket on, to where the brackets close or another array begins.
std::vector<double> printed_numbers(std::string_view text) {
  constexpr std::size_t longest = 20000, most = 1000;
  std::vector<double> numbers;
  int depth = 0;
  const std::size_t other = text.find("([", 2);
  text = text.substr(0, std::min({text.size(), longest, other}));
  for (std::size_t i = 0; i < text.size() && numbers.size() < most;) {
    depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
    if (depth == 0 && text[i] == ']') break;
    const std::string_view word = text.substr(i, word_end(text, i) - i);
    const bool is_other = word.size() > 3 && !is_decimal(word[0]);  // "dtype", a sentence
    if (is_other) break;
    const bool begins = is_decimal(text[i]) && !is_word_letter(text[i - 1]);
    if (!begins) {
      ++i;
      continue;
    }
    const std::size_t end = std::min(text.find_first_not_of("0123456789.e+-", i), text.size());
    const double size = number_in(text.substr(i, end - i));
    numbers.push_back(text[i - 1] == '-' ? -size : size);
    i = end;
  }
  return numbers;
}

/// Name of an array that is compared, as in "numerical:tensor(", "ACTUAL: array(", "x: array(";
/// empty: it is none.
std::string label_of(std::string_view before) {
  for (const std::string_view maker : {"array", "tensor"}) {
    if (before.ends_with(maker)) before.remove_suffix(maker.size());
  }
  before = before.substr(before.size() < 40 ? 0 : before.size() - 40);
  before = before.substr(0, before.find_last_not_of(" \n") + 1);
  if (!before.ends_with(':') && !before.ends_with('=')) return {};
  const bool is_colon = before.ends_with(':');
  const auto words = words_in(before);
  const std::string name = words.empty() ? "" : in_small_letters(words.back().text);
  constexpr std::string_view compared =
      "|actual|desired|expected|got|numerical|analytical|ref|reference|result|cpu|npu|gpu|";
  const bool is_numpys = is_colon ? name == "x" || name == "y" : name == "a" || name == "b";
  return is_numpys || compared.find("|" + name + "|") != compared.npos ? name : std::string();
}

}  // namespace

std::vector<std::string> cells_of(std::string_view raw) {
  raw = raw.substr(0, 4000);
  std::vector<std::string> cells;
  if (std::ranges::count(raw, '|') > 1) {
    for (const std::string_view cell : text_parts(raw, "|")) cells.emplace_back(cell);
  } else if (std::ranges::count(raw, ',') > 2 && raw.find(", ") > raw.find(',')) {
    const auto records = parse_csv(raw);
    if (records && records->size() == 1) cells = (*records)[0].fields;
  } else {
    cells = columns_of(raw);
  }
  if (cells.size() < 3) return {};
  for (std::string& cell : cells) cell = std::string(without_blanks(compared_line(cell)));
  return cells;
}

std::string element_place(std::string_view line) {
  if (has_any(line, "conv2d(|conv1d(|conv3d(|conv(")) return {};  // a call's lists are no places
  for (std::size_t at = line.find_first_of("[("); at != line.npos;
       at = line.find_first_of("[(", at + 1)) {
    const std::size_t close = line.find_first_of(")]", at);
    if (close == line.npos) break;
    const auto numbers = integers_of_line(line.substr(at + 1, close - at - 1));
    const bool is_shape = has_any(line.substr(at < 12 ? 0 : at - 12, std::min<std::size_t>(at, 12)),
                                  "size|shape|array|tensor|kernel|stride");
    if (numbers && numbers->size() > 1 && !is_shape)
      return std::string(line.substr(at, close + 1 - at));
  }
  std::string place;
  for (const std::string_view word : parts_between(line, " ")) {
    const std::size_t colon = word.find(':');
    const bool is_axis = colon > 0 && colon < 3 && integer_of(word.substr(colon + 1)).has_value();
    if (is_axis) place += (place.empty() ? "" : " ") + std::string(word);
  }
  return place;
}

bool is_element(const Difference& difference) {
  return difference.measure.starts_with("one element") ||
         difference.measure.starts_with("norm of a gradient");
}

void compare_printed(std::string_view text, Differences& found) {
  const bool is_numpys =
      has_any(text, "Not equal|not equal|Mismatched|AlmostEqual|not almost|is different from");
  std::vector<double> previous;
  std::string first;
  for (std::size_t at = text.find("(["); at != text.npos; at = text.find("([", at + 2)) {
    const std::string label = label_of(text.substr(0, at));
    if (label.empty() || (label.size() == 1 && !is_numpys)) continue;
    std::vector<double> numbers = printed_numbers(text.substr(at));
    if (numbers.size() < 2 || numbers.size() != previous.size() || label == first) {
      previous = std::move(numbers);
      first = label;
      continue;
    }
    std::size_t worst = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      found.printed = std::max(found.printed, std::fabs(numbers[i]));
      if (std::fabs(numbers[i] - previous[i]) > std::fabs(numbers[worst] - previous[worst]))
        worst = i;
    }
    if (numbers[worst] == previous[worst]) return;
    Difference one{
        .measure = "largest difference of the numbers that are printed",
        .line = static_cast<std::size_t>(std::count(
                    text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
                1};
    one.value = fmt::format("{:.3g}", std::fabs(numbers[worst] - previous[worst]));
    one.place = fmt::format("{:g} and {:g}", previous[worst], numbers[worst]);
    found.all.push_back(std::move(one));
    return;
  }
}

}  // namespace gradproof::advice
