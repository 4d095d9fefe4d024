#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gradproof::kernel::device {

/// A number that no other export has.
using Nonce = std::array<std::uint8_t, 16>;
Nonce new_nonce();

/// Where another process finds a file in memory: who has it open, and by which number.
struct FileAddress {
  std::int32_t process = 0;
  std::int32_t file = 0;
  std::uint32_t record = 0;  ///< which of the things that the file holds
  Nonce nonce{};

  /// 64 characters.
  std::string text() const;
  /// Parses an address; nullopt for what text() does not give.
  static std::optional<FileAddress> parse(std::string_view text);
};

/// A file in memory without a name, mapped. It ends with the last process that maps it or has it
/// open.
class SharedFile {
 public:
  /// Full of zeros; nullptr where the system has no more.
  static std::shared_ptr<SharedFile> create(std::size_t bytes);
  /// One that another process has; nullptr where it ended or does not let this one in.
  static std::shared_ptr<SharedFile> open(const FileAddress& address);

  SharedFile(int file, std::byte* bytes, std::size_t size)
      : file_(file), bytes_(bytes), size_(size) {}
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile();

  int file() const { return file_; }
  std::byte* bytes() const { return bytes_; }
  std::size_t size() const { return size_; }

 private:
  const int file_;
  std::byte* const bytes_;
  const std::size_t size_;
};

}  // namespace gradproof::kernel::device
