#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace gradproof::findings {

/// Largest number of shards: beyond it a shard would look for its cases longer than it runs them.
inline constexpr std::uint64_t most_shards = 1'000'000;

/// Work that was dealt out to shards: runs that differ in any of it do not belong together.
struct DealtWork {
  std::string command, words;  ///< the words say whatever else decides what is run
  std::string target, profile;
  std::uint64_t seed = 0, shards = 1;

  // NOLINTNEXTLINE(modernize-use-nullptr): the zero is the compiler's own
  friend auto operator<=>(const DealtWork&, const DealtWork&) = default;
};

/// A line of shards.jsonl, where a folder keeps what shards were begun and ended in it. A shard
/// that is cut short leaves the lines it has, and one without a case leaves none: results.jsonl
/// alone cannot tell that all is there.
struct ShardRecord {
  DealtWork work;
  std::uint64_t index = 1;             ///< from 1
  std::optional<std::uint64_t> lines;  ///< that the shard's run has; nullopt: it has only begun

  friend bool operator==(const ShardRecord&, const ShardRecord&) = default;
};

std::filesystem::path shard_records_file(const std::filesystem::path& folder);

/// Formats the record as a line, without its line end.
std::string shard_record_line(const ShardRecord& record);

/// Errors: a file that is there and cannot be read, a line that is none, as FILE:LINE: problem. A
/// folder that has no such file has no records.
tl::expected<std::vector<ShardRecord>, std::string> read_shard_records(
    const std::filesystem::path& folder);

}  // namespace gradproof::findings
