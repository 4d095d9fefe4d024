#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace gradproof::findings {

/// Writes a certificate: a head, numbered lines in blocks, and after each block a hash that covers
/// it and the block before. Not for several threads at once.
class CertificateWriter {
 public:
  /// Errors of all: why the file cannot be written.
  using Problem = std::optional<std::string>;

  /// Begins the file from its start. `head`: members of a JSON object, without braces:
  /// `"program":"..."`.
  static tl::expected<CertificateWriter, std::string> open(const std::filesystem::path& path,
                                                           std::string_view head);

  /// Adds a line; `members` as `head`. Its number comes first: `{"line":7,...}`.
  Problem add(std::string_view members);

  /// Closes the last block, which says that it is the last: a certificate without it was cut off.
  Problem finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  CertificateWriter(std::filesystem::path path, std::FILE* file)
      : path_(std::move(path)), file_(file) {}
  Problem close_block(bool is_last);
  Problem write(std::string_view text);

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string pending_;                      ///< of the open block
  std::string hash_ = std::string(64, '0');  ///< of the block before
  std::uint64_t lines_ = 0, lines_in_block_ = 0, blocks_ = 0;
};

}  // namespace gradproof::findings
