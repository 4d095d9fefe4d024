#include "properties/findings/results/shard_roll.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace gradproof::findings {
namespace {

std::string complaint(std::uint64_t shard, std::uint64_t count, std::uint64_t seed,
                      const std::string& on, std::string_view what) {
  return fmt::format("shard {}/{} of the run of seed {} on {} {}", shard, count, seed, on, what);
}

}  // namespace

void ShardRoll::add(const ShardRecord& record) {
  if (record.work.shards == 1) return;
  has_verified_ |= record.work.command == "verify";
  State& state = recorded_[record.work][record.index];
  if (!record.lines) return;
  state.has_ended = true;
  state.lines = std::max(state.lines, *record.lines);
}

void ShardRoll::add(const ResultsLine& line) {
  if (line.shard_count == 1) return;
  ++lines_[{line.target, line.profile, line.seed, line.shard_count}][line.shard_index];
}

void ShardRoll::add(const LineHeading& heading, std::uint64_t runs) {
  if (heading.shard_count == 1) return;
  const LineWork work{heading.target, heading.profile, heading.seed, heading.shard_count};
  lines_[work][heading.shard_index] += runs;
}

std::uint64_t ShardRoll::lines_of(const DealtWork& work, std::uint64_t shard) const {
  const auto found = lines_.find({work.target, work.profile, work.seed, work.shards});
  if (found == lines_.end() || !found->second.contains(shard)) return 0;
  return found->second.at(shard);
}

std::vector<std::string> ShardRoll::complaints() const {
  std::vector<std::string> complaints;
  std::map<LineWork, std::set<std::uint64_t>> accounted;
  for (const auto& recorded : recorded_) {
    const DealtWork& work = recorded.first;
    const auto& states = recorded.second;
    for (std::uint64_t i = 1; i <= work.shards; ++i) {
      const auto found = states.find(i);
      const auto complain = [&](std::string_view what) {
        complaints.push_back(complaint(i, work.shards, work.seed, work.target, what));
      };
      if (found == states.end()) {
        complain("is missing");
        continue;
      }
      const State& state = found->second;
      accounted[{work.target, work.profile, work.seed, work.shards}].insert(i);
      if (!state.has_ended) {
        complain("was not run to its end; the same command resumes it");
      } else if (lines_of(work, i) < state.lines) {
        complain(fmt::format("has {} of its {} lines", lines_of(work, i), state.lines));
      }
    }
  }
  for (const auto& [work, shards] : lines_) {
    const auto& [target, profile, seed, count] = work;
    const bool is_recorded = accounted.contains(work);
    for (std::uint64_t i = 1; i <= count; ++i) {
      const bool has_lines = shards.contains(i);
      if (is_recorded && (!has_lines || accounted.at(work).contains(i))) continue;
      complaints.push_back(
          complaint(i, count, seed, target,
                    has_lines ? "has lines, but no shards.jsonl next to them says that it has ended"
                              : "is missing"));
    }
  }
  return complaints;
}

}  // namespace gradproof::findings
