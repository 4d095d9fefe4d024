#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/report/report_table.h"

namespace gradproof::properties::cli {

/// Whether `gradproof faults` or `gradproof league` left something in the folder: in the one that
/// was their --out, or in the one inside it that they wrote to.
bool has_report_tables(const std::filesystem::path& folder);

/// What they left in all the folders. Errors: a file that cannot be read or is none of theirs, with
/// its name.
tl::expected<std::vector<ReportTable>, std::string> report_tables_in(
    const std::vector<std::filesystem::path>& folders);

}  // namespace gradproof::properties::cli
