#include "properties/runs/campaign/shard_records.h"

#include <algorithm>

#include "properties/findings/results/results_file.h"

namespace gradproof::properties {

std::optional<std::string> note_shard(const std::filesystem::path& folder,
                                      const ShardRecord& record) {
  auto records = read_shard_records(folder);
  if (!records) return records.error();
  if (std::ranges::find(*records, record) != records->end()) return std::nullopt;
  records->push_back(record);
  std::string text;
  for (const ShardRecord& kept : *records) text += shard_record_line(kept) + '\n';
  return write_file(shard_records_file(folder), text);
}

}  // namespace gradproof::properties
