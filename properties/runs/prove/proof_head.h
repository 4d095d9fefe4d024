#pragma once

#include <string>

#include "properties/runs/campaign/shard.h"
#include "properties/runs/prove/proof_calls.h"

namespace gradproof::properties {

/// What the head of a proof's certificate says in addition, as a member of a JSON object: the scope
/// (its ranges, or, where it has none, its calls), the modes, and which shard of how many. From it
/// a stranger enumerates the calls that must follow.
std::string proof_head(const ProofCalls& calls, const Shard& shard);

}  // namespace gradproof::properties
