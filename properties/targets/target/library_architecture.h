#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gradproof::targets {

/// "aarch64", if the file is a library for another processor than this program's; the dynamic
/// linker says no more of it than that it cannot be opened. nullopt: it is one for this processor,
/// or no ELF file.
std::optional<std::string> foreign_architecture(const std::filesystem::path& library);

/// Architecture of this program.
std::string own_architecture();

}  // namespace gradproof::targets
