#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/status/profile.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/generators/random_case.h"
#include "properties/runs/campaign/shard.h"

namespace gradproof::runs {

/// A stored case, and the file that it is replayed from.
struct StoredCase {
  corpus::Case test_case;
  std::string file;
  std::string law = {};  ///< of a finding: the law that it breaks; empty: exactness or status
  std::optional<oracle::Profile> profile = {};  ///< of a finding: the one it was seen under
  std::vector<corpus::Case> calls_before = {};  ///< of a finding: the target is given them first
  std::string options = {};                     ///< of a finding: what its run was narrowed to
};

/// One case to run, and the command that runs it again.
struct WorkItem {
  corpus::Case test_case;
  std::string repro;
  std::string law = {};  ///< the law alone; empty: what the campaign holds cases to
  bool is_generated = false;
  std::uint64_t discarded = 0;                   ///< draws thrown away before a generated case
  std::optional<oracle::Profile> profile = {};   ///< nullopt: the one that the run is held to
  std::vector<corpus::Case> calls_before = {};   ///< the target is given them first
  std::optional<std::uint64_t> enumerated = {};  ///< its number in Work::enumeration
  bool is_typed = false;  ///< a user named the call: it gets values whatever they cost
};

/// Calls that are all to be run, numbered from 0. Immutable, so that any number of workers may
/// share it.
class Enumeration {
 public:
  virtual ~Enumeration() = default;

  virtual std::uint64_t size() const = 0;

  /// A pure function of the number; without data.
  virtual corpus::Case call(std::uint64_t number) const = 0;

  /// The runs of that call, each with its data; at least one. `ruling`: on the call.
  virtual std::vector<corpus::Case> runs(const corpus::Case& test_case, std::uint64_t number,
                                         const oracle::Ruling& ruling) const = 0;

  /// The command that runs them all.
  virtual std::string command() const = 0;

 protected:
  Enumeration() = default;
  Enumeration(const Enumeration&) = default;
  Enumeration(Enumeration&&) = default;
  Enumeration& operator=(const Enumeration&) = default;
  Enumeration& operator=(Enumeration&&) = default;
};

/// Items of work, in a fixed order: the stored cases, then the generated ones. Shards number the
/// items alike, and each runs those that it holds.
struct Work {
  std::vector<StoredCase> stored;
  std::optional<cases::CaseSource> source;  ///< nullopt: stored cases only
  std::uint64_t seed = 0;
  Shard shard;
  /// Options that a replay command adds to the case: the target, and the law or profile.
  std::string replay_options = {};
  /// Generated cases alternate between Documented and Released, drawn from seed and number, and a
  /// finding is held to its own. The target must take machine settings.
  bool alternates_profiles = false;
  /// Not null: the calls of a scope are all that there is to do.
  std::shared_ptr<const Enumeration> enumeration = nullptr;

  /// Items of all shards together.
  std::uint64_t size() const;
  WorkItem item(std::uint64_t number) const;

  /// True if the item is this shard's. Costs no generation.
  bool holds(std::uint64_t number) const;

  /// Names the profiles that the run is held to; `only` where it does not alternate.
  std::string profiles(oracle::Profile only) const;

  /// Items to hand to a worker at once: generated cases are many and small, stored ones may take
  /// minutes each. Of every shard about as many are its own.
  std::uint64_t block_size() const { return source || enumeration ? 16 * shard.count : 1; }
};

}  // namespace gradproof::runs
