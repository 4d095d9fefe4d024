#include "properties/advice/interop/foreign_formats.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace gradproof::advice {
namespace {

/// Depth of the deepest literal that is read, by recursion; no case has more than a few levels.
constexpr int deepest_literal = 64;

class LiteralParser {
 public:
  explicit LiteralParser(std::string_view text) : text_(text) {}

  tl::expected<nlohmann::json, std::string> operator()() {
    nlohmann::json result = value(0);
    skip_blanks();
    if (at_ < text_.size()) fail("the end");
    if (problem_) return tl::unexpected(*problem_);
    return result;
  }

 private:
  void fail(std::string_view expected) {
    if (problem_) return;
    problem_ =
        fmt::format("not a Python literal: {} was expected at character {}", expected, at_ + 1);
    at_ = text_.size();
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  bool takes(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  nlohmann::json value(int depth) {
    skip_blanks();
    if (depth > deepest_literal) fail("something less nested");
    if (at_ >= text_.size()) fail("a value");
    if (problem_) return {};
    const char first = text_[at_];
    if (takes('(')) return items(')', depth);
    if (takes('[')) return items(']', depth);
    if (takes('{')) return members(depth);
    return first == '\'' || first == '"' ? quoted() : word();
  }

  /// `(2)` is the number in Python, and a list of one for people who write shapes.
  nlohmann::json items(char end, int depth) {
    nlohmann::json result = nlohmann::json::array();
    while (!takes(end)) {
      result.push_back(value(depth + 1));
      if (!takes(',') && !(at_ < text_.size() && text_[at_] == end))
        fail("a comma or the end of a list");
      if (problem_) return {};
    }
    return result;
  }

  nlohmann::json members(int depth) {
    nlohmann::json result = nlohmann::json::object();
    while (!takes('}')) {
      const nlohmann::json key = value(depth + 1);
      if (!key.is_string() || !takes(':')) fail("'NAME': VALUE");
      if (problem_) return {};
      result[key.get<std::string>()] = value(depth + 1);
      if (!takes(',') && !(at_ < text_.size() && text_[at_] == '}')) fail("a comma or }");
      if (problem_) return {};
    }
    return result;
  }

  nlohmann::json quoted() {
    const char quote = text_[at_++];
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) {
      fail("the end of a string");
      return {};
    }
    std::string result(text_.substr(at_, end - at_));
    at_ = end + 1;
    return result;
  }

  nlohmann::json word() {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:()[]{}", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    if (word == "True" || word == "true") return at_ = end, nlohmann::json(true);
    if (word == "False" || word == "false") return at_ = end, nlohmann::json(false);
    if (word == "None" || word == "null") return at_ = end, nlohmann::json(nullptr);
    const auto number = number_of(word);
    if (!number) {
      fail("a number, a string, a list, True, False or None");
      return {};
    }
    at_ = end;
    return *number;
  }

  static std::optional<nlohmann::json> number_of(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    const char* last = word.data() + word.size();
    std::int64_t integer = 0;
    const auto whole = std::from_chars(word.data(), last, integer);
    if (whole.ec == std::errc{} && whole.ptr == last) return nlohmann::json(integer);
    double number = 0;
    const auto read = std::from_chars(word.data(), last, number);  // knows inf and nan
    if (read.ec != std::errc{} || read.ptr != last) return std::nullopt;
    return nlohmann::json(number);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<std::string> problem_;
};

}  // namespace

tl::expected<nlohmann::json, std::string> parse_python_literal(std::string_view text) {
  return LiteralParser(text)();
}

}  // namespace gradproof::advice
