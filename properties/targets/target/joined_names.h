#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gradproof::targets {

/// Names these libraries as the report does: their file names, or the simulated backend's for none.
std::string joined_names(const std::vector<std::filesystem::path>& libraries);

}  // namespace gradproof::targets
