#include "properties/targets/dictionary/dictionary.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "properties/targets/dictionary/compared_integers.h"
#include "properties/targets/dictionary/elf_library.h"

namespace gradproof::properties {
namespace {

constexpr std::int64_t most_in_file = std::int64_t{1} << 31;

std::string_view without_comment(std::string_view line) {
  line = line.substr(0, line.find('#'));
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == line.npos) return {};
  return line.substr(begin, line.find_last_not_of(blanks) + 1 - begin);
}

std::optional<std::int64_t> word_of(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const bool is_word = error == std::errc{} && rest == end && value >= 1 && value <= most_in_file;
  return is_word ? std::optional(value) : std::nullopt;
}

/// A name without a folder is looked up as the dynamic linker does.
std::filesystem::path file_of(const std::filesystem::path& library) {
  const char* const folders = std::getenv("LD_LIBRARY_PATH");
  if (library.has_parent_path() || folders == nullptr) return library;
  std::istringstream list(folders);
  for (std::string folder; std::getline(list, folder, ':');) {
    std::error_code error;
    if (std::filesystem::exists(folder / library, error)) return folder / library;
  }
  return library;
}

/// Ascending, each once.
Dictionary in_order(Dictionary words) {
  std::ranges::sort(words);
  // Clang 14 cannot compile std::ranges::unique of this library.
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace

std::optional<Dictionary> listed_dictionary(std::string_view text) {
  Dictionary words;
  while (true) {
    const auto word = word_of(text.substr(0, text.find(',')));
    if (!word) return std::nullopt;
    words.push_back(*word);
    if (text.find(',') == text.npos) return in_order(std::move(words));
    text.remove_prefix(text.find(',') + 1);
  }
}

tl::expected<Dictionary, std::string> read_dictionary(const std::filesystem::path& file) {
  std::ifstream stream(file);
  Dictionary words;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    const std::string_view text = without_comment(line);
    if (text.empty()) continue;
    const auto word = word_of(text);
    if (!word) {
      return tl::unexpected(fmt::format("{}:{}: \"{}\" is not an integer from 1 to 2^31",
                                        file.string(), number, text));
    }
    words.push_back(*word);
  }
  if (!stream.eof()) {
    return tl::unexpected(
        fmt::format("{}: cannot be read: {}", file.string(), std::strerror(errno)));
  }
  if (words.empty()) return tl::unexpected(fmt::format("{}: holds no integer", file.string()));
  return in_order(std::move(words));
}

Dictionary dictionary_of(std::span<const std::filesystem::path> libraries, bool own_kernel_too) {
  for (const std::filesystem::path& path : libraries) {
    const auto library = ElfLibrary::read(file_of(path));
    const auto gradients = library ? library->address_of("aclnnConvolutionBackward") : std::nullopt;
    if (!gradients) continue;
    const bool is_own_kernel = library->address_of("gradproof").has_value();
    return is_own_kernel && !own_kernel_too ? Dictionary{}
                                            : compared_integers(*library, *gradients);
  }
  return {};
}

}  // namespace gradproof::properties
