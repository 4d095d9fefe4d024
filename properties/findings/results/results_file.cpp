#include "properties/findings/results/results_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <system_error>
#include <thread>

namespace gradproof::findings {
namespace {

namespace fs = std::filesystem;

std::string reason(const fs::path& path, std::string_view what) {
  if (errno == ELOOP) {
    return fmt::format("{}: {}: it is a link, and none is followed", path.string(), what);
  }
  return fmt::format("{}: {}: {}", path.string(), what, std::strerror(errno));
}

std::optional<std::string> write_all(int descriptor, const fs::path& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return reason(path, "cannot be written");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return std::nullopt;
}

constexpr mode_t for_everyone_by_umask = 0666;

/// True if the file is a link to a device, such as /dev/full, which a write cannot harm. Other
/// links are not followed: in a folder that others can write to, one may lead anywhere.
bool is_link_to_device(const fs::path& file) {
  std::error_code error;
  return fs::is_symlink(fs::symlink_status(file, error)) &&
         fs::is_character_file(fs::status(file, error));
}

/// True if a rename over it would put a file in the place of something else: a pipe, a terminal, a
/// device, a link to one, or one of the system's links, as /dev/stdout is.
bool is_no_plain_file(const fs::path& file) {
  std::error_code error;
  const auto status = fs::symlink_status(file, error);
  if (fs::is_symlink(status)) {
    const std::string name = fs::absolute(file, error).lexically_normal().string();
    return is_link_to_device(file) || name.starts_with("/dev/") || name.starts_with("/proc/");
  }
  return fs::exists(status) && !fs::is_regular_file(status);
}

std::optional<std::string> write_in_place(const fs::path& file, std::string_view text) {
  int descriptor = -1;
  for (int tries = 0; tries < 100 && descriptor < 0; ++tries) {  // a named pipe waits for a reader
    descriptor = ::open(file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NONBLOCK);
    if (descriptor >= 0 || errno != ENXIO) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  if (descriptor < 0) return reason(file, "cannot be opened");
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  auto problem = write_all(descriptor, file, text);
  if (::close(descriptor) != 0 && !problem) problem = reason(file, "cannot be written");
  return problem;
}

/// A folder may exist on a full disk: only writing proves that it can be written.
std::optional<std::string> try_out(const fs::path& folder) {
  const fs::path probe = folder / ".gradproof-can-write";
  const std::string ballast(std::size_t{1} << 16, '\n');
  auto problem = write_file(probe, ballast);
  std::error_code ignored;
  fs::remove(probe, ignored);
  return problem;
}

}  // namespace

tl::expected<ResultsFile, std::string> ResultsFile::open(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  std::error_code ignored;
  if (error && !fs::is_directory(folder, ignored)) {
    return tl::unexpected(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
  }
  if (auto problem = try_out(folder)) return tl::unexpected(*problem);
  const fs::path path = folder / "results.jsonl";
  const int links = is_link_to_device(path) ? 0 : O_NOFOLLOW;
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | links,
                                for_everyone_by_umask);
  if (descriptor < 0) return tl::unexpected(reason(path, "cannot be opened"));
  ResultsFile results(path, descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return tl::unexpected(fmt::format(
        "{}: another run is writing to this folder; give this one another --out", folder.string()));
  }
  return results;
}

ResultsFile::ResultsFile(ResultsFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

ResultsFile::~ResultsFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<std::string> ResultsFile::append(std::string_view lines) {
  return write_all(descriptor_, path_, lines);
}

std::uint64_t ResultsFile::size() const {
  struct stat status {};
  const bool is_file = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  return is_file ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::uint64_t ResultsFile::whole_lines_end() const {
  std::ifstream stream(path_, std::ios::binary);
  constexpr std::uint64_t most_at_once = std::uint64_t{1} << 16;
  std::string text;
  for (std::uint64_t end = size(); end > 0;) {
    const std::uint64_t begin = end - std::min(end, most_at_once);
    text.resize(end - begin);
    stream.seekg(static_cast<std::streamoff>(begin));
    if (!stream.read(text.data(), static_cast<std::streamsize>(text.size()))) return size();
    const std::size_t last = text.find_last_of('\n');
    if (last != std::string::npos) return begin + last + 1;
    end = begin;
  }
  return 0;
}

std::optional<std::string> ResultsFile::take_out(
    const std::vector<std::pair<std::uint64_t, std::uint64_t>>& stretches) {
  if (stretches.empty() || stretches.back().second > size()) return std::nullopt;
  std::string kept;
  std::ifstream stream(path_, std::ios::binary);
  const std::uint64_t first = stretches.front().first;
  std::uint64_t at = first;
  const auto keep_until = [&](std::uint64_t end) {
    std::string text(end - std::min(at, end), '\0');
    stream.seekg(static_cast<std::streamoff>(at));
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    kept += text;
  };
  for (const auto& [begin, end] : stretches) {
    keep_until(begin);
    at = end;
  }
  keep_until(size());
  if (!stream && !kept.empty()) return reason(path_, "cannot be read");
  if (auto problem = cut(first)) return problem;
  return append(kept);
}

std::optional<std::string> ResultsFile::cut(std::uint64_t bytes) {
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0) return std::nullopt;
  return reason(path_, "cannot be shortened");
}

std::optional<std::string> write_file(const fs::path& file, std::string_view text) {
  if (is_no_plain_file(file)) return write_in_place(file, text);
  const fs::path temporary = file.string() + ".part";
  const int descriptor =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
             for_everyone_by_umask);
  if (descriptor < 0) return reason(temporary, "cannot be opened");
  auto problem = write_all(descriptor, temporary, text);
  if (!problem && ::fsync(descriptor) != 0) problem = reason(temporary, "cannot be written");
  ::close(descriptor);
  std::error_code error;
  if (!problem) fs::rename(temporary, file, error);
  if (error) problem = fmt::format("{}: cannot be renamed: {}", file.string(), error.message());
  if (problem) fs::remove(temporary, error);
  return problem;
}

}  // namespace gradproof::findings
