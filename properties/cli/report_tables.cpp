#include "properties/cli/report_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "properties/faults/fault_table.h"
#include "properties/faults/merged_faults.h"
#include "properties/league/league_table.h"
#include "properties/league/merged_league.h"
#include "properties/results/shard_record.h"

namespace gradproof::properties::cli {
namespace {

namespace fs = std::filesystem;
using Tables = std::vector<ReportTable>;

/// What a command writes, how shards of that become one, and how it becomes tables.
struct TableSource {
  const char* command;  ///< and the folder that it writes to
  const char* file;
  tl::expected<std::string, std::string> (*merge)(const std::vector<std::string>& texts);
  tl::expected<Tables, std::string> (*read)(const std::string& text);
};

tl::expected<Tables, std::string> fault_tables(const std::string& text) {
  auto table = fault_report_table(text);
  if (!table) return tl::unexpected(table.error());
  return Tables{std::move(*table)};
}

constexpr TableSource sources[] = {{"league", "league.json", merged_league, league_report_tables},
                                   {"faults", "faults.json", merged_faults, fault_tables}};

std::optional<fs::path> file_in(const fs::path& folder, const TableSource& source) {
  for (const fs::path& file : {folder / source.command / source.file, folder / source.file}) {
    std::error_code error;
    if (fs::is_regular_file(file, error)) return file;
  }
  return std::nullopt;
}

/// The shard that a folder's file is of: the last that ended there. nullopt: it is all of its run.
tl::expected<std::optional<ShardRecord>, std::string> shard_in(const fs::path& folder,
                                                               const TableSource& source) {
  auto records = read_shard_records(folder);
  if (!records) return tl::unexpected(records.error());
  std::optional<ShardRecord> last;
  for (ShardRecord& record : *records) {
    if (record.work.command == source.command && record.lines) last = std::move(record);
  }
  return last;
}

/// The files of one command, in all folders.
class Documents {
 public:
  explicit Documents(const TableSource& source) : source_(source) {}

  /// Errors of both: the file, and what is wrong with it.
  std::optional<std::string> add(const fs::path& folder) {
    const auto file = file_in(folder, source_);
    if (!file) return std::nullopt;
    std::ifstream stream(*file, std::ios::binary);
    if (!stream) return fmt::format("{}: cannot be read", file->string());
    std::string text(std::istreambuf_iterator<char>(stream), {});
    if (auto tables = source_.read(text); !tables) {
      return fmt::format("{}: {}", file->string(), tables.error());
    }
    const auto shard = shard_in(folder, source_);
    if (!shard) return shard.error();
    if (*shard && (*shard)->work.shards > 1) {
      dealt_out_[(*shard)->work][(*shard)->index] = std::move(text);
    } else {
      whole_.push_back(std::move(text));
    }
    return std::nullopt;
  }

  tl::expected<Tables, std::string> tables() && {
    for (const auto& [work, shards] : dealt_out_) {
      std::vector<std::string> texts;
      for (const auto& [index, text] : shards) texts.push_back(text);
      auto merged = source_.merge(texts);
      if (!merged) return tl::unexpected(fmt::format("{}: {}", source_.file, merged.error()));
      whole_.push_back(std::move(*merged));
    }
    Tables tables;
    for (const std::string& text : whole_) {
      auto read = source_.read(text);
      if (!read) return read;
      tables.insert(tables.end(), std::make_move_iterator(read->begin()),
                    std::make_move_iterator(read->end()));
    }
    return tables;
  }

 private:
  const TableSource& source_;
  std::vector<std::string> whole_;
  std::map<DealtWork, std::map<std::uint64_t, std::string>> dealt_out_;
};

}  // namespace

bool has_report_tables(const fs::path& folder) {
  return std::ranges::any_of(
      sources, [&](const TableSource& source) { return file_in(folder, source).has_value(); });
}

tl::expected<Tables, std::string> report_tables_in(const std::vector<fs::path>& folders) {
  Tables tables;
  for (const TableSource& source : sources) {
    Documents documents(source);
    for (const fs::path& folder : folders) {
      if (auto problem = documents.add(folder)) return tl::unexpected(std::move(*problem));
    }
    auto read = std::move(documents).tables();
    if (!read) return read;
    tables.insert(tables.end(), std::make_move_iterator(read->begin()),
                  std::make_move_iterator(read->end()));
  }
  return tables;
}

}  // namespace gradproof::properties::cli
