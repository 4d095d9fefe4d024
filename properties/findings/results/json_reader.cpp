#include "properties/findings/results/json_reader.h"

#include <fmt/core.h>

#include <charconv>
#include <limits>
#include <system_error>

namespace gradproof::findings {
namespace {

void append_utf8(std::string& text, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto rest = [&](unsigned shift) { put(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | (code >> 6U));
    rest(0);
  } else if (code < 0x10000) {
    put(0xE0U | (code >> 12U));
    rest(6);
    rest(0);
  } else {
    put(0xF0U | (code >> 18U));
    rest(12);
    rest(6);
    rest(0);
  }
}

}  // namespace

void JsonReader::fail(std::string_view expected) const {
  throw JsonMistake{fmt::format("column {}: {} was expected", at_ + 1, expected)};
}

void JsonReader::pass_space() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')) {
    ++at_;
  }
}

bool JsonReader::accept(char c) {
  pass_space();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool JsonReader::accept(std::string_view word) {
  pass_space();
  if (!text_.substr(at_).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

void JsonReader::demand(char c, std::string_view what) {
  if (!accept(c)) fail(what);
}

std::string_view JsonReader::plain_text() {
  demand('"', "a text");
  const std::size_t begin = at_;
  at_ = text_.find_first_of("\"\\", begin);
  if (at_ == std::string_view::npos || text_[at_] != '"') {
    at_ = begin;
    fail("a text without escapes, and its end");
  }
  return text_.substr(begin, at_++ - begin);
}

std::string JsonReader::text() {
  demand('"', "a text");
  std::string read;
  for (;;) {
    const std::size_t end = text_.find_first_of("\"\\", at_);
    if (end == std::string_view::npos) fail("the end of a text");
    read += text_.substr(at_, end - at_);
    at_ = end + 1;
    if (text_[end] == '"') return read;
    append_escape(read);
  }
}

std::uint32_t JsonReader::four_hex_digits() {
  std::uint32_t value = 0;
  const std::string_view digits = text_.substr(at_).substr(0, 4);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.size() != 4 || error != std::errc{} || end != digits.data() + 4) {
    fail("four hexadecimal digits");
  }
  at_ += 4;
  return value;
}

void JsonReader::append_escape(std::string& text) {
  if (at_ >= text_.size()) fail("an escape");
  const char c = text_[at_++];
  constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  if (const auto place = letters.find(c); place != std::string_view::npos) {
    text += meanings[place];
    return;
  }
  if (c != 'u') fail("an escape");
  std::uint32_t code = four_hex_digits();
  const bool is_first_half = code >= 0xD800 && code < 0xDC00;
  if (is_first_half && text_.substr(at_).starts_with("\\u")) {
    at_ += 2;
    const std::uint32_t second = four_hex_digits();
    if (second < 0xDC00 || second > 0xDFFF) fail("the second half of a character");
    code = 0x10000 + ((code - 0xD800) << 10U) + (second - 0xDC00);
  }
  append_utf8(text, code);
}

template <typename Number>
Number JsonReader::parsed(std::string_view what) {
  pass_space();
  Number value = 0;
  const char* begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (error != std::errc{}) fail(what);
  at_ += static_cast<std::size_t>(end - begin);
  return value;
}

std::uint64_t JsonReader::count() { return parsed<std::uint64_t>("a count"); }
std::int64_t JsonReader::integer() { return parsed<std::int64_t>("an integer"); }

double JsonReader::number() {
  if (accept("null")) return std::numeric_limits<double>::infinity();
  return parsed<double>("a number");
}

bool JsonReader::boolean() {
  if (accept("true")) return true;
  if (!accept("false")) fail("true or false");
  return false;
}

void JsonReader::pass_text() {
  demand('"', "a text");
  for (;;) {
    at_ = text_.find_first_of("\"\\", at_);
    if (at_ == std::string_view::npos) {
      at_ = text_.size();
      fail("the end of a text");
    }
    if (text_[at_++] == '"') return;
    ++at_;
  }
}

void JsonReader::pass_value(int depth) {
  constexpr int deepest = 64;
  if (depth > deepest) fail("at most 64 levels");
  pass_space();
  const char c = at_ < text_.size() ? text_[at_] : '\0';
  if (c == '"') return pass_text();
  if (c == '{') {
    return object([&](std::string_view /*key*/) { pass_value(depth + 1); });
  }
  if (c == '[') {
    return array([&] { pass_value(depth + 1); });
  }
  if (accept("null") || accept("true") || accept("false")) return;
  parsed<double>("a value");
}

std::string_view JsonReader::raw() {
  pass_space();
  const std::size_t begin = at_;
  pass_value(0);
  return text_.substr(begin, at_ - begin);
}

void JsonReader::end() {
  pass_space();
  if (at_ != text_.size()) fail("the end of the line");
}

}  // namespace gradproof::findings
