#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>

#include "corpus/words/spelling.h"
#include "corpus/words/words.h"

namespace gradproof::corpus {
namespace {

template <typename Value>
struct WordRow {
  std::string_view word;  ///< in plain spelling
  Value value;
};

constexpr WordRow<std::int8_t> math_types[] = {
    {"keep_dtype", 0}, {"allow_fp32_down_precision", 1}, {"use_fp16", 2}, {"use_hf32", 3}};

constexpr WordRow<bool> truths[] = {{"yes", true},  {"true", true}, {"on", true},  {"1", true},
                                    {"y", true},    {"t", true},    {"no", false}, {"false", false},
                                    {"off", false}, {"0", false},   {"n", false},  {"f", false},
                                    {"none", false}};

std::optional<std::int64_t> integer_from(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Returns the text within the outermost brackets; "torch.Size" and the like may stand before.
std::string_view without_brackets(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\"'";
  while (true) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    text = text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
    text = without_prefix(text, {"torch.Size", "Size", "TensorShape", "shape=", "tuple", "list"});
    const std::size_t kind =
        text.empty() ? std::string_view::npos : std::string_view("([{").find(text.front());
    if (kind == std::string_view::npos || text.back() != std::string_view(")]}")[kind]) return text;
    text = text.substr(1, text.size() - 2);
    if (text.ends_with(',')) text.remove_suffix(1);
  }
}

/// The parts between separators: one of `separators` with blanks around, or blanks alone.
std::vector<std::string> separated(std::string_view plain, std::string_view separators,
                                   Blanks blanks = Blanks::Separate) {
  std::vector<std::string> parts(1);
  bool blank_before = false;
  for (const char letter : plain) {
    const bool is_blank = letter == ' ' || letter == '\t';
    const bool separates = separators.find(letter) != std::string_view::npos;
    if (separates) parts.emplace_back();
    if (!separates && !is_blank) {
      const bool within = blank_before && !parts.back().empty();
      if (within && blanks == Blanks::Kept) parts.back() += ' ';
      if (within && blanks == Blanks::Separate) parts.emplace_back();
      parts.back() += letter;
    }
    blank_before = is_blank;
  }
  return parts;
}

/// "2\u00d73" as "2,3".
std::string without_times_signs(std::string_view text) {
  std::string plain(text);
  constexpr std::string_view times = "\u00d7";
  for (std::size_t at = 0; (at = plain.find(times, at)) != std::string::npos;) {
    plain.replace(at, times.size(), ",");
  }
  return plain;
}

}  // namespace

Meaning<std::int8_t> cube_math_type_from_words(std::string_view words) {
  const auto number = integer_from(words);
  using Limits = std::numeric_limits<std::int8_t>;
  if (number && *number >= Limits::min() && *number <= Limits::max()) {
    return static_cast<std::int8_t>(*number);
  }
  const std::string plain = plain_spelling(words);
  const auto* row = std::ranges::find(math_types, plain, &WordRow<std::int8_t>::word);
  if (row != std::end(math_types)) return row->value;
  return tl::unexpected(unknown_word(
      words, "cubeMathType",
      {"0", "1", "2", "3", "KEEP_DTYPE", "ALLOW_FP32_DOWN_PRECISION", "USE_FP16", "USE_HF32"}));
}

Meaning<bool> truth_from_words(std::string_view words) {
  const std::string plain = plain_spelling(words);
  const auto* row = std::ranges::find(truths, plain, &WordRow<bool>::word);
  if (row != std::end(truths)) return row->value;
  return tl::unexpected(
      unknown_word(words, "truth value", {"yes", "no", "True", "False", "1", "0"}));
}

std::vector<std::string> words_of_list(std::string_view words, Blanks blanks) {
  const std::string_view text = without_brackets(words);
  if (text.empty()) return {};
  return separated(text, ",;", blanks);
}

Meaning<std::vector<std::int64_t>> integers_from_words(std::string_view words) {
  std::vector<std::int64_t> values;
  const std::string_view text = without_brackets(words);
  const bool is_empty = text.empty() && !words.empty();
  if (is_empty) return values;
  for (const std::string& part : separated(without_times_signs(text), ",;xX*")) {
    const auto value = integer_from(part);
    if (!value) {
      constexpr std::size_t longest_shown = 60;
      return tl::unexpected(
          "\"" + std::string(words.substr(0, longest_shown)) +
          "\" is no list of integers; write 2,3,224,224 or (2, 3, 224, 224) or 2x3x224x224");
    }
    values.push_back(*value);
  }
  return values;
}

Meaning<std::int32_t> integer_from_words(std::string_view words) {
  const std::string_view text = without_brackets(words);
  const auto value = integer_from(text);
  using Limits = std::numeric_limits<std::int32_t>;
  if (value && *value >= Limits::min() && *value <= Limits::max()) {
    return static_cast<std::int32_t>(*value);
  }
  return tl::unexpected("\"" + std::string(words) + "\" is no integer of at most " +
                        std::to_string(Limits::max()));
}

}  // namespace gradproof::corpus
