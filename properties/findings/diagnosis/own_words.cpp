#include "properties/findings/diagnosis/clues.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace gradproof::findings::diagnosis {
namespace {

constexpr std::size_t most_bytes = 300;

/// Addresses differ from run to run, and reports of the same seed must not.
std::string without_addresses(std::string_view text) {
  constexpr std::size_t digits_of_a_size = 6;
  std::string plain;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find("0x"), text.size());
    const std::size_t end =
        std::min(text.find_first_not_of("0123456789abcdefABCDEF", begin + 2), text.size());
    const bool is_address = begin < text.size() && end - begin - 2 > digits_of_a_size;
    plain += is_address ? text.substr(0, begin) : text.substr(0, end);
    if (is_address) plain += "0x...";
    text.remove_prefix(end);
  }
  return plain;
}

/// A space for each run of line ends and other bytes that a line of a report cannot hold.
std::string in_one_line(std::string_view text) {
  std::string line;
  bool is_apart = false;
  for (const char letter : text) {
    const bool is_visible = letter > ' ' && letter < 0x7f;
    if (!is_visible) {
      is_apart = !line.empty();
      continue;
    }
    if (is_apart) line += ' ';
    is_apart = false;
    line += letter;
  }
  if (line.size() <= most_bytes) return line;
  return line.substr(0, most_bytes - 3) + "...";
}

}  // namespace

std::optional<std::string> own_words(targets::Target& target, const corpus::Case& test_case,
                                     const targets::RunSettings& settings) {
  const std::string line =
      in_one_line(without_addresses(target.run_case(test_case, settings).message));
  if (line.empty()) return std::nullopt;
  return "the target says: " + line;
}

}  // namespace gradproof::findings::diagnosis
