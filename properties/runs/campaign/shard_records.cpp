#include "properties/runs/campaign/shard_records.h"

#include <algorithm>

#include "properties/findings/results/results_file.h"

namespace gradproof::runs {

std::optional<std::string> note_shard(const std::filesystem::path& folder,
                                      const findings::ShardRecord& record) {
  auto records = findings::read_shard_records(folder);
  if (!records) return records.error();
  if (std::ranges::find(*records, record) != records->end()) return std::nullopt;
  records->push_back(record);
  std::string text;
  for (const findings::ShardRecord& kept : *records)
    text += findings::shard_record_line(kept) + '\n';
  return findings::write_file(findings::shard_records_file(folder), text);
}

}  // namespace gradproof::runs
