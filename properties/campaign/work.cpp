#include "properties/campaign/work.h"

#include "properties/results/findings.h"

#include <fmt/core.h>

namespace gradproof::properties {

std::uint64_t Work::size() const {
  return source ? std::numeric_limits<std::uint64_t>::max() : stored.size();
}

bool Work::holds(std::uint64_t number) const {
  if (shard.is_all()) return true;
  if (number < stored.size()) return shard.holds(stored[number].problem.id);
  return shard.holds(generated_id(seed, number - stored.size()));
}

WorkItem Work::item(std::uint64_t number) const {
  if (number < stored.size()) {
    const StoredCase& kept = stored[number];
    return {kept.problem, replay_command(kept.file, replay_options), kept.law};
  }
  const std::uint64_t index = number - stored.size();
  GeneratedCase generated = source->generate(seed, index);
  return {std::move(generated.problem),
          fmt::format("gradproof generate --cases 1 --seed {0} --first {1}{2} | "
                      "{3} --seed {0}",
                      seed, index, options_of(source->selection()),
                      replay_command("-", replay_options)),
          {},
          true,
          generated.discarded};
}

}  // namespace gradproof::properties
