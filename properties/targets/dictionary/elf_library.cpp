#include "properties/targets/dictionary/elf_library.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace gradproof::properties {
namespace {

using Bytes = std::span<const std::uint8_t>;

/// Bytes of a part of the file; empty where the file ends in front of it.
Bytes part(Bytes file, std::uint64_t offset, std::uint64_t size) {
  if (offset > file.size() || file.size() - offset < size) return {};
  return file.subspan(offset, size);
}

/// Records may lie at any address.
template <typename Record>
std::optional<Record> record(Bytes file, std::uint64_t offset) {
  const Bytes bytes = part(file, offset, sizeof(Record));
  if (bytes.empty()) return std::nullopt;
  Record read;
  std::memcpy(&read, bytes.data(), sizeof read);
  return read;
}

std::vector<Elf64_Shdr> sections(Bytes file) {
  const auto head = record<Elf64_Ehdr>(file, 0);
  std::vector<Elf64_Shdr> rows;
  for (unsigned i = 0; head && i < head->e_shnum; ++i) {
    const auto row =
        record<Elf64_Shdr>(file, head->e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr));
    if (row) rows.push_back(*row);
  }
  return rows;
}

bool has_name(Bytes names, std::uint64_t offset, std::string_view prefix) {
  const Bytes name = part(names, offset, prefix.size());
  return !name.empty() && std::memcmp(name.data(), prefix.data(), prefix.size()) == 0;
}

}  // namespace

std::optional<ElfLibrary> ElfLibrary::read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  ElfLibrary library;
  library.file_.assign(std::istreambuf_iterator<char>(stream), {});
  const auto head = record<Elf64_Ehdr>(library.file_, 0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return std::nullopt;
  if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB) {
    return std::nullopt;
  }
  library.machine_ = head->e_machine;
  return library;
}

std::optional<std::uint64_t> ElfLibrary::address_of(std::string_view prefix) const {
  const auto rows = sections(file_);
  for (const Elf64_Shdr& table : rows) {
    if (table.sh_type != SHT_DYNSYM || table.sh_link >= rows.size()) continue;
    const Elf64_Shdr& strings = rows[table.sh_link];
    const Bytes names = part(file_, strings.sh_offset, strings.sh_size);
    const Bytes symbols = part(file_, table.sh_offset, table.sh_size);
    for (std::uint64_t at = 0; const auto symbol = record<Elf64_Sym>(symbols, at);
         at += sizeof(Elf64_Sym)) {
      const bool is_defined = symbol->st_shndx != SHN_UNDEF;
      const bool is_function = ELF64_ST_TYPE(symbol->st_info) == STT_FUNC;
      if (is_defined && is_function && has_name(names, symbol->st_name, prefix)) {
        return symbol->st_value;
      }
    }
  }
  return std::nullopt;
}

std::vector<ElfLibrary::Code> ElfLibrary::code(std::uint64_t around, std::uint64_t distance) const {
  std::vector<Code> result;
  for (const Elf64_Shdr& row : sections(file_)) {
    if (row.sh_type != SHT_PROGBITS || (row.sh_flags & SHF_EXECINSTR) == 0) continue;
    const Bytes bytes = part(file_, row.sh_offset, row.sh_size);
    const std::uint64_t end = row.sh_addr + bytes.size();
    const std::uint64_t from = std::max(row.sh_addr, around - std::min(around, distance));
    const std::uint64_t to = std::min(end, around + distance);
    if (from < to) result.push_back({from, bytes.subspan(from - row.sh_addr, to - from)});
  }
  std::ranges::sort(result, {}, &Code::address);
  return result;
}

}  // namespace gradproof::properties
