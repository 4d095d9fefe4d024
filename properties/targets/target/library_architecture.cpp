#include "properties/targets/target/library_architecture.h"

#include <elf.h>
#include <fmt/core.h>

#include <cstring>
#include <fstream>

namespace gradproof::targets {
namespace {

std::optional<Elf64_Half> machine_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  // The fields up to the machine's are the same in files of 32 and of 64 bits.
  Elf64_Ehdr head{};
  stream.read(reinterpret_cast<char*>(&head), offsetof(Elf64_Ehdr, e_version));
  if (!stream || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return std::nullopt;
  return head.e_machine;
}

std::string name_of(Elf64_Half machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "aarch64";
    case EM_386:
      return "32-bit x86";
    case EM_ARM:
      return "32-bit ARM";
    case EM_RISCV:
      return "RISC-V";
    default:
      return fmt::format("ELF machine {}", machine);
  }
}

}  // namespace

std::optional<std::string> foreign_architecture(const std::filesystem::path& library) {
  const auto machine = machine_of(library);
  if (!machine || machine == machine_of("/proc/self/exe")) return std::nullopt;
  return name_of(*machine);
}

std::string own_architecture() { return name_of(machine_of("/proc/self/exe").value_or(EM_NONE)); }

}  // namespace gradproof::targets
