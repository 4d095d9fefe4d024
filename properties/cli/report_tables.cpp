#include "properties/cli/report_tables.h"

#include <fmt/core.h>

#include <algorithm>
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

/// What a command writes, and how it becomes tables.
struct TableSource {
  const char* command;  ///< and the folder that it writes to
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
  for (const fs::path& file : {folder / source.command / source.file, folder / source.file}) {
    std::error_code error;
    if (fs::is_regular_file(file, error)) return file;
  }
  return std::nullopt;
}

/// Of one command; nothing where the folder has no file of it. Errors: the file, and what is wrong
/// with it.
tl::expected<Tables, std::string> tables_of(const fs::path& folder, const TableSource& source) {
  const auto file = file_in(folder, source);
  if (!file) return Tables{};
  std::ifstream stream(*file, std::ios::binary);
  if (!stream) return tl::unexpected(fmt::format("{}: cannot be read", file->string()));
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  return source.read(text).map_error(
      [&](const std::string& problem) { return fmt::format("{}: {}", file->string(), problem); });
}

}  // namespace

bool has_report_tables(const fs::path& folder) {
  return std::ranges::any_of(
      sources, [&](const TableSource& source) { return file_in(folder, source).has_value(); });
}

tl::expected<Tables, std::string> report_tables_in(const std::vector<fs::path>& folders) {
  Tables tables;
  for (const TableSource& source : sources) {
    for (const fs::path& folder : folders) {
      auto read = tables_of(folder, source);
      if (!read) return read;
      std::ranges::move(*read, std::back_inserter(tables));
    }
  }
  return tables;
}

}  // namespace gradproof::properties::cli
