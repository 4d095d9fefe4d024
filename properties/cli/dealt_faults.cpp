#include "properties/cli/dealt_faults.h"

#include <fmt/core.h>

#include <utility>

#include "properties/campaign/shard_records.h"
#include "properties/cli/shard_protocol.h"

namespace gradproof::properties::cli {

std::optional<std::string> DealtFaults::begin(const Configuration& configuration) const {
  if (auto problem = announce_sharding()) return problem;
  if (shard.work.shards == 1) return std::nullopt;
  return note_shard(configuration.folder, shard);
}

std::optional<std::string> DealtFaults::end(const Configuration& configuration) const {
  if (shard.work.shards == 1) return std::nullopt;
  ShardRecord ended = shard;
  ended.lines = faults.size();
  return note_shard(configuration.folder, ended);
}

DealtFaults dealt_faults(std::vector<PlantedFault> faults, const Configuration& configuration,
                         std::string command, std::uint64_t seed, std::string words) {
  std::string names;
  for (const PlantedFault& fault : faults) names += fault.name + ' ';
  words = fmt::format("gradproof {}{}; {} faults {:016x}", GRADPROOF_VERSION, words, faults.size(),
                      id_hash(names));
  std::erase_if(faults,
                [&](const PlantedFault& fault) { return !configuration.shard.holds(fault.name); });
  return {std::move(faults),
          {{std::move(command), std::move(words), "planted faults", "documented", seed,
            configuration.shard.count},
           configuration.shard.index,
           {}}};
}

}  // namespace gradproof::properties::cli
