#include "corpus/words/file_contents.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace gradproof::corpus {
namespace {

struct Close {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};
using OpenFile = std::unique_ptr<std::FILE, Close>;

tl::unexpected<std::string> failed(const char* verb) {
  return tl::unexpected(std::string("can't be ") + verb + ": " + std::strerror(errno));
}

/// True for a device that has no end: not a terminal, and not /dev/null.
bool is_endless(int descriptor, const struct stat& status) {
  if (S_ISBLK(status.st_mode)) return true;
  constexpr unsigned null_major = 1, null_minor = 3;
  const bool is_null = status.st_rdev == makedev(null_major, null_minor);
  return S_ISCHR(status.st_mode) && !is_null && isatty(descriptor) == 0;
}

}  // namespace

tl::expected<std::string, std::string> file_contents(const std::filesystem::path& file,
                                                     std::size_t most) {
  const OpenFile opened(file == "-" ? stdin : std::fopen(file.c_str(), "rbe"));
  if (!opened) return failed("opened");
  struct stat status {};
  if (fstat(fileno(opened.get()), &status) != 0) return failed("read");
  if (S_ISDIR(status.st_mode)) return tl::unexpected(std::string("is a folder, not a file"));
  if (is_endless(fileno(opened.get()), status)) {
    return tl::unexpected(std::string("is a device, not a file"));
  }
  std::string text;
  std::array<char, 65536> piece{};
  while (text.size() < most) {
    const std::size_t wanted = std::min(piece.size(), most - text.size());
    const std::size_t bytes = std::fread(piece.data(), 1, wanted, opened.get());
    text.append(piece.data(), bytes);
    if (bytes == wanted) continue;
    if (std::ferror(opened.get()) != 0) return failed("read");
    break;
  }
  return text;
}

}  // namespace gradproof::corpus
