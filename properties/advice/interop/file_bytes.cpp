#include "properties/advice/interop/file_bytes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace gradproof::advice {

tl::expected<std::string, std::string> bytes_of_file(const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    return tl::unexpected(file + ": is a folder, not a file of a tensor");
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    return tl::unexpected(fmt::format("{}: can't be opened: {}", file, std::strerror(errno)));
  }
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) return tl::unexpected(file + ": can't be read");
  return bytes;
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
