#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "properties/generators/random_case.h"

namespace gradproof::properties {

/// A case that somebody stored, and the file that it is replayed from.
struct StoredCase {
  corpus::Case problem;
  std::string file;
  std::string law = {};  ///< of a finding: the law that it breaks; empty: exactness or status
};

/// Every how many-th case is this process's: 1 of 1 is all.
struct Shard {
  std::uint64_t index = 1, count = 1;

  friend bool operator==(const Shard&, const Shard&) = default;
};

/// One case to run, and the command that runs it again.
struct WorkItem {
  corpus::Case problem;
  std::string repro;
  std::string law = {};  ///< the law alone; empty: what the campaign holds cases to
  bool is_generated = false;
};

/// What there is to do, in an order that does not depend on who asks: the stored cases, then the
/// generated ones.
struct Work {
  std::vector<StoredCase> stored;
  std::optional<CaseSource> source;  ///< nullopt: stored cases only
  std::uint64_t seed = 0;
  Shard shard;

  /// Items that this shard has.
  std::uint64_t size() const;
  WorkItem item(std::uint64_t number) const;

  /// Items to hand to a worker at once: generated cases are many and small, stored ones may take
  /// minutes each.
  std::uint64_t block_size() const { return source ? 16 : 1; }

 private:
  std::uint64_t stored_size() const;
};

}  // namespace gradproof::properties
