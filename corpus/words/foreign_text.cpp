#include "corpus/words/foreign_text.h"

#include <fmt/core.h>
#include <iconv.h>

#include <algorithm>
#include <array>
#include <optional>

namespace gradproof::corpus {
namespace {

/// A well-formed UTF-8 character.
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
};

std::optional<Character> character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return Character{lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return std::nullopt;
  std::uint32_t code = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return std::nullopt;
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least.at(bytes) || is_surrogate || code > 0x10FFFF) return std::nullopt;
  return Character{code, bytes};
}

struct Range {
  std::uint32_t first, last;
};

template <std::size_t size>
bool is_in(const Range (&ranges)[size], std::uint32_t code) {
  return std::ranges::any_of(
      ranges, [&](const Range& range) { return code >= range.first && code <= range.last; });
}

/// Control characters, marks of writing direction, and what turns up as nothing.
bool is_unsafe(std::uint32_t code) {
  constexpr Range ranges[] = {
      {0, 0x1F},        {0x7F, 0x9F},     {0xAD, 0xAD},     {0x61C, 0x61C},   {0x200B, 0x200F},
      {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF}};
  return is_in(ranges, code);
}

/// What Chinese texts are made of, next to ASCII.
bool is_chinese(std::uint32_t code) {
  constexpr Range ranges[] = {
      {0x2010, 0x2026}, {0x3000, 0x303F}, {0x4E00, 0x9FFF}, {0xFF00, 0xFFEF}, {0xB7, 0xB7}};
  return code < 0x80 || is_in(ranges, code);
}

template <typename Admits>
bool consists_of(std::string_view text, Admits admits) {
  while (!text.empty()) {
    const auto character = character_at(text);
    if (!character || !admits(character->code)) return false;
    text.remove_prefix(character->bytes);
  }
  return true;
}

/// The bytes as UTF-8, where all of them are Chinese in GB 18030 (of which GBK is a part).
std::optional<std::string> from_chinese(std::string_view bytes) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): iconv's way to say that it has none
  const auto none = reinterpret_cast<iconv_t>(-1);
  const iconv_t converter = ::iconv_open("UTF-8", "GB18030");
  if (converter == none) return std::nullopt;  // a system without its tables
  std::string source(bytes), result(bytes.size() * 3, '\0');
  char* in = source.data();
  char* out = result.data();
  std::size_t left = source.size(), room = result.size();
  const bool is_whole = ::iconv(converter, &in, &left, &out, &room) != static_cast<std::size_t>(-1);
  ::iconv_close(converter);
  result.resize(result.size() - room);
  if (!is_whole || !consists_of(result, is_chinese)) return std::nullopt;
  return result;
}

std::string in_numbers(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  return text;
}

}  // namespace

std::string foreign_text(std::string_view bytes, LineBreaks breaks, std::size_t longest) {
  const auto is_kept = [&](std::uint32_t code) {
    const bool is_break = code == '\n' || code == '\t';
    return is_break ? breaks == LineBreaks::Kept : !is_unsafe(code);
  };
  if (bytes.size() <= longest && consists_of(bytes, is_kept)) return std::string(bytes);
  const bool is_utf8 = consists_of(bytes, [](std::uint32_t) { return true; });
  const auto decoded = is_utf8 ? std::nullopt : from_chinese(bytes.substr(0, 4 * longest));
  std::string_view rest = decoded ? *decoded : bytes;
  std::string text;
  while (!rest.empty()) {
    const auto character = character_at(rest);
    const std::string_view part = rest.substr(0, character ? character->bytes : 1);
    const std::string shown =
        character && is_kept(character->code) ? std::string(part) : in_numbers(part);
    constexpr std::string_view more = "...";
    if (text.size() + shown.size() + more.size() > longest) return text.append(more);
    text += shown;
    rest.remove_prefix(part.size());
  }
  return text;
}

std::string foreign_name(std::string_view bytes) {
  return foreign_text(bytes, LineBreaks::Shown, longest_foreign_name);
}

}  // namespace gradproof::corpus
