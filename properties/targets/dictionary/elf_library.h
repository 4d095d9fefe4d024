#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::properties {

/// A shared library as a file: its code and the functions that it exports. Of 64-bit ELF files of
/// this byte order, as every CANN library is. Nothing of it runs.
class ElfLibrary {
 public:
  /// Reads a library; nullopt: the file cannot be read, or is another one.
  static std::optional<ElfLibrary> read(const std::filesystem::path& file);

  /// EM_X86_64, EM_AARCH64 or another of <elf.h>.
  std::uint16_t machine() const { return machine_; }
  /// Address of a function that is exported under a name that begins so; nullopt: there is none.
  std::optional<std::uint64_t> address_of(std::string_view prefix) const;

  /// A piece of a section that is executed.
  struct Code {
    std::uint64_t address = 0;
    std::span<const std::uint8_t> bytes;
  };
  /// The sections that are executed, from the lowest, of each what is at most `distance` bytes away
  /// from the address; what the file ends in front of is left out.
  std::vector<Code> code(std::uint64_t around, std::uint64_t distance) const;

 private:
  std::vector<std::uint8_t> file_;
  std::uint16_t machine_ = 0;
};

}  // namespace gradproof::properties
