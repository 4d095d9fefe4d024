#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/findings/results/summary.h"
#include "properties/runs/campaign/shard.h"
#include "properties/runs/prove/proof_calls.h"

namespace gradproof::runs {

/// Facts of a run of `prove`, or one shard of it: all that its claim needs.
struct ProofRecord {
  std::string target, scope, words;
  std::vector<std::string> modes;
  std::string attacks;  ///< in words; empty: none were made
  std::uint64_t seed = 0, shard = 1, shards = 1;
  std::uint64_t all_calls = 0;    ///< of the scope in all modes, whatever the shard
  std::uint64_t calls = 0;        ///< this shard's
  std::uint64_t status_only = 0;  ///< of those: without a proof, for the rules or too few bits
  std::uint64_t runs = 0, wrong = 0;
  std::uint64_t open = 0;  ///< runs that were skipped or refused: nothing was compared
  bool complete = false;   ///< every call was run

  friend bool operator==(const ProofRecord&, const ProofRecord&) = default;
};

/// Makes the record of a run with this summary; `complete`: no signal and no finding ended it.
ProofRecord proof_record(const ProofCalls& calls, const std::string& target, std::uint64_t seed,
                         const Shard& shard, const findings::Summary& summary, bool complete);

/// True if all calls of the scope are run and none of their runs was wrong or left out.
bool is_proved(const ProofRecord& record);

/// The paragraph: claim, scope, probability, assumptions, and what it does not find; where it is
/// not proved, why. With line ends.
std::string claim_text(const ProofRecord& record);

/// `folder/proof.json`.
std::filesystem::path proof_file(const std::filesystem::path& folder);

/// Errors: why it cannot be written.
std::optional<std::string> note_proof(const std::filesystem::path& folder,
                                      const ProofRecord& record);

/// The shards of one proof in these folders as one record; nullopt where none has a proof. Errors:
/// a file that cannot be read, or records that are not of one proof.
tl::expected<std::optional<ProofRecord>, std::string> merged_proof(
    const std::vector<std::filesystem::path>& folders);

}  // namespace gradproof::runs
