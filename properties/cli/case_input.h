#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/campaign/work.h"

namespace gradproof::properties::cli {

/// All cases of the files: JSON Lines, a finding's .json, or "-" for the standard input. Everything
/// is read before anything runs. Errors: the first culprit, as FILE:LINE: key.path: problem.
tl::expected<std::vector<StoredCase>, std::string> read_case_files(
    const std::vector<std::string>& files);

/// The stored cases that come with the program.
tl::expected<std::vector<StoredCase>, std::string> cases_of_the_program();

/// The findings of earlier runs in the folder.
tl::expected<std::vector<StoredCase>, std::string> stored_findings(
    const std::filesystem::path& folder);

}  // namespace gradproof::properties::cli
