#include "properties/campaign/work.h"

#include <fmt/format.h>

namespace gradproof::properties {

std::uint64_t Work::stored_size() const {
  const std::uint64_t all = stored.size();
  return all < shard.index ? 0 : (all - shard.index) / shard.count + 1;
}

std::uint64_t Work::size() const {
  return source ? std::numeric_limits<std::uint64_t>::max() : stored_size();
}

WorkItem Work::item(std::uint64_t number) const {
  if (number < stored_size()) {
    const StoredCase& kept = stored[shard.index - 1 + number * shard.count];
    return {kept.problem, fmt::format("gradproof replay {}", kept.file), kept.law, false};
  }
  const std::uint64_t index = (number - stored_size()) * shard.count + shard.index - 1;
  return {(*source)(seed, index),
          fmt::format("gradproof generate --cases 1 --seed {0} --first {1}{2} | "
                      "gradproof replay - --seed {0}",
                      seed, index, options_of(source->selection())),
          {},
          true};
}

}  // namespace gradproof::properties
