#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace gradproof::findings {

/// A file that lines are appended to and that says at once when they did not arrive.
class ResultsFile {
 public:
  /// Makes the folder, tries out that something can be written to it, opens
  /// `folder/results.jsonl` and locks it, because two runs that write there would spoil each
  /// other's continuation. Errors: what cannot be written, and why.
  static tl::expected<ResultsFile, std::string> open(const std::filesystem::path& folder);

  ResultsFile(ResultsFile&& other) noexcept;
  ResultsFile& operator=(ResultsFile&&) = delete;
  ~ResultsFile();

  /// Appends complete lines (with their line ends) and hands them to the system.
  /// Errors: why they were not written; lines before them stay.
  std::optional<std::string> append(std::string_view lines);

  /// Bytes that the file has.
  std::uint64_t size() const;

  /// Bytes up to and with the last line end.
  std::uint64_t whole_lines_end() const;

  /// Takes stretches of lines out, [begin, end) in bytes and ascending; what follows moves up. None
  /// where the file does not reach as far.
  std::optional<std::string> take_out(
      const std::vector<std::pair<std::uint64_t, std::uint64_t>>& stretches);

  /// Takes off what stands beyond `bytes`.
  std::optional<std::string> cut(std::uint64_t bytes);

  const std::filesystem::path& path() const { return path_; }

 private:
  ResultsFile(std::filesystem::path path, int descriptor)
      : path_(std::move(path)), descriptor_(descriptor) {}
  std::filesystem::path path_;
  int descriptor_;
};

/// Writes a whole file by way of a temporary one, so that a reader sees the old text or the new and
/// never a part. What is no regular file (a pipe, a device, a link) is written in place.
std::optional<std::string> write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace gradproof::findings
