#pragma once

#include <optional>
#include <string>
#include <vector>

#include "properties/cli/configuration.h"
#include "properties/faults/planted_faults.h"
#include "properties/results/shard_record.h"

namespace gradproof::properties::cli {

/// The faults that `faults` and `league` try in this process, and what the folder keeps of it for
/// the merge.
struct DealtFaults {
  std::vector<PlantedFault> faults;
  ShardRecord shard;

  /// Errors of both: why it cannot be written.
  std::optional<std::string> begin(const Configuration& configuration) const;
  std::optional<std::string> end(const Configuration& configuration) const;
};

/// `command`, the seed and `words` tell this run from others.
DealtFaults dealt_faults(std::vector<PlantedFault> faults, const Configuration& configuration,
                         std::string command, std::uint64_t seed, std::string words);

}  // namespace gradproof::properties::cli
