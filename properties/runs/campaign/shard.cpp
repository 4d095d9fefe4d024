#include "properties/runs/campaign/shard.h"

#include <algorithm>

#include "corpus/random_source.h"
#include "properties/findings/results/results_file.h"

namespace gradproof::runs {

std::uint64_t id_hash(std::string_view id) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char letter : id) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3U;
  }
  return corpus::mixed(hash);
}

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
