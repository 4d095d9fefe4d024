#include "properties/cli/input/read_runs.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "corpus/words/file_contents.h"
#include "properties/findings/provenance/provenance.h"
#include "properties/findings/report/report_table.h"
#include "properties/findings/results/merge.h"
#include "properties/runs/campaign/journal.h"
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

/// True if `gradproof faults` left its table in the folder: in the one that was its --out, or in
/// the one inside it that it wrote to.
bool has_fault_table(const fs::path& folder) { return file_in(folder).has_value(); }

/// The tables that it left in all the folders. Errors: a file that cannot be read or is none of
/// its, with its name.
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

namespace fs = std::filesystem;

/// What the operands name. A folder stands for what is in it: results, tables of other commands, or
/// both.
struct Sources {
  std::vector<fs::path> results;
  std::vector<fs::path> folders;
  std::vector<findings::ReportTable> tables;
};

tl::expected<Sources, std::string> sources_of(const std::vector<std::string>& operands) {
  Sources sources;
  for (const std::string& operand : operands) {
    std::error_code error;
    const fs::path path = operand;
    if (fs::is_character_file(path, error)) {  // /dev/zero never ends
      return tl::unexpected(operand + ": is a device; give folders of runs or results files");
    }
    if (!fs::is_directory(path, error)) {
      sources.results.push_back(path);
      continue;
    }
    sources.folders.push_back(path);
    const fs::path results = path / "results.jsonl";
    // The folder of a command that wrote its tables alone has none, or one that is empty.
    const bool has_results =
        fs::is_regular_file(results, error) && fs::file_size(results, error) > 0;
    if (has_results || !has_fault_table(path)) sources.results.push_back(results);
  }
  auto tables = fault_tables_in(sources.folders);
  if (!tables) return tl::unexpected(tables.error());
  sources.tables = std::move(*tables);
  return sources;
}

std::string joined(const std::set<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

findings::ReportHead head_of(const findings::MergedResults& merged) {
  findings::ReportHead head;
  head.command = "report";
  head.target = joined(merged.targets);
  head.profile = joined(merged.profiles);
  head.seeds.assign(merged.seeds.begin(), merged.seeds.end());
  head.notes = merged.cuts;
  return head;
}

/// What the folders say of their runs, each folder once. Errors: a damaged file.
std::optional<std::string> add_provenance(findings::ReportHead& head,
                                          const std::vector<fs::path>& folders) {
  const std::set<fs::path> each(folders.begin(), folders.end());
  for (const fs::path& folder : each) {
    auto runs = findings::read_provenance(folder);
    if (!runs) return runs.error();
    std::ranges::move(*runs, std::back_inserter(head.runs));
  }
  for (std::string& sentence : findings::mixed_builds(head.runs))
    head.notes.push_back(std::move(sentence));
  return std::nullopt;
}

std::vector<fs::path> folders_of(const std::vector<fs::path>& files) {
  std::vector<fs::path> folders;
  folders.reserve(files.size());
  for (const fs::path& file : files) folders.push_back(file.parent_path());
  return folders;
}

/// A run that has not come to its end proves less than it was asked for, however green it is.
std::vector<std::string> unfinished_in(const std::vector<fs::path>& folders) {
  std::vector<std::string> sentences;
  for (const fs::path& folder : std::set<fs::path>(folders.begin(), folders.end())) {
    const auto recorded = runs::recorded_run(folder);
    if (!recorded || recorded->position.finished) continue;
    sentences.push_back(fmt::format(
        "{}: its run has not ended: it was killed or interrupted, or still runs; the same "
        "command with --seed {} resumes it",
        folder.string(), recorded->head.seed));
  }
  return sentences;
}

/// Adds a sentence for each run that has ended and has lost lines since.
void add_shortened(const std::vector<fs::path>& folders, std::vector<std::string>& sentences) {
  for (const fs::path& folder : std::set<fs::path>(folders.begin(), folders.end())) {
    const auto recorded = runs::recorded_run(folder);
    std::error_code error;
    const auto size = fs::file_size(folder / "results.jsonl", error);
    if (error || !recorded || !recorded->position.finished) continue;
    if (size >= recorded->position.bytes) continue;
    sentences.push_back(fmt::format(
        "{}: results.jsonl has {} of the {} bytes that its run wrote: lines are missing; run it "
        "again",
        folder.string(), size, recorded->position.bytes));
  }
}

}  // namespace

tl::expected<ReadRuns, std::string> read_runs(const std::vector<std::string>& operands) {
  auto sources = sources_of(operands);
  if (!sources) return tl::unexpected(sources.error());
  auto merged = findings::merge_results(sources->results, sources->folders);
  if (!merged) return tl::unexpected(merged.error());
  ReadRuns runs;
  runs.times = std::move(merged->times);
  runs.cuts = merged->cuts;
  runs.missing_shards = merged->missing_shards;
  runs.verified_in_shards = merged->verified_in_shards;
  const auto folders = folders_of(sources->results);
  runs.unfinished = unfinished_in(folders);
  add_shortened(sources->folders, runs.unfinished);
  auto findings = findings::findings_for_report(merged->summary, folders);
  findings::ReportHead head = head_of(*merged);
  // Shards that were begun and have not ended are among both.
  head.parts_to_come = std::max(runs.missing_shards.size(), runs.unfinished.size());
  if (auto problem = add_provenance(head, folders)) return tl::unexpected(*problem);
  runs.results = std::move(sources->results);
  runs.report = findings::report_of(std::move(head), std::move(merged->summary),
                                    std::move(findings), std::move(sources->tables));
  return runs;
}

}  // namespace gradproof::cli
