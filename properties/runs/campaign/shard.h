#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "corpus/element_hash.h"
#include "properties/findings/results/shard_record.h"

namespace gradproof::runs {

/// FNV-1a over the id's bytes, finished by mixed(): the same on every machine, so that shards need
/// not talk to each other.
std::uint64_t id_hash(std::string_view id);

/// One process's part of what there is to do. 1 of 1 is all.
struct Shard {
  std::uint64_t index = 1, count = 1;  ///< index from 1

  bool is_all() const { return count == 1; }

  /// True if this is the one shard that has the case of this id.
  bool holds(std::string_view id) const { return is_all() || id_hash(id) % count == index - 1; }

  /// True if this shard has the call of this number, by a hash of their number: neighbours cost
  /// alike, and no shard has all the large ones.
  bool holds_number(std::uint64_t number) const {
    return is_all() || corpus::mixed(number) % count == index - 1;
  }

  friend bool operator==(const Shard&, const Shard&) = default;
};

/// Adds the record to the folder's, once, on the disk when this returns. The caller is the only one
/// that writes to the folder. Errors: why it could not be written.
std::optional<std::string> note_shard(const std::filesystem::path& folder,
                                      const findings::ShardRecord& record);

}  // namespace gradproof::runs
