#include "properties/cli/fault_tables.h"

#include <fmt/core.h>

#include <optional>
#include <system_error>

#include "corpus/words/file_contents.h"
#include "properties/runs/faults/fault_table.h"

namespace gradproof::cli {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> file_in(const fs::path& folder) {
  for (const fs::path& file : {folder / "faults" / "faults.json", folder / "faults.json"}) {
    std::error_code error;
    if (fs::is_regular_file(file, error)) return file;
  }
  return std::nullopt;
}

tl::expected<findings::ReportTable, std::string> table_in(const fs::path& file) {
  return corpus::file_contents(file)
      .and_then(runs::fault_report_table)
      .map_error([&](const std::string& problem) {
        return fmt::format("{}: {}", file.string(), problem);
      });
}

}  // namespace

bool has_fault_table(const fs::path& folder) { return file_in(folder).has_value(); }

tl::expected<std::vector<findings::ReportTable>, std::string> fault_tables_in(
    const std::vector<fs::path>& folders) {
  std::vector<findings::ReportTable> tables;
  for (const fs::path& folder : folders) {
    const auto file = file_in(folder);
    if (!file) continue;
    auto table = table_in(*file);
    if (!table) return tl::unexpected(table.error());
    tables.push_back(std::move(*table));
  }
  return tables;
}

}  // namespace gradproof::cli
