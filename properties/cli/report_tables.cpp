#include "properties/cli/report_tables.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include "properties/faults/fault_table.h"
#include "properties/league/league_table.h"

namespace gradproof::properties::cli {
namespace {

namespace fs = std::filesystem;
using Tables = std::vector<ReportTable>;

/// What a command writes, and how that becomes tables.
struct TableSource {
  const char* folder;
  const char* file;
  tl::expected<Tables, std::string> (*read)(const std::string& text);
};

tl::expected<Tables, std::string> fault_tables(const std::string& text) {
  auto table = fault_report_table(text);
  if (!table) return tl::unexpected(table.error());
  return Tables{std::move(*table)};
}

constexpr TableSource sources[] = {{"league", "league.json", league_report_tables},
                                   {"faults", "faults.json", fault_tables}};

std::optional<fs::path> file_in(const fs::path& folder, const TableSource& source) {
  for (const fs::path& file : {folder / source.folder / source.file, folder / source.file}) {
    std::error_code error;
    if (fs::is_regular_file(file, error)) return file;
  }
  return std::nullopt;
}

}  // namespace

tl::expected<Tables, std::string> report_tables_in(const fs::path& folder) {
  Tables tables;
  for (const TableSource& source : sources) {
    const auto file = file_in(folder, source);
    if (!file) continue;
    std::ifstream stream(*file, std::ios::binary);
    if (!stream) return tl::unexpected(fmt::format("{}: cannot be read", file->string()));
    auto read = source.read(std::string(std::istreambuf_iterator<char>(stream), {}));
    if (!read) return tl::unexpected(fmt::format("{}: {}", file->string(), read.error()));
    tables.insert(tables.end(), std::make_move_iterator(read->begin()),
                  std::make_move_iterator(read->end()));
  }
  return tables;
}

}  // namespace gradproof::properties::cli
