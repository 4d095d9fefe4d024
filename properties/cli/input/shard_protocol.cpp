#include "properties/cli/input/shard_protocol.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "properties/cli/input/values.h"
#include "properties/findings/results/shard_record.h"

namespace gradproof::cli {
namespace {

using findings::most_shards;

tl::expected<runs::Shard, std::string> parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto index = parse_count(text.substr(0, slash));
  const auto count =
      slash == std::string::npos ? parse_count("") : parse_count(text.substr(slash + 1));
  if (!index || !count || *index < 1 || *index > *count || *count > most_shards) {
    return tl::unexpected(
        fmt::format("\"{}\" is not I/N with 1 <= I <= N <= {}", text, most_shards));
  }
  return runs::Shard{*index, *count};
}

tl::expected<runs::Shard, std::string> shard_of_variables(const char* index, const char* count) {
  const auto problem = [&] {
    return tl::unexpected(fmt::format(
        "GTEST_SHARD_INDEX is \"{}\" and GTEST_TOTAL_SHARDS \"{}\", not I and N with 0 <= I < N",
        index, count));
  };
  const auto before = parse_count(index);
  const auto all = parse_count(count);
  if (!before || !all || *before >= *all || *all > most_shards) return problem();
  return runs::Shard{*before + 1, *all};
}

}  // namespace

tl::expected<runs::Shard, std::string> chosen_shard(const std::optional<std::string>& option) {
  if (option) {
    const auto shard = parse_shard(*option);
    return shard ? shard : tl::unexpected("--shard: " + shard.error());
  }
  const char* index = std::getenv("GTEST_SHARD_INDEX");
  const char* count = std::getenv("GTEST_TOTAL_SHARDS");
  if (!index && !count) return runs::Shard{};
  if (!index || !count) {
    return tl::unexpected(fmt::format("{} is set, but {} is not",
                                      index ? "GTEST_SHARD_INDEX" : "GTEST_TOTAL_SHARDS",
                                      index ? "GTEST_TOTAL_SHARDS" : "GTEST_SHARD_INDEX"));
  }
  return shard_of_variables(index, count);
}

std::optional<std::string> announce_sharding() {
  const char* file = std::getenv("GTEST_SHARD_STATUS_FILE");
  if (file == nullptr || *file == '\0') return std::nullopt;
  struct Close {
    void operator()(std::FILE* open) const { std::fclose(open); }
  };
  const std::unique_ptr<std::FILE, Close> made(std::fopen(file, "w"));
  if (made) return std::nullopt;
  return fmt::format("GTEST_SHARD_STATUS_FILE: {}: cannot be written: {}", file,
                     std::strerror(errno));
}

}  // namespace gradproof::cli
