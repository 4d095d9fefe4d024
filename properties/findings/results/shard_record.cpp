#include "properties/findings/results/shard_record.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <system_error>
#include <utility>

#include "corpus/case_error.h"
#include "corpus/json/json_text.h"

namespace gradproof::findings {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The library reports a missing or mistyped member by an exception; it ends here.
tl::expected<ShardRecord, std::string> parse_record(const std::string& line) try {
  const Json json = Json::parse(line);
  const Json& shard = json.at("shard");
  ShardRecord record{{json.at("command"), json.at("work"), json.at("target"), json.at("profile"),
                      json.at("seed"), shard.at(1)},
                     shard.at(0),
                     {}};
  if (json.contains("lines")) record.lines = json.at("lines").get<std::uint64_t>();
  if (record.index < 1 || record.index > record.work.shards || record.work.shards > most_shards) {
    return tl::unexpected(std::string("shard is not [I,N]"));
  }
  return record;
} catch (const Json::exception& error) {
  return tl::unexpected(
      fmt::format("not the record of a shard: {}", corpus::words_of_json_error(error)));
}

}  // namespace

fs::path shard_records_file(const fs::path& folder) { return folder / "shards.jsonl"; }

std::string shard_record_line(const ShardRecord& record) {
  const DealtWork& work = record.work;
  Json json{{"shard", {record.index, work.shards}},
            {"command", work.command},
            {"target", work.target},
            {"profile", work.profile},
            {"seed", work.seed},
            {"work", work.words}};
  if (record.lines) json["lines"] = *record.lines;
  return corpus::json_text(json);
}

tl::expected<std::vector<ShardRecord>, std::string> read_shard_records(const fs::path& folder) {
  const fs::path file = shard_records_file(folder);
  std::vector<ShardRecord> records;
  std::error_code error;
  if (!fs::exists(file, error)) return records;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return tl::unexpected(fmt::format("{}: cannot be read", file.string()));
  std::string line;
  for (std::uint64_t number = 1; std::getline(stream, line); ++number) {
    if (line.empty()) continue;
    auto record = parse_record(line);
    if (!record) {
      return tl::unexpected(fmt::format("{}:{}: {}", file.string(), number, record.error()));
    }
    records.push_back(std::move(*record));
  }
  return records;
}

}  // namespace gradproof::findings
