#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::targets {

/// The name of a target that consists of the simulated backend alone.
inline constexpr std::string_view simulated_name = "simulated";

/// Makes the simulated machine have one device of every product, unless the environment already
/// says what it has. Only effective before the backend is loaded.
void furnish_simulated_machine();

/// The three libraries of the simulated backend, and where there is one, ours for its tiling
/// classes, from where this program was built or installed; empty where they are not found.
std::vector<std::filesystem::path> simulated_libraries();

/// The folders that were searched for them, nearest first.
std::vector<std::filesystem::path> simulated_library_folders();

/// Names these libraries as the report does: their file names, or the simulated backend's for none.
std::string joined_names(const std::vector<std::filesystem::path>& libraries);

}  // namespace gradproof::targets
