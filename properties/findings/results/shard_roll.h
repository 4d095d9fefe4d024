#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "properties/findings/results/results_line.h"
#include "properties/findings/results/results_line_reader.h"
#include "properties/findings/results/shard_record.h"

namespace gradproof::findings {

/// Record of the shards that are there, of all runs that a merge has seen; in any order, each as
/// often as it may.
class ShardRoll {
 public:
  void add(const ShardRecord& record);

  /// Adds a line that counts.
  void add(const ResultsLine& line);

  /// Runs that are counted together.
  void add(const LineHeading& heading, std::uint64_t runs);

  /// True if shards of `verify` are among them: what one alone proves is judged of all together.
  bool has_verified() const { return has_verified_; }

  /// Describes the shards that are missing or incomplete, a sentence for each shard.
  std::vector<std::string> complaints() const;

 private:
  /// All that a line of results.jsonl says of the work it belongs to: target, profile, seed, N.
  using LineWork = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>;

  struct State {
    bool has_ended = false;
    std::uint64_t lines = 0;
  };

  std::uint64_t lines_of(const DealtWork& work, std::uint64_t shard) const;

  std::map<DealtWork, std::map<std::uint64_t, State>> recorded_;
  std::map<LineWork, std::map<std::uint64_t, std::uint64_t>> lines_;  ///< by shard
  bool has_verified_ = false;
};

}  // namespace gradproof::findings
