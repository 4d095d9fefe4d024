#include "kernel/device/memory/shared_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstring>

namespace gradproof::kernel::device {
namespace {

constexpr std::string_view key_mark = "gradproofipc";
constexpr std::size_t number_digits = 8, record_digits = 4;
constexpr std::size_t key_length =
    key_mark.size() + 2 * number_digits + record_digits + 2 * sizeof(Nonce);
static_assert(key_length == 64);

template <class Number>
bool read_hex(std::string_view& text, std::size_t digits, Number& number) {
  const char* const end = text.data() + digits;
  const auto [stop, error] = std::from_chars(text.data(), end, number, 16);
  text.remove_prefix(digits);
  return error == std::errc{} && stop == end;
}

std::shared_ptr<SharedFile> map_shared(int file, std::size_t bytes) {
  void* const pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (pages != MAP_FAILED)
    return std::make_shared<SharedFile>(file, static_cast<std::byte*>(pages), bytes);
  ::close(file);
  return nullptr;
}

}  // namespace

Nonce new_nonce() {
  Nonce nonce{};
  if (::getrandom(nonce.data(), nonce.size(), 0) == static_cast<ssize_t>(nonce.size()))
    return nonce;
  static std::atomic<std::uint64_t> count = 0;
  const std::uint64_t parts[2] = {
      static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()),
      ++count};
  std::memcpy(nonce.data(), parts, sizeof parts);
  return nonce;
}

std::string FileAddress::text() const {
  std::string key = fmt::format("{}{:08x}{:08x}{:04x}", key_mark, process, file, record & 0xFFFFU);
  for (const std::uint8_t byte : nonce) key += fmt::format("{:02x}", byte);
  return key;
}

std::optional<FileAddress> FileAddress::parse(std::string_view text) {
  if (text.size() != key_length || !text.starts_with(key_mark)) return std::nullopt;
  text.remove_prefix(key_mark.size());
  FileAddress address;
  bool is_right = read_hex(text, number_digits, address.process) &&
                  read_hex(text, number_digits, address.file) &&
                  read_hex(text, record_digits, address.record);
  for (std::uint8_t& byte : address.nonce) is_right = is_right && read_hex(text, 2, byte);
  return is_right ? std::optional(address) : std::nullopt;
}

std::shared_ptr<SharedFile> SharedFile::create(std::size_t bytes) {
  const int file = ::memfd_create("gradproof-shared", MFD_CLOEXEC);
  if (file < 0) return nullptr;
  if (::ftruncate(file, static_cast<off_t>(bytes)) == 0) return map_shared(file, bytes);
  ::close(file);
  return nullptr;
}

std::shared_ptr<SharedFile> SharedFile::open(const FileAddress& address) {
  const std::string path = fmt::format("/proc/{}/fd/{}", address.process, address.file);
  char target[64] = "";
  // A number may have come to mean another file meanwhile: only ours is opened.
  if (::readlink(path.c_str(), target, sizeof target - 1) < 0 ||
      std::strncmp(target, "/memfd:gradproof-shared", 23) != 0)
    return nullptr;
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  struct stat status {};
  if (::fstat(file, &status) == 0 && status.st_size > 0)
    return map_shared(file, static_cast<std::size_t>(status.st_size));
  ::close(file);
  return nullptr;
}

SharedFile::~SharedFile() {
  ::munmap(bytes_, size_);
  ::close(file_);
}

}  // namespace gradproof::kernel::device
