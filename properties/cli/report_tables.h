#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/report/report_table.h"

namespace gradproof::properties::cli {

/// What `gradproof faults` and `gradproof league` left in a folder: in the one that was their
/// --out, or in the one inside it that they wrote to. Errors: a file that cannot be read or is none
/// of theirs, with its name.
tl::expected<std::vector<ReportTable>, std::string> report_tables_in(
    const std::filesystem::path& folder);

}  // namespace gradproof::properties::cli
