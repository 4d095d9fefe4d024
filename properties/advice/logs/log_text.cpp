#include "properties/advice/logs/log_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "corpus/words/foreign_text.h"

namespace gradproof::advice {
namespace {

bool is_control(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return (byte < 0x20 && letter != '\n' && letter != '\t' && letter != '\r') || byte == 0x7f;
}

/// Behind ESC [ ...: the sequence ends with a letter.
std::size_t end_of_colour(std::string_view text, std::size_t begin) {
  constexpr std::size_t longest = 32;
  const std::size_t end = std::min(text.size(), begin + longest);
  for (std::size_t i = begin + 2; i < end; ++i) {
    if (text[i] >= '@' && text[i] <= '~') return i + 1;
  }
  return begin + 1;
}

}  // namespace

tl::expected<std::string, std::string> searchable_log(std::string_view text) {
  if (text.size() > largest_log_bytes) {
    return tl::unexpected(fmt::format(
        "the log has more than {} MiB; give the part around the error, e.g. tail -c {}M "
        "FILE | gradproof explain --log -",
        largest_log_bytes >> 20U, largest_log_bytes >> 20U));
  }
  if (text.find('\0') != std::string_view::npos) {
    return tl::unexpected(
        std::string("the log holds NUL bytes, so it is no text; save it as UTF-8 if it is UTF-16"));
  }
  std::string result;
  std::size_t controls = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i = end_of_colour(text, i);
      continue;
    }
    controls += is_control(text[i]) ? 1 : 0;
    if (text[i] != '\r') result += text[i];
    ++i;
  }
  // A text has few; what is compressed or compiled has one in eight.
  if (controls > 16 && controls > text.size() / 16) {
    return tl::unexpected(std::string("the log is binary, not text"));
  }
  if (result.find_first_not_of(" \t\n") == std::string::npos) {
    return tl::unexpected(std::string("the log is empty"));
  }
  return result;
}

std::string shown(std::string_view part, std::size_t longest) {
  constexpr std::size_t mark_of_a_cut = 3;
  return corpus::foreign_text(part, corpus::LineBreaks::Shown, longest + mark_of_a_cut);
}

}  // namespace gradproof::advice
