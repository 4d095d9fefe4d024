#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gradproof::corpus {

/// Line breaks and tabs of a text: kept, or shown as other control characters are.
enum class LineBreaks : std::uint8_t { Kept, Shown };

/// Most bytes that are kept of a text of somebody else's.
inline constexpr std::size_t longest_foreign_text = std::size_t{16} << 10U;
inline constexpr std::size_t longest_foreign_name = 1024;

/// The border for bytes of targets, programs and files: what comes back is well-formed UTF-8 that a
/// terminal may be given. Chinese in GBK or GB 18030 is decoded; control characters, marks that
/// turn the direction of writing and other bytes are shown as their numbers ("\x1b"); "..." stands
/// for what is beyond `longest` bytes. A text that came back comes back as it is.
std::string foreign_text(std::string_view bytes, LineBreaks breaks = LineBreaks::Kept,
                         std::size_t longest = longest_foreign_text);

/// `foreign_text` of a name: one line, and shorter.
std::string foreign_name(std::string_view bytes);

}  // namespace gradproof::corpus
