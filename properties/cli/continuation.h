#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/cli/grammar/configuration.h"
#include "properties/runs/campaign/journal.h"

namespace gradproof::cli {

/// What `verify` is about to do: a new run, or the rest of one that was ended.
struct Continuation {
  runs::RunHead head;
  runs::RunPosition position;
  std::optional<runs::RecordedRun> continued;
  /// Stretches of results.jsonl with the lines of the same run, which was finished: this one
  /// replaces them. The target may have been built again, so nothing of it is believed.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> replaced = {};
};

/// Everything but the seed that decides what a run of verify runs and finds, as one line.
std::string settings_in_words(const Configuration& configuration,
                              const std::vector<runs::StoredCase>& stored);

/// Everything that must be the same in all shards of a run, apart from target, profile and seed, as
/// one line. Time limits and the path of the target may differ.
std::string dealt_work_in_words(const Configuration& configuration,
                                const std::vector<runs::StoredCase>& stored);

/// Resumes the folder's last run where it was ended before its time, has these settings and,
/// where a seed is given, this seed; else begins a new one, with the findings to replay.
Continuation continuation_of(const Configuration& configuration, const std::string& settings,
                             std::vector<runs::StoredCase> findings);

/// Runs `run` in a process of its own: how that process ended, where the run did not come back.
/// Before this process has threads or has loaded a target.
std::optional<runs::FatalCase> tried_alone(const runs::BegunRun& begun,
                                           const std::function<void()>& run);

}  // namespace gradproof::cli
