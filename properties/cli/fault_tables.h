#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/findings/report/report_table.h"

namespace gradproof::cli {

/// True if `gradproof faults` left its table in the folder: in the one that was its --out, or in
/// the one inside it that it wrote to.
bool has_fault_table(const std::filesystem::path& folder);

/// The tables that it left in all the folders. Errors: a file that cannot be read or is none of
/// its, with its name.
tl::expected<std::vector<findings::ReportTable>, std::string> fault_tables_in(
    const std::vector<std::filesystem::path>& folders);

}  // namespace gradproof::cli
