#pragma once

#include <string>

#include "properties/runs/campaign/shard.h"
#include "properties/runs/prove/proof_calls.h"

namespace gradproof::runs {

/// Describes the proof for the head of its certificate, as a member of a JSON object: the scope
/// (its ranges, or, where it has none, its calls), the modes, and which shard of how many. From it
/// a stranger enumerates the calls that must follow.
std::string proof_head(const ProofCalls& calls, const Shard& shard);

}  // namespace gradproof::runs
