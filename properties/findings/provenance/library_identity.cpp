#include "properties/findings/provenance/library_identity.h"

#include <elf.h>
#include <fmt/core.h>
#include <nettle/sha2.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>
#include <vector>

#include "corpus/words/file_contents.h"

namespace gradproof::findings {
namespace {

namespace fs = std::filesystem;

std::string hexadecimal(std::span<const unsigned char> bytes) {
  std::string text;
  for (const unsigned char byte : bytes) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

/// A record of the file, if the file is long enough to hold it. Records may lie at any address.
template <typename Record>
std::optional<Record> record_at(std::span<const char> file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(Record)) return std::nullopt;
  Record record;
  std::memcpy(&record, file.data() + offset, sizeof record);
  return record;
}

constexpr std::uint64_t up_to_four(std::uint64_t bytes) { return (bytes + 3) & ~std::uint64_t{3}; }

/// The build id among the notes of a segment: notes of a name and a description, each padded to
/// four bytes.
std::string build_id_in(std::span<const char> file, const Elf64_Phdr& segment) {
  constexpr std::string_view gnu("GNU\0", 4);
  const std::uint64_t end =
      std::min<std::uint64_t>(file.size(), segment.p_offset + segment.p_filesz);
  for (std::uint64_t at = segment.p_offset; at < end;) {
    const auto note = record_at<Elf64_Nhdr>(file, at);
    if (!note) break;
    const std::uint64_t name = at + sizeof *note, text = name + up_to_four(note->n_namesz);
    if (text > end || end - text < note->n_descsz) break;
    const bool is_build_id = note->n_type == NT_GNU_BUILD_ID && note->n_namesz == gnu.size() &&
                             std::memcmp(file.data() + name, gnu.data(), gnu.size()) == 0;
    if (is_build_id) {
      std::vector<unsigned char> id(note->n_descsz);
      std::memcpy(id.data(), file.data() + text, id.size());
      return hexadecimal(id);
    }
    at = text + up_to_four(note->n_descsz);
  }
  return {};
}

/// Build id of 64-bit ELF files of this byte order, as every CANN library is; else empty.
std::string build_id(std::span<const char> file) {
  const auto head = record_at<Elf64_Ehdr>(file, 0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return {};
  if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB) return {};
  for (unsigned i = 0; i < head->e_phnum; ++i) {
    const auto segment =
        record_at<Elf64_Phdr>(file, head->e_phoff + std::uint64_t{i} * sizeof(Elf64_Phdr));
    if (!segment) break;
    if (segment->p_type != PT_NOTE) continue;
    if (auto id = build_id_in(file, *segment); !id.empty()) return id;
  }
  return {};
}

}  // namespace

std::string sha256_of(std::string_view bytes) {
  sha256_ctx state;
  sha256_init(&state);
  sha256_update(&state, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&state, digest.size(), digest.data());
  return hexadecimal(digest);
}

tl::expected<LibraryIdentity, std::string> identity_of(const fs::path& library) {
  const auto file = corpus::file_contents(library);
  if (!file) return tl::unexpected(fmt::format("{}: {}", library.string(), file.error()));
  std::error_code error;
  const fs::path absolute = fs::absolute(library, error);
  return LibraryIdentity{(error ? library : absolute).lexically_normal().string(), file->size(),
                         sha256_of(*file), build_id(*file)};
}

}  // namespace gradproof::findings
