#include "kernel/device/memory/backing.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace gradproof::kernel::device {
namespace {

/// Poison is mapped in pieces of this size, each a private copy-on-write view of one file of
/// poison: some tens of thousands of pieces make the largest device's memory, below the number of
/// mappings that Linux grants a process.
constexpr std::size_t piece_bytes = std::size_t{4} << 20;

/// A file in memory, full of poison, or -1 where the system does not allow one.
int make_poison_file() {
  const int file = ::memfd_create("gradproof-poison", MFD_CLOEXEC);
  if (file < 0) return -1;
  const std::vector<std::byte> block(std::size_t{1} << 20, poison);
  for (std::size_t written = 0; written < piece_bytes;) {
    const ssize_t step = ::write(file, block.data(), std::min(block.size(), piece_bytes - written));
    if (step <= 0) {
      ::close(file);
      return -1;
    }
    written += static_cast<std::size_t>(step);
  }
  return file;
}

int poison_file() {
  static const int file = make_poison_file();
  return file;
}

void* map(void* where, std::size_t bytes, int flags, int file) {
  return ::mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE | flags, file, 0);
}

bool cover_with_poison(std::byte* pages, std::size_t bytes) {
  for (std::size_t offset = 0; offset < bytes; offset += piece_bytes) {
    const std::size_t size = std::min(piece_bytes, bytes - offset);
    if (map(pages + offset, size, MAP_FIXED, poison_file()) == MAP_FAILED) return false;
  }
  return true;
}

}  // namespace

std::byte* map_pages(std::size_t bytes) {
  void* pages = map(nullptr, bytes, MAP_ANONYMOUS, -1);
  return pages == MAP_FAILED ? nullptr : static_cast<std::byte*>(pages);
}

std::byte* map_poisoned_pages(std::size_t bytes) {
  std::byte* pages = map_pages(bytes);
  if (pages == nullptr) return nullptr;
  if (poison_file() < 0) {
    std::memset(pages, std::to_integer<int>(poison), bytes);
  } else if (!cover_with_poison(pages, bytes)) {
    unmap_pages(pages, bytes);
    return nullptr;
  }
  return pages;
}

void unmap_pages(std::byte* pages, std::size_t bytes) { ::munmap(pages, bytes); }

}  // namespace gradproof::kernel::device
