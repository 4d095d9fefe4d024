#include "properties/advice/logs/log_text.h"

#include <fmt/format.h>
#include <iconv.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

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

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
};

/// nullopt: no UTF-8.
std::optional<Character> character_at(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return Character{first, 1};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return std::nullopt;
  std::uint32_t code = first & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0U) != 0x80U) return std::nullopt;
    code = code << 6U | (next & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < smallest[bytes] || code > 0x10ffff || is_surrogate) return std::nullopt;
  return Character{code, bytes};
}

/// What moves the cursor, hides text or turns its direction.
bool is_unsafe(std::uint32_t code) {
  struct Range {
    std::uint32_t first, last;
  };
  constexpr Range ranges[] = {
      {0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},   {0x200b, 0x200f},
      {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};
  return std::ranges::any_of(
      ranges, [&](const Range& range) { return code >= range.first && code <= range.last; });
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto character = character_at(text);
    if (!character) return false;
    text.remove_prefix(character->bytes);
  }
  return true;
}

/// The text in UTF-8; nullopt: it is not all in that encoding, or the system does not know it.
std::optional<std::string> as_utf8(std::string_view text, const char* encoding) {
  const iconv_t converter = iconv_open("UTF-8", encoding);
  const auto none = reinterpret_cast<iconv_t>(-1);  // NOLINT(performance-no-int-to-ptr): POSIX's
  if (converter == none) return std::nullopt;
  std::string result(text.size() * 2 + 16, '\0');
  char* in = const_cast<char*>(text.data());  // iconv only reads
  char* out = result.data();
  std::size_t in_left = text.size(), out_left = result.size();
  const bool failed =
      iconv(converter, &in, &in_left, &out, &out_left) == static_cast<std::size_t>(-1);
  iconv_close(converter);
  if (failed) return std::nullopt;
  result.resize(result.size() - out_left);
  return result;
}

/// What Windows writes, and what a Chinese one does: UTF-16 by its mark or its NUL bytes, GBK where
/// it is no UTF-8.
std::optional<std::string> decoded(std::string_view text) {
  if (text.starts_with("\xff\xfe")) return as_utf8(text.substr(2), "UTF-16LE");
  if (text.starts_with("\xfe\xff")) return as_utf8(text.substr(2), "UTF-16BE");
  const std::string_view begin = text.substr(0, 4096);
  const auto nuls = [&](std::size_t first) {
    std::size_t count = 0;
    for (std::size_t i = first; i < begin.size(); i += 2) count += begin[i] == '\0' ? 1 : 0;
    return count * 4 > begin.size();
  };
  if (nuls(1) && !nuls(0)) return as_utf8(text, "UTF-16LE");
  if (nuls(0) && !nuls(1)) return as_utf8(text, "UTF-16BE");
  const bool may_be_gbk = text.find('\0') == std::string_view::npos && !is_utf8(text);
  return may_be_gbk ? as_utf8(text, "GB18030") : std::nullopt;
}

}  // namespace

tl::expected<std::string, std::string> searchable_log(std::string_view text) {
  if (text.size() > largest_log_bytes) {
    return tl::unexpected(fmt::format(
        "the log has more than {} MiB; give the part around the error, e.g. tail -c {}M "
        "FILE | gradproof explain --log -",
        largest_log_bytes >> 20U, largest_log_bytes >> 20U));
  }
  const auto converted = decoded(text);
  if (converted) text = *converted;
  if (text.find('\0') != std::string_view::npos) {
    return tl::unexpected(std::string("the log holds NUL bytes, so it is no text"));
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
  std::string result;
  const bool is_cut = part.size() > longest;
  part = part.substr(0, longest);
  while (!part.empty()) {
    const auto character = character_at(part);
    const std::size_t bytes = character ? character->bytes : 1;
    if (character && !is_unsafe(character->code)) {
      result += part.substr(0, bytes);
    } else {
      for (const char byte : part.substr(0, bytes)) {
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
      }
    }
    part.remove_prefix(bytes);
  }
  return is_cut ? result + "..." : result;
}

std::string_view message_of(std::string_view line) {
  for (const std::string_view mark : {"OpName:[", "[PID: "}) {
    const std::size_t at = line.find(mark);
    std::size_t end = at == line.npos ? at : line.find("] ", at);
    if (end != line.npos && mark[0] == '[') end = line.find(' ', end + 2);  // behind the time
    if (end != line.npos)
      line = line.substr(std::min(line.find_first_not_of(' ', end + 1), line.size()));
  }
  return line;
}

}  // namespace gradproof::advice
