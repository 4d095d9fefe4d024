#include "properties/advice/interop/foreign_formats.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "corpus/words/file_contents.h"

namespace gradproof::advice {

tl::expected<std::string, std::string> bytes_of_file(const std::string& file) {
  return corpus::file_contents(file).map_error(
      [&](const std::string& problem) { return fmt::format("{}: {}", file, problem); });
}

std::optional<FileBegin> begin_of_file(const std::string& file) {
  constexpr std::uintmax_t longest_header = std::uintmax_t{1} << 20U;
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  FileBegin begin;
  begin.file_bytes = std::filesystem::file_size(file, error);
  if (error || begin.file_bytes == 0) return std::nullopt;
  begin.bytes.resize(std::min(begin.file_bytes, longest_header));
  std::ifstream stream(file, std::ios::binary);
  if (!stream.read(begin.bytes.data(), static_cast<std::streamsize>(begin.bytes.size()))) {
    return std::nullopt;
  }
  return begin;
}

}  // namespace gradproof::advice
