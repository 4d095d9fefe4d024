#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/targets/target/cann_api.h"

namespace gradproof::targets {

/// "aarch64", if the file is a library for another processor than this program's; the dynamic
/// linker says no more of it than that it cannot be opened. nullopt: it is one for this processor,
/// or no ELF file.
std::optional<std::string> foreign_architecture(const std::filesystem::path& library);

/// Architecture of this program.
std::string own_architecture();

/// Describes the parts of a target that come from several libraries although it shares objects:
/// aclCreateTensor of one runtime with aclCreateIntArray of another, for example, hands an operator
/// descriptors of which it knows only some. A sentence each. `origins`: by entry_points(), the
/// library that gave the function; empty: no library has it.
std::vector<std::string> mixed_runtimes(std::span<const std::string> origins);

/// Takes optional functions away that act on objects of a library that the calls do not use: those
/// of the runtime that come from another library than the required ones, and those of executors
/// that come from `stand_in`, by its name in `origins`, where phase two does not. An executor is
/// the library's own that made it.
void drop_strangers(CannApi& api, std::span<const std::string> origins, std::string_view stand_in);

}  // namespace gradproof::targets
